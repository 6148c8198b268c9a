"""By which names capabilities go: their own, and those that authors take from the methods of ``ctx``."""

from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache

from host.runtime.manifests.capability_names import CAPABILITY_NAMES

_METHODS = {
    "api.replace_dynamic_apis": "api.replace_dynamic",
    "component.disable_component": "component.disable",
    "component.enable_component": "component.enable",
    "disable_component": "component.disable",
    "emoji.delete_emoji": "emoji.delete",
    "emoji.register_emoji": "emoji.register",
    "enable_component": "component.enable",
    "maisaka.append_context": "maisaka.context.append",
    "maisaka.trigger_proactive": "maisaka.proactive.trigger",
}

ALIASES = _METHODS | {
    f"db.{name.removeprefix('database.')}": name for name in CAPABILITY_NAMES if name.startswith("database.")
}
"""Names of methods of ``ctx`` that differ from what these ask for, and the right name."""


def right_name(name: str) -> str:
    """The name of the capability that is meant; `name` itself where it is none."""
    stripped = name.strip()
    return ALIASES.get(stripped, stripped)


def nearest(name: str) -> str:
    """The capability whose name is most like an unknown one, or ""."""
    known = {each: each for each in CAPABILITY_NAMES} | ALIASES
    found = get_close_matches(name.strip().lower(), sorted(known), n=1)
    return known[found[0]] if found else ""


@lru_cache(maxsize=256)
def right_names(names: Iterable[str]) -> frozenset[str]:
    """The right names of what a manifest lists."""
    return frozenset(map(right_name, names))
