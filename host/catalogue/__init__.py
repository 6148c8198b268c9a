"""The built-in hooks: data for the kernel, a module for each chain. The payload types stand in `maibot_sdk.hooks`."""

from host.catalogue.chat import CHAT_HOOKS
from host.catalogue.command import COMMAND_HOOKS
from host.catalogue.emoji import EMOJI_HOOKS
from host.catalogue.expression import EXPRESSION_HOOKS
from host.catalogue.jargon import JARGON_HOOKS
from host.catalogue.planner import PLANNER_HOOKS
from host.catalogue.replyer import REPLYER_HOOKS
from host.catalogue.send import SEND_HOOKS
from host.hooks import HookSpec

BUILTIN_HOOKS: tuple[HookSpec, ...] = tuple(
    sorted(
        (
            *CHAT_HOOKS,
            *COMMAND_HOOKS,
            *EMOJI_HOOKS,
            *EXPRESSION_HOOKS,
            *JARGON_HOOKS,
            *PLANNER_HOOKS,
            *REPLYER_HOOKS,
            *SEND_HOOKS,
        ),
        key=lambda spec: spec.name,
    )
)
"""Every hook that the bot fires, sorted by name."""

__all__ = ["BUILTIN_HOOKS"]
