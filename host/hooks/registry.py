"""The central table of hooks."""

from collections.abc import Iterator, Mapping

from host.hooks.dispatch import HookPoint, Strategy
from host.hooks.errors import DuplicateHookError, InvalidSpecError, UnknownHookError
from host.hooks.ordering import Ordering
from host.hooks.payload import Payload
from host.hooks.settings import HookSettings
from host.hooks.spec import HookSpec
from host.hooks.waterfall import waterfall

STRATEGIES: Mapping[str, Strategy] = {"waterfall": waterfall}
"""Ways to combine the results of handlers that are waited for, by the name that a spec gives."""


class HookSpecRegistry:
    """All hooks that there are, by name.

    Args:
        settings: ceilings that a spec's own timeout has to keep, and the owner's orders.
    """

    def __init__(self, settings: HookSettings) -> None:
        self._settings = settings
        self._points: dict[str, HookPoint] = {}

    def register(self, spec: HookSpec) -> None:
        """Add a hook.

        Raises:
            DuplicateHookError: there is one of this name.
            InvalidSpecError: the spec contradicts itself.
        """
        if spec.name in self._points:
            raise DuplicateHookError(spec.name)
        self._check(spec)
        override = self._settings.overrides.get(spec.name)
        ordering = Ordering(spec.family, override.order if override else ())
        payload = Payload(spec.name, spec.payload)
        self._points[spec.name] = HookPoint(spec, payload, STRATEGIES[spec.dispatch], ordering)

    def get(self, name: str) -> HookSpec:
        """The hook of this name.

        Raises:
            UnknownHookError: there is none; it offers the nearest names.
        """
        return self.point(name).spec

    def point(self, name: str) -> HookPoint:
        """The hook of this name with its subscribers. Raises like `get`."""
        point = self._points.get(name)
        if point is None:
            raise UnknownHookError(name, self._points)
        return point

    def find(self, name: str) -> tuple[HookSpec, Payload] | None:
        """The hook of this name and its payload checks; None when there is none."""
        point = self._points.get(name)
        return None if point is None else (point.spec, point.payload)

    def names(self) -> list[str]:
        """All names, sorted."""
        return sorted(self._points)

    def __iter__(self) -> Iterator[HookSpec]:
        return (self._points[name].spec for name in self.names())

    def __contains__(self, name: object) -> bool:
        return name in self._points

    def __len__(self) -> int:
        return len(self._points)

    def _check(self, spec: HookSpec) -> None:
        if not spec.name.strip():
            raise InvalidSpecError(spec.name, "its name is blank")
        if spec.dispatch not in STRATEGIES:
            known = ", ".join(STRATEGIES)
            raise InvalidSpecError(spec.name, f"its dispatch is {spec.dispatch!r}, and allowed are: {known}")
        ceiling = self._settings.max_timeout_ms
        if type(spec.default_timeout_ms) is not int or not 0 <= spec.default_timeout_ms <= ceiling:
            raise InvalidSpecError(
                spec.name, f"its default_timeout_ms is {spec.default_timeout_ms!r}, and allowed is 0 to {ceiling}"
            )
        if not spec.allowed_modes():
            raise InvalidSpecError(spec.name, "it allows neither blocking nor observing handlers")
