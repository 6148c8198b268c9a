"""Who may call what: what a manifest lists, and the owner did not take away. What was called and denied is counted."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from loguru import logger

from host.capabilities.errors import DeniedError, RevokedError
from host.capabilities.names import right_names
from host.capabilities.revocations import REVOCATIONS_FILE, Revocations
from host.runtime import Plugin

ALWAYS_ALLOWED = frozenset({"api.replace_dynamic"})
"""What a plugin may do unasked: say which of its own APIs there are."""
_MOST_PLUGINS = 1000
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Denial:
    """A plugin called what it may not.

    Args:
        capability: its name.
        count: how often.
        last_time: when it did so last, in seconds since 1970.
    """

    capability: str
    count: int
    last_time: float


@dataclass(frozen=True, slots=True)
class Use:
    """A plugin called what it may.

    Args:
        capability: its name.
        count: how often.
        last_time: when it did so last, in seconds since 1970.
    """

    capability: str
    count: int
    last_time: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """How a plugin stands with one capability.

    Args:
        capability: its name.
        listed: whether the manifest lists it.
        revoked: whether the owner took it away.
        uses: how often it was called since the host began.
        denials: how often that was denied.
    """

    capability: str
    listed: bool
    revoked: bool
    uses: int = 0
    denials: int = 0


class Grants:
    """Checks calls against manifests and what the owner took away.

    Args:
        clock: what time it is, in seconds since 1970.
        revocations: what was taken away; nothing by default.
    """

    def __init__(self, clock: Callable[[], float] = time.time, revocations: Revocations | None = None) -> None:
        self._clock = clock
        self.revocations = revocations or Revocations(Path(REVOCATIONS_FILE))
        # Of a plugin there can be no more than there are capabilities.
        self._denials: dict[str, dict[str, Denial]] = {}
        self._uses: dict[str, dict[str, Use]] = {}

    def check(self, plugin: Plugin, capability: str) -> None:
        """Let a call pass, and count it.

        Args:
            plugin: who calls.
            capability: the right name of one that there is.

        Raises:
            DeniedError: the plugin's manifest does not list it.
            RevokedError: the owner took it away.
        """
        if capability not in ALWAYS_ALLOWED and capability not in _listed(plugin):
            denied: DeniedError | RevokedError = DeniedError(plugin.id, capability)
        elif capability in self.revocations.of(plugin.id):
            denied = RevokedError(plugin.id, capability)
        else:
            used = _of_plugin(self._uses, plugin.id)
            known = used.get(capability, Use(capability, 0, 0.0))
            used[capability] = replace(known, count=known.count + 1, last_time=self._clock())
            return
        self._note(plugin.id, capability, denied)
        raise denied

    def of(self, plugin: Plugin) -> tuple[Grant, ...]:
        """How a plugin stands with each capability that its manifest lists or that it called, by name."""
        return standing(plugin, self.revocations, self._uses.get(plugin.id, {}), self._denials.get(plugin.id, {}))

    def denials(self) -> Mapping[str, tuple[Denial, ...]]:
        """What was denied since the host began, by plugin id; each in the order of its first time."""
        return {plugin_id: tuple(denials.values()) for plugin_id, denials in self._denials.items()}

    def _note(self, plugin_id: str, capability: str, denied: DeniedError | RevokedError) -> None:
        denials = _of_plugin(self._denials, plugin_id)
        known = denials.get(capability)
        if known is None:
            logger.warning("{}", denied)
            known = Denial(capability, 0, 0.0)
        denials[capability] = replace(known, count=known.count + 1, last_time=self._clock())


def standing(
    plugin: Plugin,
    revocations: Revocations,
    uses: Mapping[str, Use] | None = None,
    denials: Mapping[str, Denial] | None = None,
) -> tuple[Grant, ...]:
    """How a plugin stands with each capability that its manifest lists or that it called, by name.

    Args:
        plugin: the plugin; it need not run.
        revocations: what was taken away.
        uses: what it called, by name.
        denials: what it was denied, by name.
    """
    uses, denials = uses or {}, denials or {}
    listed, revoked = _listed(plugin), revocations.of(plugin.id)
    return tuple(
        Grant(
            capability=name,
            listed=name in listed,
            revoked=name in revoked,
            uses=uses[name].count if name in uses else 0,
            denials=denials[name].count if name in denials else 0,
        )
        for name in sorted({*listed, *revoked, *uses, *denials})
    )


def _listed(plugin: Plugin) -> frozenset[str]:
    return right_names(plugin.manifest.capabilities) if plugin.manifest else frozenset()


def _of_plugin(counts: dict[str, dict[str, T]], plugin_id: str) -> dict[str, T]:
    """What is counted of a plugin; the one that was first counted longest ago makes room."""
    found = counts.setdefault(plugin_id, {})
    if len(counts) > _MOST_PLUGINS:
        del counts[next(iter(counts))]
    return found
