"""All APIs of the active plugins: those that are declared, and those that come and go while a plugin runs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from host.capabilities.errors import RefusalError
from host.runtime import Plugin, Plugins, PluginState
from host.runtime.code import PluginCode
from host.runtime.components import Component, Components, component_of

API = "API"
MOST_GONE = 256
"""How many of a plugin's dynamic APIs that are gone are remembered with the reason, the latest."""


@dataclass(frozen=True, slots=True)
class ApiEntry:
    """One API.

    Args:
        component: how it is called.
        dynamic: whether it came while its plugin ran.
        enabled: whether it can be called.
        offline_reason: what callers are told where it cannot, or "".
    """

    component: Component
    dynamic: bool = False
    enabled: bool = True
    offline_reason: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """What sorts it, and tells it from others: plugin id, name, version."""
        return self.component.plugin_id, self.component.name, self.component.version

    def visible_to(self, caller: Plugin) -> bool:
        """Whether a plugin may know of it: it is public, or its own."""
        return self.component.metadata.get("public") is True or self.component.plugin_id == caller.id

    def is_called(self, name: str) -> bool:
        """Whether that is its full name, or its short one."""
        return name in (self.component.name, self.component.full_name)


@dataclass(frozen=True, slots=True)
class _Dynamic:
    """The dynamic APIs of one start of a plugin's code; those of an earlier one count for nothing."""

    code: PluginCode | None
    entries: tuple[ApiEntry, ...]


class ApiTable:
    """Finds APIs.

    Args:
        plugins: whose they are.
    """

    def __init__(self, plugins: Plugins) -> None:
        self._components: Components = plugins.components
        self._dynamic: dict[Plugin, _Dynamic] = {}

    def entries(self) -> list[ApiEntry]:
        """All of them, switched off or on, by plugin id, name and version."""
        declared = self._components.of_type(API, switched_off=True)
        static = [ApiEntry(each) for each in declared if not self._is_replaced(each)]
        found = [*static, *self._running_dynamic()]
        return sorted((self._with_switch(each) for each in found), key=lambda each: each.key)

    def find(self, caller: Plugin, name: str, version: str = "") -> ApiEntry:
        """The API that a plugin means.

        Args:
            caller: who asks.
            name: full or short; ``@version`` may stand after it.
            version: the version that is meant, or "".

        Raises:
            RefusalError: there is none, several would do, it is not public, or it is switched off.
        """
        name, version = _split(name, version)
        named = [each for each in self.entries() if each.is_called(name)]
        meant = [each for each in named if version in ("", each.component.version)]
        visible = [each for each in meant if each.visible_to(caller)]
        callable_ = [each for each in visible if each.enabled]
        shown = f"{name}@{version}" if version else name
        if len(callable_) == 1:
            return callable_[0]
        if callable_:
            raise RefusalError("api_ambiguous", name=shown, found=", ".join(map(_spelled, callable_)))
        if visible:
            reasons = [each.offline_reason for each in visible if each.offline_reason]
            if reasons:
                raise RefusalError("api_offline", name=shown, reason=reasons[0])
            raise RefusalError("api_disabled", name=shown)
        if meant:
            raise RefusalError("api_not_public", name=shown, plugin_id=meant[0].component.plugin_id)
        raise RefusalError("no_such_api", name=shown, known=self._nearest(caller, name))

    def replace_dynamic(self, plugin: Plugin, declared: Sequence[Mapping[str, Any]], reason: str) -> tuple[int, int]:
        """Make these the dynamic APIs of a plugin. Those that are gone stay known as switched off.

        Args:
            plugin: whose.
            declared: as components.
            reason: what callers of those are told that are gone.

        Returns:
            How many there are now, and how many went.

        Raises:
            RefusalError: one is no API, is there twice, or would hide a declared one. Nothing has changed then.
        """
        entries = self._checked(plugin, declared)
        keys = {each.key for each in entries}
        before = self._of(plugin) or tuple(ApiEntry(each, dynamic=True) for each in _declared_dynamic(plugin))
        gone = [replace(each, enabled=False, offline_reason=reason) for each in before if each.key not in keys]
        self._forget()
        self._dynamic[plugin] = _Dynamic(plugin.code, (*entries, *gone[-MOST_GONE:]))
        return len(entries), sum(each.enabled for each in before if each.key not in keys)

    def _checked(self, plugin: Plugin, declared: Sequence[Mapping[str, Any]]) -> list[ApiEntry]:
        static = {each.key for each in map(ApiEntry, _declared(plugin)) if not _is_dynamic(each.component)}
        entries: dict[tuple[str, str, str], ApiEntry] = {}
        for number, each in enumerate(declared):
            name, kind = each.get("name"), each.get("type") or each.get("component_type") or API
            if not isinstance(name, str) or not name.strip():
                raise RefusalError("dynamic_no_name", number=number)
            component = component_of(plugin, {**each, "name": name.strip(), "type": kind})
            if component is None or component.type != API:
                raise RefusalError("dynamic_no_api", name=name, found=repr(kind))
            entry = ApiEntry(component, dynamic=True)
            if entry.key in entries:
                raise RefusalError("dynamic_twice", name=_spelled(entry))
            if entry.key in static:
                raise RefusalError("dynamic_hides", name=_spelled(entry))
            entries[entry.key] = entry
        return list(entries.values())

    def _running_dynamic(self) -> Iterator[ApiEntry]:
        for plugin in self._dynamic:
            if plugin.state is PluginState.ACTIVE:
                yield from self._of(plugin)

    def _of(self, plugin: Plugin) -> tuple[ApiEntry, ...]:
        dynamic = self._dynamic.get(plugin)
        return dynamic.entries if dynamic is not None and dynamic.code is plugin.code else ()

    def _is_replaced(self, component: Component) -> bool:
        """Whether a component was dynamic when its plugin was loaded, and the plugin told which there are since."""
        return _is_dynamic(component) and bool(self._of(component.plugin))

    def _with_switch(self, entry: ApiEntry) -> ApiEntry:
        dynamic = entry.dynamic or _is_dynamic(entry.component)
        enabled = entry.enabled and self._components.is_enabled(entry.component)
        return replace(entry, dynamic=dynamic, enabled=enabled)

    def _nearest(self, caller: Plugin, name: str) -> str:
        visible = [each.component for each in self.entries() if each.visible_to(caller)]
        names = {word: each.full_name for each in visible for word in (each.name, each.full_name)}
        near = dict.fromkeys(names[each] for each in get_close_matches(name, sorted(names), n=3))
        return ", ".join(near or sorted(set(names.values()))[:10]) or "-"

    def _forget(self) -> None:
        """Let go what belongs to plugins that are not running any more."""
        self._dynamic = {plugin: each for plugin, each in self._dynamic.items() if each.code is plugin.code}


def _split(name: str, version: str) -> tuple[str, str]:
    if version or "@" not in name:
        return name, version
    before, _, after = name.rpartition("@")
    return before, after


def _spelled(entry: ApiEntry) -> str:
    return f"{entry.component.full_name}@{entry.component.version}"


def _declared(plugin: Plugin) -> Iterator[Component]:
    for declared in plugin.components:
        component = component_of(plugin, declared)
        if component is not None and component.type == API:
            yield component


def _declared_dynamic(plugin: Plugin) -> Iterator[Component]:
    return (each for each in _declared(plugin) if _is_dynamic(each))


def _is_dynamic(component: Component) -> bool:
    return component.metadata.get("dynamic") is True
