"""Version 4 of the tables: the library of emoji."""

from sqlalchemy import (
    BigInteger,
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
)

_NUMBER = BigInteger().with_variant(Integer, "sqlite")


def add_emojis(connection: Connection) -> None:
    """Make the table of emoji."""
    Table(
        "emojis",
        MetaData(),
        Column("id", _NUMBER, primary_key=True),
        Column("image_hash", Text, nullable=False),
        Column("file_name", Text, nullable=False),
        Column("image_format", Text, nullable=False),
        Column("description", Text, nullable=False),
        Column("emotions", Text, nullable=False),
        Column("state", String(16), nullable=False),
        Column("query_count", _NUMBER, nullable=False),
        Column("record_time", Double, nullable=False),
        Column("register_time", Double),
        Column("last_used_time", Double),
        UniqueConstraint("image_hash"),
        Index("emojis_by_state", "state", "id"),
    ).create(connection)
