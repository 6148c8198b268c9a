"""The types of columns: what a value is in Python, and what stands in the database, the same in both kinds of it."""

from typing import Annotated, Any

import msgspec
from sqlalchemy import BigInteger, Dialect, Double, Integer, Text
from sqlalchemy.orm import mapped_column
from sqlalchemy.types import TypeDecorator

Number = BigInteger().with_variant(Integer, "sqlite")
"""A whole number of 64 bits. SQLite's integers have them under the plain name, which its row numbers insist on."""


class EpochSeconds(TypeDecorator[float]):
    """A moment, in seconds since 1970. Its own type, so that who shows rows knows it among the numbers."""

    impl = Double
    cache_ok = True


class Words(TypeDecorator[str]):
    """Text. The null character, which PostgreSQL cannot hold, becomes U+FFFD in both kinds of database."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """What is stored."""
        return value.replace("\x00", "\ufffd") if value and "\x00" in value else value


class Json(TypeDecorator[Any]):
    """A list or dict of what a payload may hold, as JSON text: bytes become base64 text, NaN and infinities None."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        """What is stored."""
        return None if value is None else msgspec.json.encode(value).decode()

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        """What is read."""
        return None if value is None else msgspec.json.decode(value)


Seconds = Annotated[float, mapped_column(EpochSeconds)]
"""A moment: seconds since 1970."""
