"""Version 1 of the tables."""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Double,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

_NUMBER = BigInteger().with_variant(Integer, "sqlite")
_OPEN = text("handling IN ('received', 'taken_up')")


def create_first_tables(connection: Connection) -> None:
    """Make them."""
    tables = MetaData()
    _messages(tables)
    _chat_sessions(tables)
    _persons(tables)
    _model_usage(tables)
    _expressions(tables)
    tables.create_all(connection, checkfirst=False)


def _number(name: str, **more: Any) -> Column[int]:
    return Column(name, _NUMBER, nullable=False, **more)


def _text(name: str) -> Column[str]:
    return Column(name, Text, nullable=False)


def _text_or_null(name: str) -> Column[str]:
    return Column(name, Text)


def _float(name: str) -> Column[float]:
    return Column(name, Double, nullable=False)


def _float_or_null(name: str) -> Column[float]:
    return Column(name, Double)


def _flag(name: str) -> Column[bool]:
    return Column(name, Boolean, nullable=False)


def _messages(tables: MetaData) -> None:
    Table(
        "messages",
        tables,
        _number("id", primary_key=True, autoincrement=False),
        _text("message_id"),
        _float("timestamp"),
        _float_or_null("received_at"),
        _text("platform"),
        _text_or_null("account_id"),
        _text_or_null("scope"),
        _text("session_id"),
        _text("user_id"),
        _text("user_nickname"),
        _text_or_null("user_cardname"),
        _text_or_null("group_id"),
        _text_or_null("group_name"),
        Column("direction", String(16), nullable=False),
        Column("handling", String(16), nullable=False),
        _flag("is_mentioned"),
        _flag("is_at"),
        _flag("is_emoji"),
        _flag("is_picture"),
        _flag("is_command"),
        _flag("is_notify"),
        _text_or_null("reply_to"),
        _text_or_null("processed_plain_text"),
        _text("additional_config"),
        _text("raw_message"),
        _text_or_null("raw_with_bytes"),
        Index("messages_of_session", "session_id", "timestamp", "id"),
        Index("messages_by_time", "timestamp", "id"),
        Index("messages_of_user", "user_id", "timestamp", "id"),
        Index("messages_by_message_id", "message_id"),
        Index("messages_open", "id", sqlite_where=_OPEN, postgresql_where=_OPEN),
    )


def _chat_sessions(tables: MetaData) -> None:
    Table(
        "chat_sessions",
        tables,
        _number("id", primary_key=True),
        _text("session_id"),
        _text("platform"),
        _text_or_null("account_id"),
        _text_or_null("scope"),
        _text_or_null("user_id"),
        _text_or_null("user_nickname"),
        _text_or_null("user_cardname"),
        _text_or_null("group_id"),
        _text_or_null("group_name"),
        _float("created_timestamp"),
        _float_or_null("last_active_timestamp"),
        UniqueConstraint("session_id"),
        Index("chat_sessions_of_group", "group_id", "id"),
        Index("chat_sessions_of_user", "user_id", "id"),
    )


def _persons(tables: MetaData) -> None:
    Table(
        "persons",
        tables,
        _number("id", primary_key=True),
        _text("person_id"),
        _flag("is_known"),
        _text_or_null("person_name"),
        _text_or_null("name_reason"),
        _text("platform"),
        _text("user_id"),
        _text("user_nickname"),
        _text("group_cardname"),
        _text("memory_points"),
        _number("know_counts"),
        _float_or_null("first_known_time"),
        _float_or_null("last_known_time"),
        UniqueConstraint("person_id"),
        Index("persons_of_user", "user_id", "id"),
        Index("persons_by_name", "person_name"),
    )


def _model_usage(tables: MetaData) -> None:
    Table(
        "model_usage",
        tables,
        _number("id", primary_key=True),
        _float("timestamp"),
        _text("model_name"),
        _text_or_null("model_assign_name"),
        _text("model_api_provider_name"),
        _text_or_null("task_name"),
        _text_or_null("plugin_id"),
        _text("session_id"),
        _text("request_type"),
        _float("time_cost"),
        _number("prompt_tokens"),
        _number("completion_tokens"),
        _number("total_tokens"),
        _flag("prompt_cache_enabled"),
        _number("prompt_cache_hit_tokens"),
        _number("prompt_cache_miss_tokens"),
        _float("cost"),
        Index("model_usage_by_time", "timestamp"),
    )


def _expressions(tables: MetaData) -> None:
    Table(
        "expressions",
        tables,
        _number("id", primary_key=True),
        _text_or_null("session_id"),
        _text("situation"),
        _text("style"),
        _text("content_list"),
        _number("count"),
        _float("create_time"),
        _float("last_active_time"),
        _flag("checked"),
        _text_or_null("modified_by"),
        Index("expressions_of_session", "session_id", "count"),
    )
