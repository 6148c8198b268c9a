"""The rows of the database.

Columns are named as plugins know them, see the guide's `ctx.db`. A row that was read is a plain record: it is tied to
no connection, and changing it changes nothing.
"""

from enum import Enum
from typing import Any, ClassVar

from sqlalchemy import Double, Index, text
from sqlalchemy import Enum as EnumColumn
from sqlalchemy.orm import DeclarativeBase, Mapped, MappedAsDataclass, mapped_column
from sqlalchemy.types import TypeEngine

from host.storage.columns import Json, Number, Seconds, Words

Segment = dict[str, Any]
"""A piece of a message: ``{"type": ..., "data": ...}`` and what else its type has."""


class Direction(str, Enum):
    """Which way a message went."""

    IN = "in"
    """Somebody wrote it to a chat that the bot reads."""
    OUT = "out"
    """The bot said it."""


class Handling(str, Enum):
    """What became of a message. `RECEIVED` and `TAKEN_UP` are open: the bot still owes it something."""

    RECEIVED = "received"
    TAKEN_UP = "taken_up"
    """The program ended before it was done, and a later start took it up."""
    ANSWERED = "answered"
    IGNORED = "ignored"
    """The bot had nothing to say."""
    STOPPED = "stopped"
    """A plugin stopped it."""
    GIVEN_UP = "given_up"
    """The program ended twice before it was done."""
    KEPT = "kept"
    """Nothing was owed, such as for what the bot said itself."""


class EmojiState(str, Enum):
    """What became of a picture that was to be an emoji."""

    REGISTERED = "registered"
    """It is in the library."""
    REMOVED = "removed"
    """It was, and made room or was deleted."""
    REFUSED = "refused"
    """It is not to be in it."""


IS_OPEN = text("handling IN ('received', 'taken_up')")
"""Whether a message is open. In queries it stands in these very words, by which SQLite finds the index."""


def _words_of(kind: type[Enum]) -> EnumColumn:
    return EnumColumn(
        kind, native_enum=False, length=16, values_callable=lambda members: [each.value for each in members]
    )


class Row(MappedAsDataclass, DeclarativeBase, kw_only=True, eq=False):
    """What all rows have in common."""

    type_annotation_map: ClassVar[dict[Any, TypeEngine[Any]]] = {
        str: Words(),
        int: Number,
        float: Double(),
        Direction: _words_of(Direction),
        Handling: _words_of(Handling),
        EmojiState: _words_of(EmojiState),
    }

    def stored(self, *, without: frozenset[str] = frozenset({"id"})) -> dict[str, Any]:
        """The values of its columns, by name.

        Args:
            without: the columns to leave out; by default the number, which the database gives.
        """
        names: list[str] = self.__table__.columns.keys()
        return {name: getattr(self, name) for name in names if name not in without}


class Message(Row, kw_only=True, eq=False):
    """A message of a chat.

    Attributes:
        id: its number, in the order in which messages came; given when it is stored.
        message_id: the platform's id. Not unique: platforms use one for all their notices.
        timestamp: when it was said.
        received_at: when it came in, or None.
        session_id: the chat.
        direction: who it is from.
        handling: what became of it.
        raw_message: its segments, without the bytes of pictures and recordings.
        raw_with_bytes: its segments with these, while it is open and where it has any. Only `Messages.take_up` reads
            it, and puts it in `raw_message`.
        additional_config: the platform's routing data.
    """

    __tablename__ = "messages"
    __table_args__ = (
        Index("messages_of_session", "session_id", "timestamp", "id"),
        Index("messages_by_time", "timestamp", "id"),
        Index("messages_of_user", "user_id", "timestamp", "id"),
        Index("messages_by_message_id", "message_id"),
        Index("messages_open", "id", sqlite_where=IS_OPEN, postgresql_where=IS_OPEN),
    )

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False, default=0)
    message_id: Mapped[str]
    timestamp: Mapped[Seconds]
    received_at: Mapped[Seconds | None] = mapped_column(default=None)
    platform: Mapped[str]
    account_id: Mapped[str | None] = mapped_column(default=None)
    scope: Mapped[str | None] = mapped_column(default=None)
    session_id: Mapped[str]
    user_id: Mapped[str]
    user_nickname: Mapped[str]
    user_cardname: Mapped[str | None] = mapped_column(default=None)
    group_id: Mapped[str | None] = mapped_column(default=None)
    group_name: Mapped[str | None] = mapped_column(default=None)
    direction: Mapped[Direction]
    handling: Mapped[Handling]
    is_mentioned: Mapped[bool] = mapped_column(default=False)
    is_at: Mapped[bool] = mapped_column(default=False)
    is_emoji: Mapped[bool] = mapped_column(default=False)
    is_picture: Mapped[bool] = mapped_column(default=False)
    is_command: Mapped[bool] = mapped_column(default=False)
    is_notify: Mapped[bool] = mapped_column(default=False)
    reply_to: Mapped[str | None] = mapped_column(default=None)
    processed_plain_text: Mapped[str | None] = mapped_column(default=None)
    additional_config: Mapped[dict[str, Any]] = mapped_column(Json, default_factory=dict)
    raw_message: Mapped[list[Segment]] = mapped_column(Json)
    raw_with_bytes: Mapped[list[Segment] | None] = mapped_column(
        Json, init=False, repr=False, default=None, deferred=True
    )


