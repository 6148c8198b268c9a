"""Who may call what: what a manifest lists, and nothing else. What was denied is kept, so that it can be shown."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from loguru import logger

from host.capabilities.errors import DeniedError
from host.capabilities.names import right_names
from host.runtime import Plugin

ALWAYS_ALLOWED = frozenset({"api.replace_dynamic"})
"""What a plugin may do unasked: say which of its own APIs there are."""
_MOST_PLUGINS = 1000


@dataclass(frozen=True, slots=True)
class Denial:
    """A plugin called what its manifest does not list.

    Args:
        capability: its name.
        count: how often.
        last_time: when it did so last, in seconds since 1970.
    """

    capability: str
    count: int
    last_time: float


class Grants:
    """Checks calls against manifests.

    Args:
        clock: what time it is, in seconds since 1970.
    """

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        # Of a plugin there can be no more than there are capabilities.
        self._denials: dict[str, dict[str, Denial]] = {}

    def check(self, plugin: Plugin, capability: str) -> None:
        """Let a call pass.

        Args:
            plugin: who calls.
            capability: the right name of one that there is.

        Raises:
            DeniedError: the plugin's manifest does not list it.
        """
        listed = plugin.manifest.capabilities if plugin.manifest else ()
        if capability in ALWAYS_ALLOWED or capability in right_names(listed):
            return
        denied = DeniedError(plugin.id, capability)
        self._note(plugin.id, capability, denied)
        raise denied

    def denials(self) -> Mapping[str, tuple[Denial, ...]]:
        """What was denied since the host began, by plugin id; each in the order of its first time."""
        return {plugin_id: tuple(denials.values()) for plugin_id, denials in self._denials.items()}

    def _note(self, plugin_id: str, capability: str, denied: DeniedError) -> None:
        denials = self._denials.setdefault(plugin_id, {})
        if len(self._denials) > _MOST_PLUGINS:
            del self._denials[next(iter(self._denials))]
        known = denials.get(capability)
        if known is None:
            logger.warning("{}", denied)
            known = Denial(capability, 0, 0.0)
        denials[capability] = replace(known, count=known.count + 1, last_time=self._clock())
