"""Which language a caller reads, by the Accept-Language header (RFC 9110, section 12.5.4)."""

from __future__ import annotations

from typing import Annotated

from fastapi import Header

from host.hooks.texts import Locale


def preferred_locale(accept_language: str) -> Locale:
    """``"zh"`` or ``"en"``, whichever `accept_language` ranks higher; English where it names neither.

    A range counts by its primary subtag (zh-CN, zh-Hant and zh are all Chinese). Equal weights count in the order
    they are written, and parts that are no language range are passed over.
    """
    best: Locale = "en"
    best_weight = 0.0
    for part in accept_language.split(","):
        tag, _, parameter = part.partition(";")
        locale = tag.strip().lower().partition("-")[0]
        weight = _weight(parameter)
        if locale in ("en", "zh") and weight > best_weight:
            best, best_weight = locale, weight
    return best


def _weight(parameter: str) -> float:
    name, _, value = parameter.partition("=")
    if not name.strip():
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0


async def caller_locale(
    accept_language: Annotated[str, Header(description="Language of texts: English or Chinese (zh).")] = "en",
) -> Locale:
    """The caller's locale, as a dependency of a route."""
    return preferred_locale(accept_language)
