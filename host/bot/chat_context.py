"""What planner and replyer tell their models of a chat: who the bot is, what was said, what was done since."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any

from host.bot.clearing import since_clearing
from host.bot.message import SessionMessage
from host.bot.pictures import pictures_of
from host.bot.plain_text import plain_text
from host.bot.profile import BotProfile
from host.bot.prompt_texts import PROMPT_TEXTS
from host.catalogue.context_items import (
    ITEM_SCHEMA_VERSION,
    STAMP,
    AssistantMessageItem,
    Item,
    ItemMeta,
    SystemMessageItem,
    TextPart,
    UserMessageItem,
    answer_of,
    messages_of_items,
)

_MEANT = {"at": "target_user_id", "reply": "target_message_sender_id"}
"""In segments that mean somebody, the key of whom."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The part of a chat's history that goes into a request.

    Args:
        messages: the oldest first.
        reason: why these, for people.
    """

    messages: tuple[SessionMessage, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class ChatContext:
    """The context of a request in both forms.

    Args:
        items: one form; the other is made of them.
        selected: of which part of the history they were made.
    """

    items: tuple[Item, ...]
    selected: Selection

    def forms(self) -> dict[str, Any]:
        """The keys ``messages``, ``items`` and ``item_schema_version`` of a payload."""
        return {
            "messages": messages_of_items(self.items),
            "items": [item.to_dict() for item in self.items],
            "item_schema_version": ITEM_SCHEMA_VERSION,
        }

    def selection(self) -> dict[str, Any]:
        """The keys of the planner's payloads that tell how the context came about."""
        return {
            "selected_history_count": len(self.selected.messages),
            "built_message_count": len(messages_of_items(self.items)),
            "selection_reason": self.selected.reason,
        }


