"""What goes wrong with one plugin is reported in full, and leaves the others alone."""

from pathlib import Path

import pytest

from host.hooks import Hooks, RegistrationError
from host.runtime import (
    AsyncCreatePluginError,
    ComponentsError,
    NoCreatePluginError,
    NoInstanceError,
    Plugin,
    PluginError,
    PluginState,
    StepFailedError,
)
from tests.runtime.plugin_folders import GREETER, PluginsIn, inline_only, said, write_files, write_plugin


async def load_beside_a_healthy_one(
    plugins_in: PluginsIn, hooks: Hooks, root: Path, source: str, files: dict[str, str] | None = None
) -> Plugin:
    """The record of a plugin of this source, after a load in which its neighbour came up."""
    write_plugin(root, "team.broken", source, files)
    write_plugin(root, "team.healthy")
    plugins = plugins_in(root)
    await plugins.load_all()
    assert plugins["team.healthy"].state is PluginState.ACTIVE
    assert await said(hooks, "hi") == "hi!"
    return plugins["team.broken"]


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ("import nothing_of_this_name", "ModuleNotFoundError"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("import asyncio\nraise asyncio.CancelledError()", "CancelledError"),
        ("raise StopIteration", "StopIteration"),
        ("raise GeneratorExit", "GeneratorExit"),
        ("1 / 0", "ZeroDivisionError"),
        ("class Odd(Exception):\n    def __str__(self):\n        raise ValueError\nraise Odd", "Odd"),
    ],
)
async def test_whatever_the_import_raises_is_the_plugins_own_failure(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path, source: str, named: str
) -> None:
    plugin = await load_beside_a_healthy_one(plugins_in, hooks, tmp_path, source)
    assert isinstance(plugin.problem, StepFailedError)
    assert (plugin.state, plugin.problem.code) == (PluginState.FAILED, "import_raised")
    assert named in plugin.problem.text()
    assert named in plugin.problem.text("zh")
    assert "Traceback" in plugin.traceback


async def test_the_innermost_line_of_the_plugin_is_named(plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path) -> None:
    helper = "import json\n\ndef read():\n    return json.loads('{')\n\nread()\n"
    plugin = await load_beside_a_healthy_one(
        plugins_in, hooks, tmp_path, "from core import helper", {"core/helper.py": helper}
    )
    file = tmp_path / "team.broken" / "core" / "helper.py"
    assert isinstance(plugin.problem, StepFailedError)
    assert (plugin.problem.file, plugin.problem.line) == (str(file), 4)
    assert f"{file}:4" in plugin.problem.text()


async def test_the_traceback_begins_at_the_plugins_own_code(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path
) -> None:
    plugin = await load_beside_a_healthy_one(plugins_in, hooks, tmp_path, "def fail():\n    1 / 0\n\nfail()")
    first_frame = plugin.traceback.splitlines()[1]
    assert str(tmp_path / "team.broken" / "plugin.py") in first_frame


async def test_a_syntax_error_names_file_and_line(plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path) -> None:
    plugin = await load_beside_a_healthy_one(
        plugins_in, hooks, tmp_path, "from . import bad", {"bad.py": "x = 1\ny = = 2\n"}
    )
    assert isinstance(plugin.problem, StepFailedError)
    assert (plugin.problem.file, plugin.problem.line) == (str(tmp_path / "team.broken" / "bad.py"), 2)
    assert "SyntaxError" in plugin.traceback


async def test_a_huge_error_is_capped(plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path) -> None:
    plugin = await load_beside_a_healthy_one(plugins_in, hooks, tmp_path, "raise ValueError('x' * 5_000_000)")
    assert plugin.problem is not None
    assert len(plugin.problem.text()) < 10_000
    assert len(plugin.traceback) < 100_000


async def test_a_leftover_workflow_step_fails_cleanly_and_names_the_replacement(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path
) -> None:
    source = """\
        from maibot_sdk import HookHandler, MaiBotPlugin, WorkflowStep

        class Old(MaiBotPlugin):
            @HookHandler("room.say")
            async def fine(self, **kwargs): ...

            @WorkflowStep("check", stage="ingress", blocking=True)
            async def check(self, context, message, **kwargs): ...

        def create_plugin():
            return Old()
    """
    plugin = await load_beside_a_healthy_one(plugins_in, hooks, tmp_path, source)
    assert isinstance(plugin.problem, StepFailedError)
    assert plugin.problem.line == 7
    for locale in ("en", "zh"):
        text = plugin.problem.text(locale)
        for named in ("team.broken", f"{tmp_path / 'team.broken' / 'plugin.py'}:7", "chat.receive.before_process"):
            assert named in text
    assert "HookHandler" in plugin.traceback
    assert plugin.registration is None
    assert [handler.plugin_id for row in hooks.describe() for handler in row.handlers] == ["team.healthy"]


