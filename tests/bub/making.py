"""Plugins made on the spot, and frameworks that hold them."""

import functools
import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from host.bub import Framework, ModelSelection, hookimpl

ANSWERS: dict[str, Any] = {
    question: answer["result"]
    for question, answer in json.loads(
        (Path(__file__).parents[1] / "data" / "bub" / "answers.json").read_text("utf-8")
    ).items()
    if question != "_meta"
}
"""What Bub 0.5.1 itself answered, by question."""


def framework(*plugins: object, selection: ModelSelection = ModelSelection.PRIORITY) -> Framework:
    """One with these plugins, registered in this order, named by their ``NAME`` or as p0, p1, ..."""
    made = Framework(selection=selection)
    for number, plugin in enumerate(plugins):
        made.plugins.register(plugin, getattr(plugin, "NAME", f"p{number}"))
    return made


def plugin(name: str = "", /, **implementations: Any) -> Any:
    """One with these implementations, given as functions without ``self``."""
    members: dict[str, Any] = {
        hook: staticmethod(each if hasattr(each, "bub_impl") else hookimpl(_function(each)))
        for hook, each in implementations.items()
    }
    if name:
        members["NAME"] = name
    return type("P", (), members)()


def _function(each: Callable[..., Any]) -> Callable[..., Any]:
    """What can be marked: of a bound method a function that calls it."""
    if not inspect.ismethod(each):
        return each

    @functools.wraps(each)
    def call(*arguments: Any) -> Any:
        return each(*arguments)

    return call


def plain(value: Any) -> Any:
    """A value as JSON gives it back: what the recorded answers are compared with."""
    return json.loads(json.dumps(value, default=repr))
