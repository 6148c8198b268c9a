"""Which language a person reads."""

import os
from collections.abc import Mapping

from host.hooks.texts import Locale

_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


def choose_locale(wanted: str, environment: Mapping[str, str] = os.environ) -> Locale:
    """``"en"`` or ``"zh"``: what was asked for, else what the environment says, by the rules of gettext.

    Args:
        wanted: ``"en"``, ``"zh"`` or ``"auto"``.
        environment: where ``LANGUAGE``, ``LC_ALL``, ``LC_MESSAGES`` and ``LANG`` are looked up, the first that is set.
    """
    if wanted != "auto":
        return wanted
    spoken = next((value for name in _VARIABLES if (value := environment.get(name))), "")
    return "zh" if spoken.lower().startswith("zh") else "en"
