"""The components of all active plugins, but for hook handlers, which the kernel has: found by type, called by whoever
runs the bot."""

import asyncio
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any

from msgspec import Struct

from host.hooks import Source
from host.runtime.invoking import Called, Invoked
from host.runtime.state import Plugin
from maibot_sdk.types import ComponentType

DEFAULT_TIMEOUT_MS = 60_000
LLM_PROVIDER = "LLM_PROVIDER"
"""The type under which providers of models stand among the components; the SDK has none for them."""
_ELSEWHERE = frozenset({ComponentType.HOOK_HANDLER.value, "WORKFLOW_STEP", ComponentType.HOME_CARD.value})


class ComponentGoneError(Exception):
    """A component was called whose plugin is not running.

    Args:
        component: which.
        why: what became of it, one line.
    """

    def __init__(self, component: "Component", why: str) -> None:
        self.component = component
        super().__init__(f"{component.plugin_id}/{component.name}: {why}")


class ComponentTimeoutError(ComponentGoneError):
    """A component did not end within its deadline, and was cancelled."""


class Component(Struct, frozen=True, eq=False):
    """One component of an active plugin.

    Args:
        plugin: whose it is.
        type: in upper case.
        name: unique among the plugin's components of this type.
        metadata: what its author declared; free keywords of older SDKs are lifted up, and where it is to be had stands
            in it too.
        timeout_ms: how long a call may take.
    """

    plugin: Plugin
    type: str
    name: str
    metadata: Mapping[str, Any]
    timeout_ms: int = DEFAULT_TIMEOUT_MS

    @property
    def plugin_id(self) -> str:
        """The id of its plugin."""
        return self.plugin.id

    @property
    def full_name(self) -> str:
        """How authors write it: the id of its plugin, a dot, its name."""
        return f"{self.plugin.id}.{self.name}"

    @property
    def version(self) -> str:
        """The version of an API; "1" where it says none."""
        return str(self.metadata.get("version") or "1")

    @property
    def declared_enabled(self) -> bool:
        """Whether its author has it switched on."""
        return self.metadata.get("enabled", True) is not False

    async def invoke(self, arguments: Mapping[str, Any], *, timeout_ms: int | None = None) -> Invoked:
        """Call its handler with keyword arguments.

        Args:
            arguments: made of the types that may be in a payload.
            timeout_ms: how long it may take; what is declared when None.

        Returns:
            What it returned, or the text of what it raised.

        Raises:
            ComponentGoneError: its plugin is not running, or its process ended meanwhile.
            ComponentTimeoutError: it did not end in time.
        """
        seconds = (timeout_ms or self.timeout_ms) / 1000
        code = self.plugin.code
        if code is None:
            raise ComponentGoneError(self, "its plugin is not running")
        called = Called(self.name, str(self.metadata.get("handler_name") or ""))
        deadline = asyncio.timeout(seconds)
        try:
            async with deadline:
                return await code.invoke(called, arguments, monotonic() + seconds)
        except TimeoutError:
            raise ComponentTimeoutError(self, f"it ran longer than {seconds:g} s") from None


class Components:
    """The components of all active plugins. Each can be switched off and on; that lasts as long as the host does."""

    def __init__(self) -> None:
        self._of: dict[Plugin, tuple[Component, ...]] = {}
        self._found: dict[tuple[str, ...], list[Component]] = {}
        self._switched: dict[tuple[str, str, str, str], bool] = {}
        self._watching: list[Callable[[], None]] = []

    def watch(self, follow: Callable[[], None]) -> None:
        """Call `follow` whenever components have come or gone."""
        self._watching.append(follow)

    def add(self, plugin: Plugin) -> None:
        """Take in what a plugin declares, which is active from now on."""
        self._of[plugin] = tuple(filter(None, (component_of(plugin, each) for each in plugin.components)))
        self._changed()

    def remove(self, plugin: Plugin) -> None:
        """Take a plugin's components out."""
        if self._of.pop(plugin, None):
            self._changed()

    def of_type(self, *types: str, switched_off: bool = False) -> list[Component]:
        """The components of some types: those of bundled plugins first, then in the order of their plugins' loading and
        of their declarations.

        Args:
            types: in upper case.
            switched_off: with those that are switched off.
        """
        found = self._found.get(types)
        if found is None:
            of_types = [each for components in self._of.values() for each in components if each.type in types]
            found = self._found[types] = sorted(of_types, key=lambda each: each.plugin.source is not Source.BUILTIN)
        return [each for each in found if switched_off or self.is_enabled(each)]

    def _changed(self) -> None:
        self._found.clear()
        for follow in self._watching:
            follow()

    def is_enabled(self, component: Component) -> bool:
        """Whether it is switched on: as it was switched last, else as its author has it."""
        return self._switched.get(_identity(component), component.declared_enabled)

    def switch(self, component: Component, *, on: bool) -> None:
        """Switch a component on or off, and every later load of it."""
        self._switched[_identity(component)] = on


def _identity(component: Component) -> tuple[str, str, str, str]:
    return component.plugin_id, component.type, component.name, component.version


def component_of(plugin: Plugin, declared: Mapping[str, Any]) -> Component | None:
    """One component as it is declared; None for hook handlers, and for what is no component."""
    kind, name, metadata = declared.get("type"), declared.get("name"), declared.get("metadata")
    kind = getattr(kind, "value", kind)
    if not isinstance(kind, str) or not isinstance(name, str) or not name or kind.upper() in _ELSEWHERE:
        return None
    own = dict(metadata) if isinstance(metadata, Mapping) else {}
    nested = own.get("metadata")
    beside = {key: declared[key] for key in ("chat_scope", "allowed_session") if key in declared}
    merged = {**nested, **own, **beside} if isinstance(nested, Mapping) else own | beside
    timeout = merged.get("timeout_ms")
    timeout_ms = timeout if type(timeout) is int and timeout > 0 else DEFAULT_TIMEOUT_MS
    return Component(plugin, kind.upper(), name, merged, timeout_ms)
