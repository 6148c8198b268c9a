"""Plugins of this family: from an entry point, a module, an instance or a factory to implementations in the table."""

import importlib.metadata
import inspect
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from loguru import logger

from host.bub.catalogue import HOOKS
from host.bub.errors import PluginValidationError
from host.bub.family import run_order
from host.bub.marks import marked
from host.bub.texts import BUB_TEXTS
from host.hooks import Anatomy, Implementation, LiveTable, examine, picker
from host.hooks.problems import nearest
from maibot_sdk.types import HookOrder

GROUP = "bub"
"""The entry points that are loaded."""


@dataclass(frozen=True, slots=True)
class PluginStatus:
    """Whether a plugin came in, and if not, why."""

    is_success: bool
    detail: str | None = None


class Plugins:
    """All plugins of one framework.

    Attributes:
        table: their implementations in run order.
        statuses: what became of each, by name.
    """

    def __init__(self) -> None:
        self.table = LiveTable(run_order)
        self.statuses: dict[str, PluginStatus] = {}
        self._plugins: dict[str, object] = {}
        self._numbers = itertools.count()
        self._sequence = itertools.count()

    def register(self, plugin: object, name: str) -> None:
        """Check a plugin whole, and only then put it in.

        Raises:
            PluginValidationError: with everything that is wrong; nothing of it is in.
        """
        problems: list[tuple[str, Mapping[str, Any]]] = []
        if name in self._plugins:
            problems.append(("name_taken", {"plugin": name}))
        problems += [("twice", {"other": other}) for other, each in self._plugins.items() if each is plugin]
        number = next(self._numbers)
        found: list[Implementation] = []
        for attribute, function, options in marked(plugin):
            anatomy = examine(function)
            hook = options.get("specname") or attribute
            place = f"{anatomy.file}:{anatomy.line}"
            problem = _problem(attribute, hook, place, anatomy, options)
            if problem is not None:
                problems.append(problem)
            elif hook in HOOKS:
                found.append(self._implementation(name, number, attribute, hook, function, anatomy, options))
            elif not options.get("optionalhook"):
                fields = {"place": place, "name": attribute, "hook": hook, **nearest(hook, HOOKS)}
                logger.warning("Plugin {}: {}", name, BUB_TEXTS.render("unknown_hook", fields))
        if problems:
            raise PluginValidationError(name, problems)
        self._plugins[name] = plugin
        self.table.put(found)

    def unregister(self, name: str) -> None:
        """Take a plugin out. Raises KeyError when there is none of this name."""
        del self._plugins[name]
        self.table.take_out(name)

    def load(self, framework: object, entry_points: Iterable[Any] | None = None) -> None:
        """Register what the entry points give; one that fails leaves the others.

        Args:
            framework: what a class or a factory is called with.
            entry_points: the installed ones of the group `GROUP`, unless others are given.
        """
        loaded: list[tuple[str, Any]] = []
        for each in importlib.metadata.entry_points(group=GROUP) if entry_points is None else entry_points:
            with self._telling(each.name, "load"):
                loaded.append((each.name, each.load()))
        for name, plugin in loaded:
            with self._telling(name, "initialize"):
                self.register(plugin(framework) if callable(plugin) else plugin, name)
                self.statuses[name] = PluginStatus(is_success=True)

    def in_order(self) -> list[tuple[str, object]]:
        """Name and plugin, as they were registered."""
        return list(self._plugins.items())

    def report(self) -> dict[str, list[str]]:
        """The plugins that implement each hook, in run order."""
        return {hook: [each.plugin for each in self.table.of(hook)] for hook in self.table.hooks()}

    @contextmanager
    def _telling(self, name: str, step: str) -> Iterator[None]:
        """A border: what a plugin raises while it comes in is told, and keeps nobody else out."""
        try:
            yield
        except Exception as error:
            logger.warning("Failed to {} plugin {!r}: {}", step, name, error)
            self.statuses[name] = PluginStatus(is_success=False, detail=str(error))

    def _implementation(
        self,
        plugin: str,
        number: int,
        attribute: str,
        hook: str,
        function: Callable[..., Any],
        anatomy: Anatomy,
        options: Mapping[str, Any],
    ) -> Implementation:
        passed = HOOKS[hook].parameters
        parameters = tuple(name for name in _required(function) if name in passed)
        slot = HookOrder.EARLY if options.get("tryfirst") else HookOrder.NORMAL
        return Implementation(
            hook=hook,
            plugin=plugin,
            name=attribute,
            function=function,
            parameters=parameters,
            pick=picker(parameters),
            slot=HookOrder.LATE if options.get("trylast") else slot,
            number=number,
            sequence=next(self._sequence),
            file=anatomy.file,
            line=anatomy.line,
        )


def _required(function: Callable[..., Any]) -> tuple[str, ...]:
    """The positional parameters without a default: all that an implementation is given."""
    return tuple(
        name
        for name, each in inspect.signature(function).parameters.items()
        if each.kind is each.POSITIONAL_OR_KEYWORD and each.default is each.empty
    )


def _problem(
    attribute: str, hook: str, place: str, anatomy: Anatomy, options: Mapping[str, Any]
) -> tuple[str, Mapping[str, Any]] | None:
    if options.get("wrapper") or options.get("hookwrapper"):
        return "wrapper", {"place": place, "name": attribute}
    if hook not in HOOKS:
        return None
    passed = HOOKS[hook].parameters
    unknown = [name for name in (*anatomy.positional_only, *anatomy.required) if name not in passed]
    if not unknown:
        return None
    found = {"parameters": ", ".join(unknown), "allowed": ", ".join(passed) or "-"}
    return "unknown_parameters", {"place": place, "name": attribute, "hook": hook, **found}