def answer_forms(items: Sequence[Item]) -> dict[str, Any]:
    """The keys ``output_items``, ``item_schema_version``, ``response`` and ``tool_calls`` of a payload."""
    response, tool_calls = answer_of(items)
    return {
        "output_items": [item.to_dict() for item in items],
        "item_schema_version": ITEM_SCHEMA_VERSION,
        "response": response,
        "tool_calls": tool_calls,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextBuilder:
    """Makes contexts for one bot.

    Args:
        profile: who the bot is; its locale is the language of the lines.
        zone: in which times are told; None is the machine's.
    """

    profile: BotProfile
    zone: tzinfo | None = None

    def select(self, history: Sequence[SessionMessage], limit: int) -> Selection:
        """The latest messages since the chat was cleared. Commands that ended their turn are no talk, and left out.

        Args:
            history: one chat, the oldest first.
            limit: how many at most.
        """
        talk = [message for message in since_clearing(history) if not ended_by_command(message)]
        chosen = talk[max(len(talk) - limit, 0) :]
        fields = {"count": len(chosen), "total": len(history)}
        return Selection(tuple(chosen), PROMPT_TEXTS.render("selected", fields, self.profile.locale))

    def build(
        self,
        system_prompt: str,
        selected: Selection,
        *,
        now: float,
        since: Sequence[Item] = (),
        closing: str = "",
        max_pictures: int = 0,
    ) -> ChatContext:
        """The context of one request.

        What people said becomes a user's message each, with name, ids and time; what the bot said one after another an
        assistant's message, without. Pictures are placeholders in the text; of those whose bytes are at hand the latest
        are added themselves.

        Args:
            system_prompt: what the model is told to be; "" for nothing.
            selected: the part of the history to tell.
            now: what time it is, in seconds since 1970; what nobody said is of then.
            since: what the model did in this turn, with what came of it.
            closing: a last word of the host, such as the task; "" for none.
            max_pictures: how many pictures at most; 0 for a model that takes none.
        """
        items: list[Item] = []
        if system_prompt:
            items.append(SystemMessageItem(meta=self._meta("system", now), parts=(TextPart(system_prompt),)))
        items += self._talk(selected.messages, max_pictures)
        items += since
        if closing:
            items.append(UserMessageItem(meta=self._meta("closing", now), parts=(TextPart(closing),)))
        return ChatContext(tuple(items), selected)

    def told(self, texts: Sequence[str]) -> list[Item]:
        """What nobody in the chat said, as what follows the history of a request: a user's message each."""
        return [UserMessageItem(meta=STAMP.meta(""), parts=(TextPart(text),)) for text in texts]

    def heard_meanwhile(self, messages: Sequence[SessionMessage]) -> list[Item]:
        """What was said after the history of a request was selected, as what follows it.

        Args:
            messages: in the order in which they came in.
        """
        when = [
            datetime.fromtimestamp(message.timestamp, self.zone).isoformat(timespec="seconds") for message in messages
        ]
        return [
            UserMessageItem(meta=ItemMeta(STAMP.new_id(), None, said), parts=(TextPart(self._line(message)),))
            for message, said in zip(messages, when, strict=True)
        ]

    def who(self, message: SessionMessage) -> str:
        """Who the bot is, and where: the beginning of what a model is told to be.

        Args:
            message: one of the chat.
        """
        profile, group = self.profile, message.group_info
        aliases = "".join(
            PROMPT_TEXTS.render("also_called", {"name": alias}, profile.locale) for alias in profile.aliases
        )
        code = "who_in_group" if group else "who_in_private"
        fields = {"name": profile.nickname, "aliases": aliases, "group": group.group_name if group else ""}
        who = PROMPT_TEXTS.render(code, fields, profile.locale)
        return f"{who}\n{profile.personality}" if profile.personality else who

    def transcript(self, messages: Sequence[SessionMessage]) -> str:
        """The chat as text, a line for each message: ``chat_info`` of the expression hooks."""
        return "\n".join(self._line(message) for message in messages)

    def history_rows(self, messages: Sequence[SessionMessage], limit: int = 10) -> list[dict[str, Any]]:
        """The last messages as ``chat_history`` of the expression hooks has them.

        Args:
            messages: the oldest first.
            limit: how many at most.
        """
        return [
            {
                "role": "assistant" if self.is_own(message) else "user",
                "text": self._text(message),
                "timestamp": self._time(message).isoformat(timespec="seconds"),
                "source_kind": "bot" if self.is_own(message) else "user",
            }
            for message in messages[max(len(messages) - limit, 0) :]
        ]

    def is_own(self, message: SessionMessage) -> bool:
        """Whether the bot said it."""
        return message.user_info.user_id == (message.account_id or self.profile.account_id)

    def is_to_bot(self, message: SessionMessage) -> bool:
        """Whether it says that it is meant for the bot: by the platform's word, by an @, or as a reply to the bot."""
        own = message.account_id or self.profile.account_id
        meant = (each["data"].get(_MEANT[each["type"]]) for each in message.raw_message if each["type"] in _MEANT)
        return message.is_at or message.is_mentioned or own in meant

    def _talk(self, messages: Sequence[SessionMessage], max_pictures: int) -> list[Item]:
        shown = _with_pictures(messages, max_pictures)
        items: list[Item] = []
        taken: set[str] = set()
        for index, message in enumerate(messages):
            own = self.is_own(message)
            if own and not (said := self._text(message).strip()):
                continue
            meta = self._meta(_fresh_id(message.message_id, taken), message.timestamp)
            last = items[-1] if items else None
            if not own:
                pictures = pictures_of(message) if index in shown else ()
                items.append(UserMessageItem(meta=meta, parts=(TextPart(self._line(message)), *pictures)))
            elif isinstance(last, AssistantMessageItem):
                # Adjacent ones would be one message anyway, with nothing between them.
                parts = (*last.parts, TextPart(f"\n{said}"))
                items[-1] = AssistantMessageItem(meta=last.meta, parts=parts)
            else:
                items.append(AssistantMessageItem(meta=meta, parts=(TextPart(said),)))
        return items

    def _line(self, message: SessionMessage) -> str:
        code = "notice" if message.is_notify else "said" if self.is_own(message) else "heard"
        if code == "heard" and message.group_info is not None and self.is_to_bot(message):
            code = "heard_by_bot"
        fields = {
            "time": f"{self._time(message):%Y-%m-%d %H:%M}",
            "name": _on_one_line(message.user_info.shown_name),
            "user_id": _on_one_line(message.user_info.user_id),
            "message_id": _on_one_line(message.message_id),
            # Indented, so that no text can look like the next line of the chat.
            "text": "\n  ".join(self._text(message).splitlines()),
        }
        return PROMPT_TEXTS.render(code, fields, self.profile.locale)

    def _text(self, message: SessionMessage) -> str:
        return message.text or plain_text(message.raw_message, self.profile.locale)

    def _time(self, message: SessionMessage) -> datetime:
        return datetime.fromtimestamp(message.timestamp, self.zone)

    def _meta(self, item_id: str, seconds: float) -> ItemMeta:
        return ItemMeta(item_id, None, datetime.fromtimestamp(seconds, self.zone).isoformat(timespec="seconds"))


def ended_by_command(message: SessionMessage) -> bool:
    """Whether a message called a command which ended its turn."""
    return message.is_command and bool(message.additional_config.get("intercept_message_level"))


def _with_pictures(messages: Sequence[SessionMessage], limit: int) -> set[int]:
    """Which messages show their pictures: the latest that together have no more than `limit`."""
    shown: set[int] = set()
    for index in reversed(range(len(messages))):
        limit -= len(pictures_of(messages[index]))
        if limit < 0:
            break
        shown.add(index)
    return shown


def _fresh_id(message_id: str, taken: set[str]) -> str:
    """An item id that shows the message; platforms do repeat theirs."""
    item_id = f"message:{message_id}"
    number = 1
    while item_id in taken:
        number += 1
        item_id = f"message:{message_id}#{number}"
    taken.add(item_id)
    return item_id


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
