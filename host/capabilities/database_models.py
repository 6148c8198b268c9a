"""What plugins see of the database: models with named columns, each with what it holds."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import Boolean, Double, Integer, Text, type_coerce
from sqlalchemy.orm import InstrumentedAttribute

from host.capabilities.errors import RefusalError
from host.storage import ChatSession, Expression, Message, ModelUsage, OnlineTime, Person, ToolRecord
from host.storage.columns import EpochSeconds, Json
from host.storage.models import Row

NUMBER_COLUMN = "id"
"""The number of a row, which the database gives."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a column holds, as plugins know it.

    Args:
        spelled: as Python spells it, for tables and errors.
        stored: a plugin's value as the row has it; raises ValueError or TypeError for any other.
        shown: the row's value as plugins get it.
    """

    spelled: str
    stored: Callable[[Any], Any]
    shown: Callable[[Any], Any]


def _as_is(value: Any) -> Any:
    return value


def _text(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise TypeError
    return str(value)


def _whole(value: Any) -> int:
    if not isinstance(value, int | str) and value != int(value):
        raise ValueError
    return int(value)


def _number(value: Any) -> float:
    return float(value)


def _flag(value: Any) -> bool:
    if value not in (True, False):
        raise ValueError
    return bool(value)


def _moment(value: Any) -> float:
    if isinstance(value, str):
        return datetime.fromisoformat(value).timestamp()
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError
    return float(value)


def _iso(value: float) -> str:
    return datetime.fromtimestamp(value).isoformat()


def _from_json(value: Any) -> Any:
    return msgspec.json.decode(value) if isinstance(value, str | bytes) else value


def _as_json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _segments(value: Any) -> Any:
    if not isinstance(value, list):
        value = msgspec.msgpack.decode(value, type=list[dict[str, Any]])
    return value


WORDS = Kind("str", _text, _as_is)
WHOLE = Kind("int", _whole, _as_is)
NUMBER = Kind("float", _number, _as_is)
FLAG = Kind("bool", _flag, _as_is)
MOMENT = Kind("datetime (ISO text, or seconds since 1970)", _moment, _iso)
JSON = Kind("str (JSON)", _from_json, _as_json)
SEGMENTS = Kind("bytes (MessagePack of the segments)", _segments, msgspec.msgpack.encode)


@dataclass(frozen=True, slots=True)
class PublishedColumn:
    """A column of a model.

    Args:
        name: as plugins know it.
        attribute: of the row.
        kind: what it holds.
        nullable: whether it may be None.
    """

    name: str
    attribute: InstrumentedAttribute[Any]
    kind: Kind
    nullable: bool

    def stored(self, value: Any) -> Any:
        """A plugin's value as the row has it.

        Raises:
            RefusalError: the column cannot hold it.
        """
        if value is None and self.nullable:
            return None
        try:
            return self.kind.stored(value)
        except (ValueError, TypeError, OverflowError):
            allowed = f"{self.kind.spelled} | None" if self.nullable else self.kind.spelled
            raise RefusalError("column_value", name=self.name, found=f"{value!r:.60}", allowed=allowed) from None

    def shown(self, row: Row) -> Any:
        """The value of a row as plugins get it."""
        value = getattr(row, self.attribute.key)
        return None if value is None else self.kind.shown(value)

    def equals(self, value: Any) -> Any:
        """The condition that it has a value. JSON is compared as the text that it is stored as."""
        if value is None:
            return self.attribute.is_(None)
        if self.kind is JSON:
            return type_coerce(self.attribute, Text) == _as_json(self.stored(value))
        if self.kind is SEGMENTS:
            raise RefusalError("column_no_filter", name=self.name)
        return self.attribute == self.stored(value)


@dataclass(frozen=True, slots=True)
class PublishedModel:
    """A model: a table under the name that plugins know.

    Args:
        name: that name.
        row: the class of its rows.
        columns: by name.
        now: columns of a new row that are the present moment where nothing is given.
        required: columns that a new row cannot do without.
    """

    name: str
    row: type[Row]
    columns: Mapping[str, PublishedColumn]
    now: tuple[str, ...]
    required: tuple[str, ...]

    def column(self, name: str) -> PublishedColumn:
        """The column of a name.

        Raises:
            RefusalError: there is none.
        """
        found = self.columns.get(name)
        if found is None:
            raise RefusalError("no_such_column", name=name, model=self.name, known=", ".join(self.columns))
        return found

    def shown(self, row: Row) -> dict[str, Any]:
        """A row as plugins get it."""
        return {name: column.shown(row) for name, column in self.columns.items()}


def _model(
    name: str, row: type[Row], columns: str, *, now: str = "", required: str = "", **renamed: str
) -> PublishedModel:
    names = {each: each for each in columns.split()} | renamed
    published = (_column(each, getattr(row, own)) for each, own in names.items())
    return PublishedModel(
        name, row, {each.name: each for each in published}, tuple(now.split()), tuple(required.split())
    )


def _column(name: str, attribute: InstrumentedAttribute[Any]) -> PublishedColumn:
    column = attribute.property.columns[0]
    kinds: Iterable[tuple[type[Any], Kind]] = (
        (EpochSeconds, MOMENT),
        (Json, JSON),
        (Boolean, FLAG),
        (Double, NUMBER),
        (Integer, WHOLE),
    )
    kind = next((kind for of, kind in kinds if isinstance(column.type, of)), WORDS)
    return PublishedColumn(name, attribute, SEGMENTS if name == "raw_content" else kind, bool(column.nullable))


_WHERE = "platform account_id scope session_id user_id user_nickname user_cardname group_id group_name"

MODELS: Mapping[str, PublishedModel] = {
    each.name: each
    for each in (
        _model(
            "ChatSession",
            ChatSession,
            f"id session_id created_timestamp last_active_timestamp {_WHERE}",
            now="created_timestamp last_active_timestamp",
            required="session_id platform",
        ),
        _model(
            "Expression",
            Expression,
            "id situation style content_list count last_active_time create_time session_id checked modified_by",
            now="last_active_time create_time",
            required="situation style content_list",
        ),
        _model(
            "Messages",
            Message,
            f"id message_id timestamp received_at {_WHERE} is_mentioned is_at is_emoji is_picture is_command is_notify "
            "reply_to processed_plain_text additional_config",
            raw_content="raw_message",
            required="message_id timestamp platform user_id user_nickname session_id raw_content",
        ),
        _model(
            "ModelUsage",
            ModelUsage,
            "id model_name model_assign_name model_api_provider_name session_id task_name request_type time_cost "
            "timestamp prompt_tokens completion_tokens total_tokens prompt_cache_enabled prompt_cache_hit_tokens "
            "prompt_cache_miss_tokens cost",
            now="timestamp",
            required="model_name model_api_provider_name request_type time_cost prompt_tokens completion_tokens "
            "total_tokens cost",
        ),
        _model(
            "OnlineTime",
            OnlineTime,
            "id timestamp duration_minutes start_timestamp end_timestamp",
            now="timestamp start_timestamp",
            required="duration_minutes end_timestamp",
        ),
        _model(
            "ToolRecord",
            ToolRecord,
            "id tool_id timestamp session_id tool_name tool_reasoning tool_data",
            now="timestamp",
            required="tool_id session_id tool_name",
        ),
        _model(
            "PersonInfo",
            Person,
            "id is_known person_id person_name name_reason platform user_id user_nickname group_cardname memory_points "
            "know_counts first_known_time last_known_time",
            required="person_id platform user_id user_nickname",
        ),
    )
}
"""All models, by name. The columns are those that public plugins know, and no others."""


def model(name: str) -> PublishedModel:
    """The model of a name.

    Raises:
        RefusalError: there is none.
    """
    found = MODELS.get(name)
    if found is None:
        raise RefusalError("no_such_model", name=name, known=", ".join(MODELS))
    return found
