"""What a hook is, before anybody subscribes to it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from host.hooks.family import MAIBOT, Family
from maibot_sdk.types import HookMode

Reconcile = Callable[[Mapping[str, Any], Mapping[str, Any]], Mapping[str, Any]]
"""``(payload before the handler, payload after it) -> keys to change on top``; keeps two forms of one thing in step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HookSpec:
    """One named hook: what it carries and what may be done in it.

    Args:
        name: as it is fired and subscribed to, like ``"chat.receive.before_process"``.
        payload: a ``TypedDict`` class (from ``typing_extensions``); its annotations are the checks and the JSON schema.
        description: when it fires and what may be done, in English.
        translations: the description in other languages, by locale (``{"zh": ...}``).
        allow_blocking: handlers may be waited for.
        allow_observe: handlers may run beside, in the background.
        allow_abort: a handler may end the dispatch.
        allow_kwargs_mutation: a handler may change the payload.
        default_timeout_ms: deadline of a handler that declares none, in milliseconds; 0 is the host's default.
        family: the rules that it shares with its kind.
        dispatch: the strategy that combines the results of the handlers that are waited for.
        reconcile: called after each handler that changed something, before the next one runs.
    """

    name: str
    payload: type[Any]
    description: str = ""
    translations: Mapping[str, str] = field(default_factory=dict)
    allow_blocking: bool = True
    allow_observe: bool = True
    allow_abort: bool = True
    allow_kwargs_mutation: bool = True
    default_timeout_ms: int = 0
    family: Family = MAIBOT
    dispatch: str = "waterfall"
    reconcile: Reconcile | None = None

    def allowed_modes(self) -> tuple[HookMode, ...]:
        """The modes that a handler may declare, blocking first."""
        flags = ((HookMode.BLOCKING, self.allow_blocking), (HookMode.OBSERVE, self.allow_observe))
        return tuple(mode for mode, allowed in flags if allowed)

    def describe(self, locale: str = "en") -> str:
        """The description in the given language, else in English."""
        return self.translations.get("zh" if locale.lower().startswith("zh") else locale, self.description)
