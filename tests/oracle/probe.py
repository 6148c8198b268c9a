"""The script that asks an SDK: reads a list of questions a line, writes the list of answers a line, both as JSON.

Runs in the environment of the SDK it asks, so it needs nothing but the standard library and `maibot_sdk`.
"""

import asyncio
import json
import re
import runpy
import sys
import warnings
from collections.abc import Callable, Mapping
from datetime import date
from enum import Enum
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any


class Host:
    """Answers capabilities from a table, `{"success": True}` otherwise, and remembers the calls."""

    def __init__(self, answers: Mapping[str, Any]) -> None:
        self.answers = answers
        self.calls: list[Any] = []

    async def __call__(self, method: str, plugin_id: str, payload: Any, **keywords: Any) -> Any:
        self.calls.append([method, plugin_id, payload, keywords])
        capability = (payload or {}).get("capability", method)
        return self.answers.get(capability, {"success": True})


def surface(path: str) -> Any:
    """What can be seen of the package, by the module of the surface test."""
    return runpy.run_path(path)["surface"]()


def origin() -> dict[str, str]:
    """Which SDK this is."""
    package = import_module("maibot_sdk")
    return {"version": package.__version__, "file": str(package.__file__)}


def declare(decorator: str, arguments: str) -> Any:
    """What becomes of a method with a decorator, both as source text."""
    source = f"class Plugin(MaiBotPlugin):\n    @{decorator}({arguments})\n    async def method(self, **kwargs): ...\n"
    package = import_module("maibot_sdk")
    names = {**vars(import_module("maibot_sdk.types")), **{name: getattr(package, name) for name in package.__all__}}
    exec(source, names)
    plugin = names["Plugin"]()
    return {"components": plugin.get_components(), "providers": plugin.get_llm_providers()}


def plugin(path: str = "", source: str = "") -> dict[str, Any]:
    """All that a host learns of a plugin file, and how its `story` goes."""
    module = ModuleType("plugin_under_test")
    sys.modules[module.__name__] = module
    exec(compile(source or Path(path).read_text(encoding="utf-8"), "plugin.py", "exec"), vars(module))
    made = module.create_plugin()
    named = {"plugin_id": "me.p", "plugin_name": "P", "plugin_version": "1.0.0"}
    return {
        "components": _ask(made, "get_components"),
        "providers": _ask(made, "get_llm_providers"),
        "defaults": _ask(made, "get_default_config"),
        "form": _ask(made, "get_webui_config_schema", **named),
        "subscriptions": _ask(made, "get_config_reload_subscriptions"),
        **_story(module, made),
    }


def _ask(made: Any, method: str, **arguments: Any) -> dict[str, Any]:
    return attempt(lambda: getattr(made, method)(**arguments))


def _story(module: ModuleType, made: Any) -> dict[str, Any]:
    if not hasattr(module, "story"):
        return {}
    host = Host(getattr(module, "ANSWERS", {}))
    made._set_context(import_module("maibot_sdk").PluginContext("me.p", host))
    return {"story": attempt(lambda: asyncio.run(module.story(made))), "calls": told(host.calls)}


def call(path: str, arguments: str, answer: str) -> dict[str, Any]:
    """What a method of the context sends and returns; arguments and the host's answer are source text."""
    host = Host(_Always(eval(answer)))
    method: Any = import_module("maibot_sdk").PluginContext("me.p", host)
    for name in path.split("."):
        method = getattr(method, name)
    types = vars(import_module("maibot_sdk.types"))

    async def asked() -> Any:
        return await eval(f"method({arguments})", types, {"method": method})

    return {"made": attempt(lambda: asyncio.run(asked())), "calls": told(host.calls)}


class _Always(dict[str, Any]):
    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def get(self, key: str, default: Any = None) -> Any:
        return self.answer


def function(name: str, arguments: list[Any]) -> Any:
    """What a function gives, named by module and name."""
    module, _, attribute = name.rpartition(".")
    return getattr(import_module(module), attribute)(*arguments)


QUESTIONS: dict[str, Callable[..., Any]] = {
    question.__name__: question for question in (surface, origin, declare, plugin, call, function)
}


def attempt(ask: Callable[[], Any]) -> dict[str, Any]:
    """What it returns, or the type of what it raises; for a failed validation also where it failed."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            outcome = {"returns": told(ask())}
        except Exception as error:
            outcome = _failure(error)
    if caught:
        outcome["warns"] = sorted({warning.category.__name__ for warning in caught})
    return outcome


def _failure(error: Any) -> dict[str, Any]:
    if type(error).__name__ != "ValidationError":
        return {"raises": type(error).__name__}
    return {"raises": "ValidationError", "at": sorted(".".join(map(str, problem["loc"])) for problem in error.errors())}


def told(value: Any) -> Any:
    """A value as JSON, with the type of what JSON does not know."""
    match value:
        case Enum():
            return {"enum": f"{type(value).__name__}.{value.name}"}
        case str():
            return re.sub(" at 0x[0-9a-f]+", "", value)
        case None | bool() | int():
            return value
        case float():
            return value if value == value and abs(value) != float("inf") else {"float": str(value)}
        case list():
            return [told(member) for member in value]
        case dict() if all(isinstance(key, str) for key in value):
            return {key: told(member) for key, member in value.items()}
        case dict():
            return {"pairs": [[told(key), told(member)] for key, member in value.items()]}
        case tuple():
            return {"tuple": [told(member) for member in value]}
        case set() | frozenset():
            return {type(value).__name__: sorted(map(repr, value))}
        case bytes():
            return {"bytes": value.hex()}
        case date() | Path():
            return {type(value).__name__: str(value)}
    if hasattr(value, "model_dump"):
        return {"model": type(value).__name__, "fields": told(value.model_dump())}
    if type(value).__name__ == "PluginPaths":
        return {"paths": told([value.data_dir, value.runtime_dir])}
    return {"object": type(value).__name__}


def _answer(ask: str, **arguments: Any) -> dict[str, Any]:
    return attempt(lambda: QUESTIONS[ask](**arguments))


def main() -> None:
    answers = sys.stdout
    sys.stdout = sys.stderr
    for line in sys.stdin:
        questions = json.loads(line)
        answers.write(json.dumps([_answer(**question) for question in questions]) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