class Arrival(Row, kw_only=True, eq=False):
    """A message that came in and is still in its receive hooks. It is part of no chat yet.

    Attributes:
        id: its number, which it keeps as a `Message`.
        message: the session message dict as it came in, bytes of pictures and recordings included.
        taken_up: the program ended before the hooks did, and a later start took it up.
    """

    __tablename__ = "arrivals"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    message: Mapped[dict[str, Any]] = mapped_column(Json)
    taken_up: Mapped[bool] = mapped_column(default=False)


class ChatSession(Row, kw_only=True, eq=False):
    """A chat: a group, or a partner of a private chat.

    Attributes:
        session_id: its name, as in messages.
        created_timestamp: when it was first heard of.
        last_active_timestamp: when its latest message was said, or None.
        user_id: the partner; None in groups, likewise the two names.
        group_id: the group, or None in private chats.
        group_name: its name, or None where the platform did not say.
    """

    __tablename__ = "chat_sessions"
    __table_args__ = (
        Index("chat_sessions_of_group", "group_id", "id"),
        Index("chat_sessions_of_user", "user_id", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True, init=False)
    session_id: Mapped[str] = mapped_column(unique=True)
    platform: Mapped[str]
    account_id: Mapped[str | None] = mapped_column(default=None)
    scope: Mapped[str | None] = mapped_column(default=None)
    user_id: Mapped[str | None] = mapped_column(default=None)
    user_nickname: Mapped[str | None] = mapped_column(default=None)
    user_cardname: Mapped[str | None] = mapped_column(default=None)
    group_id: Mapped[str | None] = mapped_column(default=None)
    group_name: Mapped[str | None] = mapped_column(default=None)
    created_timestamp: Mapped[Seconds]
    last_active_timestamp: Mapped[Seconds | None] = mapped_column(default=None)


class Person(Row, kw_only=True, eq=False):
    """Somebody whom the bot met.

    Attributes:
        person_id: 32 hex digits, made of platform and user id.
        person_name: what the bot calls them, or None.
        name_reason: why, or None.
        group_cardname: ``{"group_id": ..., "group_cardname": ...}`` for each group where they have a name.
        memory_points: what is remembered of them.
        know_counts: how often they were met.
    """

    __tablename__ = "persons"
    __table_args__ = (
        Index("persons_of_user", "user_id", "id"),
        Index("persons_by_name", "person_name"),
    )

    id: Mapped[int] = mapped_column(primary_key=True, init=False)
    person_id: Mapped[str] = mapped_column(unique=True)
    is_known: Mapped[bool] = mapped_column(default=True)
    person_name: Mapped[str | None] = mapped_column(default=None)
    name_reason: Mapped[str | None] = mapped_column(default=None)
    platform: Mapped[str]
    user_id: Mapped[str]
    user_nickname: Mapped[str]
    group_cardname: Mapped[list[dict[str, Any]]] = mapped_column(Json, default_factory=list)
    memory_points: Mapped[list[Any]] = mapped_column(Json, default_factory=list)
    know_counts: Mapped[int] = mapped_column(default=0)
    first_known_time: Mapped[Seconds | None] = mapped_column(default=None)
    last_known_time: Mapped[Seconds | None] = mapped_column(default=None)


class ModelUsage(Row, kw_only=True, eq=False):
    """A request to a model.

    Attributes:
        timestamp: when it was answered.
        model_name: the model, as its provider calls it.
        model_assign_name: what the owner calls it, or None.
        model_api_provider_name: the provider.
        task_name: the task that it served, such as ``"planner"``, or None.
        plugin_id: the plugin that asked, or None for the bot itself.
        session_id: the chat that it was for, or "".
        request_type: what for, in the asker's words.
        time_cost: how long it took, in seconds.
        cost: what it cost, in the currency of the owner's prices.
    """

    __tablename__ = "model_usage"
    __table_args__ = (Index("model_usage_by_time", "timestamp"),)

    id: Mapped[int] = mapped_column(primary_key=True, init=False)
    timestamp: Mapped[Seconds]
    model_name: Mapped[str]
    model_assign_name: Mapped[str | None] = mapped_column(default=None)
    model_api_provider_name: Mapped[str]
    task_name: Mapped[str | None] = mapped_column(default=None)
    plugin_id: Mapped[str | None] = mapped_column(default=None)
    session_id: Mapped[str] = mapped_column(default="")
    request_type: Mapped[str]
    time_cost: Mapped[float]
    prompt_tokens: Mapped[int]
    completion_tokens: Mapped[int]
    total_tokens: Mapped[int]
    prompt_cache_enabled: Mapped[bool] = mapped_column(default=False)
    prompt_cache_hit_tokens: Mapped[int] = mapped_column(default=0)
    prompt_cache_miss_tokens: Mapped[int] = mapped_column(default=0)
    cost: Mapped[float]


class Expression(Row, kw_only=True, eq=False):
    """A way of speaking that the bot learned.

    Attributes:
        situation: when it is used.
        style: how it is said.
        content_list: the sentences that it was learned from.
        count: how often it was met.
        session_id: the chat where it was learned, or None for all.
        checked: whether somebody looked it over.
        modified_by: ``"AI"`` or ``"USER"``, or None.
    """

    __tablename__ = "expressions"
    __table_args__ = (Index("expressions_of_session", "session_id", "count"),)

    id: Mapped[int] = mapped_column(primary_key=True, init=False)
    session_id: Mapped[str | None] = mapped_column(default=None)
    situation: Mapped[str]
    style: Mapped[str]
    content_list: Mapped[list[Any]] = mapped_column(Json, default_factory=list)
    count: Mapped[int] = mapped_column(default=1)
    create_time: Mapped[Seconds]
    last_active_time: Mapped[Seconds]
    checked: Mapped[bool] = mapped_column(default=False)
    modified_by: Mapped[str | None] = mapped_column(default=None)


class Emoji(Row, kw_only=True, eq=False):
    """A picture that is, was or was to be an emoji of the library.

    Attributes:
        image_hash: SHA-256 of its file, in hex.
        file_name: of its file, in the folder of the library; "" where there is none.
        image_format: such as ``"png"``; "" where it is no picture.
        description: what it shows, or "".
        emotions: what it stands for.
        state: whether it is in the library.
        query_count: how often the bot sent it.
        record_time: when it was first looked at.
        register_time: when it came into the library last, or None.
        last_used_time: when the bot sent it last, or None.
    """

    __tablename__ = "emojis"
    __table_args__ = (Index("emojis_by_state", "state", "id"),)

    id: Mapped[int] = mapped_column(primary_key=True, init=False)
    image_hash: Mapped[str] = mapped_column(unique=True)
    file_name: Mapped[str] = mapped_column(default="")
    image_format: Mapped[str] = mapped_column(default="")
    description: Mapped[str] = mapped_column(default="")
    emotions: Mapped[list[str]] = mapped_column(Json, default_factory=list)
    state: Mapped[EmojiState]
    query_count: Mapped[int] = mapped_column(default=0)
    record_time: Mapped[Seconds]
    register_time: Mapped[Seconds | None] = mapped_column(default=None)
    last_used_time: Mapped[Seconds | None] = mapped_column(default=None)
