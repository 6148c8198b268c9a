"""What becomes of a plugin that loads."""

import json
from pathlib import Path

import pytest

from host.hooks import Hooks, Source
from host.runtime import PluginRoot, PluginState
from tests.runtime.plugin_folders import GREETER, PluginsIn, manifest, said, write_files, write_plugin


async def test_a_loaded_plugin_is_active_and_its_handlers_are_called(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path
) -> None:
    folder = write_plugin(tmp_path, "team.one")
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    (plugin,) = plugins
    assert (plugin.id, plugin.name, plugin.version) == ("team.one", "Name of team.one", "1.2.3")
    assert (plugin.path, plugin.source, plugin.state) == (folder, Source.THIRD_PARTY, PluginState.ACTIVE)
    assert (plugin.problem, plugin.traceback) == (None, "")
    assert [component["name"] for component in plugin.components] == ["greet"]
    assert plugin.registration is not None
    assert plugin.registration.handlers[0].plugin_id == "team.one"
    assert await said(hooks, "hi") == "hi!"


async def test_the_plugin_gets_its_context_and_folders_before_it_is_looked_at(
    plugins_in: PluginsIn, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    source = """
        import logging
        from maibot_sdk import MaiBotPlugin

        class Looker(MaiBotPlugin):
            def get_components(self):
                paths = self.ctx.paths
                assert paths.data_dir.is_dir() and paths.runtime_dir.is_dir()
                seen = [self.ctx.plugin_id, str(paths.data_dir), str(paths.runtime_dir)]
                logging.getLogger("journal").warning("%s", seen)
                return []

            async def on_load(self): ...

        create_plugin = Looker
    """
    write_plugin(tmp_path / "plugins", "team.one", source)
    plugins = plugins_in(tmp_path, PluginRoot(tmp_path / "plugins", Source.THIRD_PARTY))
    await plugins.load_all()
    data = tmp_path / "data"
    assert caplog.messages == [
        str(["team.one", str(data / "plugins" / "team.one"), str(data / "temp" / "plugins" / "team.one")])
    ]


async def test_a_class_without_the_base_class_and_life_cycle_is_loaded_by_its_marked_methods(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path
) -> None:
    source = """
        from maibot_sdk import HookHandler

        class Words:
            @HookHandler("room.say")
            async def ask(self, text, **kwargs):
                return {"modified_kwargs": {"text": text + "?"}}

        def create_plugin():
            return Words()
    """
    write_plugin(tmp_path, "team.one", source)
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    assert await said(hooks, "hi") == "hi?"
    await plugins.unload_all()
    assert await said(hooks, "hi") == "hi"


async def test_overridden_get_components_has_the_last_word(plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path) -> None:
    source = GREETER.replace(
        "def word(self):",
        """def get_components(self):
            components = super().get_components()
            return [{**each, "metadata": {**each["metadata"], "enabled": False}} for each in components]

        def word(self):""",
    )
    write_plugin(tmp_path, "team.one", source)
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    assert plugins["team.one"].state is PluginState.ACTIVE
    assert await said(hooks, "hi") == "hi"


async def test_two_plugins_with_equally_named_files_each_use_their_own(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path
) -> None:
    source = "import sys\nfrom pathlib import Path\nsys.path.insert(0, str(Path(__file__).parent))\n" + GREETER.replace(
        'return "!"', "from config import WORD\n            from core.mark import MARK\n            return WORD + MARK"
    ).replace("\n    ", "\n")
    for plugin_id, word in (("team.one", "a"), ("team.two", "b")):
        write_plugin(tmp_path, plugin_id, source, {"config.py": f"WORD = {word!r}", "core/mark.py": f"MARK = {word!r}"})
    await plugins_in(tmp_path).load_all()
    assert await said(hooks) == "aabb"


async def test_the_source_in_the_kernel_is_that_of_the_root(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path
) -> None:
    write_plugin(tmp_path / "bundled", "z.bundled")
    liar = write_plugin(tmp_path / "installed", "a.liar")
    claims = manifest("a.liar", source="builtin", is_built_in=True)
    write_files(liar, {"_manifest.json": json.dumps(claims)})
    roots = [
        PluginRoot(tmp_path / "installed", Source.THIRD_PARTY),
        PluginRoot(tmp_path / "bundled", Source.BUILTIN),
    ]
    await plugins_in(tmp_path, *roots).load_all()
    (row,) = hooks.describe()
    assert [(handler.plugin_id, handler.source) for handler in row.handlers] == [
        ("z.bundled", Source.BUILTIN),
        ("a.liar", Source.THIRD_PARTY),
    ]
