"""A named-hook plugin host for chat bots.

    from host import Declaration, Host, HookSpec

Names are loaded when they are first used, so that ``import host.hooks`` alone brings in no bot.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from host.app import Host
    from host.hooks import Declaration, HookResult, Hooks, HookSettings, HookSpec, Source
    from host.settings import Settings

__all__ = ["Declaration", "HookResult", "HookSettings", "HookSpec", "Hooks", "Host", "Settings", "Source"]

_HOMES = {"Host": "host.app", "Settings": "host.settings"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES.get(name, "host.hooks")), name)
