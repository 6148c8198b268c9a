"""A version of the tables: what is found by its words, counts of messages, calls of tools, time online."""

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Double,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)

_NUMBER = BigInteger().with_variant(Integer, "sqlite")


def add_knowledge(connection: Connection) -> None:
    """Make the tables, and count the messages that there are. They are found by their words from now on only."""
    tables = MetaData()
    _knowledge(tables)
    _message_counts(tables)
    _tool_records(tables)
    _online_time(tables)
    tables.create_all(connection, checkfirst=False)
    index_terms(connection)
    hour = "CAST(timestamp / 3600 AS INTEGER) * 3600.0"
    if connection.dialect.name == "postgresql":
        hour = "FLOOR(timestamp / 3600) * 3600.0"
    connection.execute(
        text(
            f"INSERT INTO message_counts (hour, session_id, count) SELECT {hour}, session_id, count(*) FROM messages "
            "GROUP BY 1, 2"
        )
    )


def index_terms(connection: Connection) -> None:
    """Make the index of the terms: FTS5 in SQLite, where triggers follow the table, and a GIN index in PostgreSQL."""
    if connection.dialect.name == "postgresql":
        statements = [
            "CREATE INDEX knowledge_by_terms ON knowledge USING gin (array_to_tsvector(string_to_array(terms, ' ')))"
        ]
    else:
        remove = "INSERT INTO knowledge_terms (knowledge_terms, rowid, terms) VALUES ('delete', old.id, old.terms)"
        insert = "INSERT INTO knowledge_terms (rowid, terms) VALUES (new.id, new.terms)"
        statements = [
            "CREATE VIRTUAL TABLE knowledge_terms USING fts5"
            "(terms, content='knowledge', content_rowid='id', detail='none', tokenize='ascii')",
            f"CREATE TRIGGER knowledge_added AFTER INSERT ON knowledge BEGIN {insert}; END",
            f"CREATE TRIGGER knowledge_gone AFTER DELETE ON knowledge BEGIN {remove}; END",
            f"CREATE TRIGGER knowledge_changed AFTER UPDATE OF terms ON knowledge BEGIN {remove}; {insert}; END",
        ]
    for statement in statements:
        connection.exec_driver_sql(statement)


def _knowledge(tables: MetaData) -> None:
    Table(
        "knowledge",
        tables,
        Column("id", _NUMBER, primary_key=True, nullable=False),
        Column("kind", Text, nullable=False),
        Column("source", Text, nullable=False),
        Column("session_id", Text),
        Column("group_id", Text),
        Column("user_id", Text),
        Column("person_id", Text),
        Column("timestamp", Double, nullable=False),
        Column("speaker", Text, nullable=False),
        Column("text", Text, nullable=False),
        Column("terms", Text, nullable=False),
        UniqueConstraint("kind", "source"),
    )


def _message_counts(tables: MetaData) -> None:
    Table(
        "message_counts",
        tables,
        Column("hour", Double, primary_key=True, nullable=False),
        Column("session_id", Text, primary_key=True, nullable=False),
        Column("count", _NUMBER, nullable=False),
    )


def _tool_records(tables: MetaData) -> None:
    Table(
        "tool_records",
        tables,
        Column("id", _NUMBER, primary_key=True, nullable=False),
        Column("tool_id", Text, nullable=False),
        Column("timestamp", Double, nullable=False),
        Column("session_id", Text, nullable=False),
        Column("tool_name", Text, nullable=False),
        Column("tool_reasoning", Text),
        Column("tool_data", Text),
        Index("tool_records_by_time", "timestamp"),
    )


def _online_time(tables: MetaData) -> None:
    Table(
        "online_time",
        tables,
        Column("id", _NUMBER, primary_key=True, nullable=False),
        Column("timestamp", Double, nullable=False),
        Column("duration_minutes", _NUMBER, nullable=False),
        Column("start_timestamp", Double, nullable=False),
        Column("end_timestamp", Double, nullable=False),
        Index("online_time_by_end", "end_timestamp"),
    )