async def test_a_component_of_the_removed_type_is_refused_with_all_else_of_the_plugin(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path
) -> None:
    source = GREETER.replace(
        "def word(self):",
        """def get_components(self):
            return [*super().get_components(), {"name": "old", "type": "workflow_step", "metadata": {"stage": "plan"}}]

        def word(self):""",
    )
    plugin = await load_beside_a_healthy_one(plugins_in, hooks, tmp_path, source)
    assert isinstance(plugin.problem, RegistrationError)
    assert "HookHandler" in plugin.problem.text("zh")
    assert [handler.plugin_id for row in hooks.describe() for handler in row.handlers] == ["team.healthy"]


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("", NoCreatePluginError),
        ("async def create_plugin(): ...", AsyncCreatePluginError),
        ("async def make(): ...\ndef create_plugin():\n    return make()", AsyncCreatePluginError),
        ("def create_plugin(): ...", NoInstanceError),
        ("class P:\n    def get_components(self):\n        return {}\ncreate_plugin = P", ComponentsError),
        ("class P:\n    async def get_components(self):\n        return []\ncreate_plugin = P", ComponentsError),
    ],
)
async def test_what_makes_no_plugin_is_a_problem_of_its_own_kind(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path, source: str, problem: type[PluginError]
) -> None:
    plugin = await load_beside_a_healthy_one(plugins_in, hooks, tmp_path, source)
    assert plugin.state is PluginState.FAILED
    assert type(plugin.problem) is problem
    assert "team.broken" in plugin.problem.text("zh")


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("def create_plugin():\n    raise SystemExit", "create_raised"),
        ("def create_plugin(host):\n    return object()", "create_raised"),
        ("create_plugin = 5", "create_raised"),
        ("class P:\n    def _set_context(self, context):\n        1 / 0\ncreate_plugin = P", "create_raised"),
        ("class P:\n    def get_components(self):\n        1 / 0\ncreate_plugin = P", "components_raised"),
        ("class P:\n    def on_load(self):\n        1 / 0\ncreate_plugin = P", "on_load_raised"),
        ("class P:\n    async def on_load(self):\n        raise SystemExit\ncreate_plugin = P", "on_load_raised"),
    ],
)
async def test_whatever_a_later_step_raises_fails_the_plugin_with_its_traceback(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path, source: str, code: str
) -> None:
    plugin = await load_beside_a_healthy_one(plugins_in, hooks, tmp_path, source)
    assert isinstance(plugin.problem, StepFailedError)
    assert (plugin.state, plugin.problem.code) == (PluginState.FAILED, code)
    assert "Traceback" in plugin.traceback
    assert (plugin.instance, plugin.components, plugin.registration) == (None, [], None)


@inline_only
async def test_ctrl_c_while_a_plugin_is_imported_ends_the_host_not_the_plugin(
    plugins_in: PluginsIn, tmp_path: Path
) -> None:
    write_plugin(tmp_path, "team.one", "raise KeyboardInterrupt")
    plugins = plugins_in(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        await plugins.load_all()
    assert plugins["team.one"].state is PluginState.INACTIVE


async def test_problems_and_their_tracebacks_are_logged(
    plugins_in: PluginsIn, tmp_path: Path, logged: list[str]
) -> None:
    write_plugin(tmp_path, "team.one", "1 / 0")
    write_files(tmp_path / "lost", {"plugin.py": ""})
    await plugins_in(tmp_path).load_all()
    errors = [line for line in logged if line.startswith("ERROR")]
    assert len(errors) == 2
    assert "lost" in errors[0]
    assert "ZeroDivisionError" in errors[1]
    assert "Traceback" in errors[1]


async def test_what_raises_while_a_configuration_is_taken_over_is_logged_with_its_traceback(
    plugins_in: PluginsIn, tmp_path: Path, logged: list[str]
) -> None:
    refuses = """
        class P:
            taken = 0

            def set_plugin_config(self, config):
                self.taken += 1
                if self.taken > 1:
                    raise LookupError("not this one")

        def create_plugin():
            return P()
    """
    write_plugin(tmp_path, "team.one", refuses)
    plugins = plugins_in(tmp_path)
    await plugins.load_all()
    await plugins.reconfigure("team.one")
    errors = [line for line in logged if line.startswith("ERROR")]
    assert len(errors) == 1
    assert errors[0].startswith("ERROR plugin team.one: the last good configuration counts on. ")
    assert 'raise LookupError("not this one")' in errors[0]
