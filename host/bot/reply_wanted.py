"""A reply that is to be worded, as it travels through its chain."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from host.bot.chat_context import Selection
from host.bot.message import SessionMessage
from host.bot.texts import BOT_TEXTS
from host.hooks.texts import Locale

PLUGIN_OPTIONS = "plugin_options"
"""The argument of the reply tool by which extensions are asked for."""


class ReplyFailedError(Exception):
    """A reply came to nothing.

    Args:
        code: ``reply_empty``, ``reply_no_answer``, ``reply_extension_failed`` or ``reply_stopped``.
        why: what the models or the extension say, who stopped it, or "".
    """

    def __init__(self, code: str, why: str = "") -> None:
        self.code = code
        self.why = why
        super().__init__(self.text())

    def text(self, locale: Locale = "en") -> str:
        """What happened."""
        return BOT_TEXTS.render(self.code, {"why": self.why}, locale)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyWanted:
    """A reply that is to be worded.

    Args:
        target: the message that it answers.
        selected: the part of the chat that the model is told.
        call_id: id of the planner's call of the reply tool.
        reason: why the bot answers.
        reference_info: facts for it, or "".
        extra_prompt: further demands, or "".
        model: the one model that words it; "" for those of the task.
        reply_tool_args: further arguments of the reply tool; they travel through all hooks of the reply.
        extension_prompt: what extensions of the reply tool demand of it, or "".
        expressions: ways of speaking that it may use, each with ``situation``, ``style`` and most often ``id``.
        quote: whether it quotes the target.
    """

    target: SessionMessage
    selected: Selection
    call_id: str = ""
    reason: str = ""
    reference_info: str = ""
    extra_prompt: str = ""
    model: str = ""
    reply_tool_args: Mapping[str, Any] = field(default_factory=dict)
    extension_prompt: str = ""
    expressions: tuple[Mapping[str, Any], ...] = ()
    quote: bool = False

    @property
    def place(self) -> dict[str, Any]:
        """The keys that all payloads of the reply have."""
        return {
            "session_id": self.target.session_id,
            "reply_message_id": self.target.message_id,
            "reply_tool_args": dict(self.reply_tool_args),
        }

    @property
    def expression_ids(self) -> list[int]:
        """The ids of those of its expressions that are stored."""
        return [each["id"] for each in self.expressions if is_id(each.get("id"))]


def is_id(value: object) -> bool:
    """Whether a value is the id of a stored row: a boolean is none."""
    return isinstance(value, int) and not isinstance(value, bool)
