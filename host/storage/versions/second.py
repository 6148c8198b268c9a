"""Version 2 of the tables: messages that are still in their receive hooks."""

from sqlalchemy import BigInteger, Boolean, Column, Connection, Integer, MetaData, Table, Text


def add_arrivals(connection: Connection) -> None:
    """Make the table of arrivals."""
    Table(
        "arrivals",
        MetaData(),
        Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=False),
        Column("message", Text, nullable=False),
        Column("taken_up", Boolean, nullable=False),
    ).create(connection)
