"""Implementations that get the very objects of whoever fires the hook: no copy, no deadline, no border of a process."""

from collections.abc import Callable, Mapping
from operator import itemgetter
from typing import Any

from msgspec import Struct

from maibot_sdk.types import HookOrder


class Implementation(Struct, frozen=True, kw_only=True, eq=False):
    """One implementation of one live hook, checked and ready to be called.

    Args:
        hook: the hook that it implements.
        plugin: the name of the plugin that it belongs to.
        name: the function's name in the plugin.
        function: what to call.
        parameters: the names that it is given, in the order in which it takes them.
        pick: takes the values of `parameters` out of the arguments of a call; KeyError where one is missing.
        slot: before, among or behind the plain ones.
        number: the how manieth plugin it came with.
        sequence: the how manieth implementation it was to be registered.
        file: where it is written, or "".
        line: the line where it begins, or 0.
    """

    hook: str
    plugin: str
    name: str
    function: Callable[..., Any]
    parameters: tuple[str, ...]
    pick: Callable[[Mapping[str, Any]], tuple[Any, ...]]
    slot: HookOrder
    number: int
    sequence: int
    file: str = ""
    line: int = 0


def picker(parameters: tuple[str, ...]) -> Callable[[Mapping[str, Any]], tuple[Any, ...]]:
    """What takes the values of `parameters` out of a mapping, as one tuple."""
    if len(parameters) > 1:
        return itemgetter(*parameters)
    if not parameters:
        return lambda arguments: ()
    (name,) = parameters
    return lambda arguments: (arguments[name],)


class LiveTable:
    """Per hook an immutable tuple in run order. Sorting happens when a plugin comes or goes, never while running.

    Args:
        sort_key: the family's order.
    """

    def __init__(self, sort_key: Callable[[Implementation], tuple[Any, ...]]) -> None:
        self._sort_key = sort_key
        self._of: dict[str, tuple[Implementation, ...]] = {}

    def of(self, hook: str) -> tuple[Implementation, ...]:
        """The implementations of a hook, the one that runs first at the front."""
        return self._of.get(hook, ())

    def put(self, implementations: list[Implementation]) -> None:
        """Add a plugin's implementations. What runs already keeps the tuple that it started with."""
        for hook in {each.hook for each in implementations}:
            both = [*self.of(hook), *(each for each in implementations if each.hook == hook)]
            self._of[hook] = tuple(sorted(both, key=self._sort_key))

    def take_out(self, plugin: str) -> None:
        """Take out all implementations of a plugin."""
        for hook, implementations in self._of.items():
            self._of[hook] = tuple(each for each in implementations if each.plugin != plugin)

    def hooks(self) -> list[str]:
        """The hooks that somebody implements, sorted."""
        return sorted(hook for hook, implementations in self._of.items() if implementations)
