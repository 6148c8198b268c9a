"""The command ``/clear``, which the host keeps for itself: models are told nothing of a chat from before it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from host.bot.command_pattern import CommandPattern
from host.bot.commands import Command, marked_as_command
from host.bot.message import SessionMessage

CLEAR: Final = Command(
    plugin_id="core",
    name="clear",
    pattern=CommandPattern("core.clear", "^/clear$"),
    aliases=(),
    for_operators=True,
    intercepts=True,
    builtin=True,
    component={},
)
"""It comes before those of plugins. For operators; `core.clear` in the settings' disabled commands switches it off."""

_MARK = "context_cleared"


def marked_as_clearing(message: SessionMessage) -> SessionMessage:
    """A message that cleared its chat, as it is stored: what `since_clearing` goes by."""
    marked = marked_as_command(message, 1)
    return replace(marked, additional_config={**marked.additional_config, _MARK: True})


def since_clearing(history: Sequence[SessionMessage]) -> Sequence[SessionMessage]:
    """What was said after the last message that cleared the chat; all of it where none did.

    Args:
        history: one chat, the oldest first.
    """
    marks = (index for index in reversed(range(len(history))) if _clears(history[index]))
    return history[next(marks, -1) + 1 :]


def _clears(message: SessionMessage) -> bool:
    return message.is_command and message.additional_config.get(_MARK) is True
