"""What loads when: an import brings what is asked for, and every name can be had in every way."""

import ast
import json
import subprocess
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import maibot_sdk
from tests.sdk.surface import MODULES

PUBLISHED = json.loads((Path(__file__).parents[1] / "data" / "sdk_surface.json").read_text(encoding="utf-8"))

NOT_LOADED_BY_A_PLAIN_IMPORT = {"maibot_sdk.capabilities.logging", "maibot_sdk.messages"}
REACHED_BY_ATTRIBUTE = [name for name in MODULES[:-1] if name not in NOT_LOADED_BY_A_PLAIN_IMPORT]
LATE_MODULES = ["maibot_sdk", "maibot_sdk.plugin"]

CONFIGURATION = """
import maibot_sdk
class Config(maibot_sdk.PluginConfigBase):
    greeting: str = maibot_sdk.Field(default="Hello")
Config()
"""
PLUGIN = f"""
{CONFIGURATION}
from maibot_sdk import Command, HookHandler, MaiBotPlugin
class Greeter(MaiBotPlugin):
    config_model = Config
    @Command("greet")
    async def greet(self, **kwargs):
        await self.ctx.send.text("Hello", kwargs["stream_id"])
    @HookHandler("chat.receive.before_process")
    async def watch(self, **kwargs): ...
plugin = Greeter()
plugin.get_components()
"""
CONTEXT = f"""
{PLUGIN}
from maibot_sdk.context import PluginContext
async def connection(method, plugin_id, payload): return {{"success": True}}
plugin._set_context(PluginContext("greeter", connection))
"""


def printed(script: str) -> Any:
    """What a script prints, as JSON, in a fresh interpreter."""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, encoding="utf-8", check=True)
    return json.loads(ran.stdout)


def loaded_by(script: str) -> set[str]:
    """The modules that are loaded when a script is done."""
    return set(printed(f"{script}\nimport json, sys\nprint(json.dumps(list(sys.modules)))"))


def within(package: str, modules: Iterable[str]) -> set[str]:
    return {name for name in modules if name.startswith(f"{package}.")}


def test_a_plain_import_loads_none_of_the_public_modules_and_no_pydantic() -> None:
    loaded = loaded_by("import maibot_sdk")
    assert loaded & set(MODULES) == {"maibot_sdk"}
    assert "pydantic" not in loaded


def test_a_configuration_loads_the_configuration_alone() -> None:
    assert loaded_by(CONFIGURATION) & set(MODULES) == {"maibot_sdk", "maibot_sdk.config"}


def test_a_plugin_without_a_context_loads_no_capability_no_form_builder_and_no_base_of_model_providers() -> None:
    loaded = loaded_by(PLUGIN)
    assert "maibot_sdk.components" in loaded
    assert within("maibot_sdk.capabilities", loaded) == set()
    assert not loaded & {"maibot_sdk.context", "maibot_sdk._config_schema", "maibot_sdk.llm_provider"}


def test_a_context_brings_every_capability_before_the_first_one_is_used() -> None:
    families = {name for name in REACHED_BY_ATTRIBUTE if name.startswith("maibot_sdk.capabilities.")}
    assert families <= loaded_by(CONTEXT)


def test_once_there_is_a_context_the_first_call_of_a_handler_loads_nothing() -> None:
    call = """
import asyncio, json, sys
with asyncio.Runner() as runner:
    runner.run(asyncio.sleep(0))
    before = set(sys.modules)
    runner.run(plugin.greet(stream_id="1"))
    print(json.dumps(sorted(set(sys.modules) - before)))
"""
    assert printed(CONTEXT + call) == []


def test_every_public_module_is_an_attribute_after_a_plain_import() -> None:
    names = ", ".join(REACHED_BY_ATTRIBUTE)
    assert printed(f"import json, maibot_sdk\nprint(json.dumps([m.__name__ for m in ({names})]))") == (
        REACHED_BY_ATTRIBUTE
    )


@pytest.mark.parametrize("module", MODULES)
def test_dir_is_complete_before_anything_else_is_asked_for(module: str) -> None:
    script = f"import json, importlib\nprint(json.dumps(dir(importlib.import_module({module!r}))))"
    assert set(PUBLISHED[module]) <= set(printed(script))


@pytest.mark.parametrize("module", MODULES)
def test_a_star_import_brings_every_public_name(module: str) -> None:
    script = f"from {module} import *\nimport json\nprint(json.dumps(list(globals())))"
    names = PUBLISHED[module].get("__all__", {}).get("value", PUBLISHED[module])
    assert {name for name in names if not name.startswith("_")} <= set(printed(script))


@pytest.mark.parametrize("module", LATE_MODULES)
def test_a_name_can_be_imported_before_anything_else(module: str) -> None:
    source = ast.parse(Path(str(import_module(module).__file__)).read_text(encoding="utf-8"))
    names = {name for name in late_names_for_type_checkers(source) if name in PUBLISHED[module]}
    assert names
    for name in names:
        assert printed(f"from {module} import {name}\nprint({name} is not None and 1)") == 1


@pytest.mark.parametrize("module", LATE_MODULES)
def test_type_checkers_are_told_of_the_names_that_load_late_and_of_no_others(module: str) -> None:
    source = ast.parse(Path(str(import_module(module).__file__)).read_text(encoding="utf-8"))
    script = f"import json, importlib\nm = importlib.import_module({module!r})\nv = set(vars(m))"
    late = set(printed(f"{script}\nprint(json.dumps([name for name in dir(m) if name not in v]))"))
    submodules = {name.rpartition(".")[2] for name in MODULES if name.startswith(f"{module}.")}
    assert late_names_for_type_checkers(source) == late - submodules


def test_a_name_is_the_same_object_each_time_and_wherever_it_is_asked_for() -> None:
    assert maibot_sdk.PluginContext is maibot_sdk.PluginContext is maibot_sdk.context.PluginContext
    assert vars(maibot_sdk)["PluginContext"] is maibot_sdk.PluginContext


def test_a_name_that_does_not_exist_is_an_attribute_error_that_says_so() -> None:
    with pytest.raises(AttributeError, match=r"module 'maibot_sdk' has no attribute 'PluginBase'") as caught:
        maibot_sdk.PluginBase  # type: ignore[attr-defined]  # noqa: B018
    assert (caught.value.name, caught.value.obj) == ("PluginBase", maibot_sdk)


def late_names_for_type_checkers(source: ast.Module) -> set[str]:
    """The names that a module imports under `if TYPE_CHECKING:`."""
    blocks = [each for each in source.body if isinstance(each, ast.If) and ast.unparse(each.test) == "TYPE_CHECKING"]
    imports = [each for block in blocks for each in block.body if isinstance(each, ast.Import | ast.ImportFrom)]
    return {alias.asname or alias.name for each in imports for alias in each.names}
