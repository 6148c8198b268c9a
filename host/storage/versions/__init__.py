"""The versions of the tables: numbered steps from an empty database to the latest, each fixed once it is released.

A step that was released is never changed; a change of `host.storage.models` comes with a new step, and a test compares
what the steps make with what the models say.
"""

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection

from host.storage.versions.first import create_first_tables
from host.storage.versions.fourth import add_knowledge
from host.storage.versions.second import add_arrivals


@dataclass(frozen=True, slots=True)
class Version:
    """A version of the tables.

    Args:
        number: from 1, without gaps.
        name: what it brings.
        upgrade: makes it of the one before, within a transaction.
    """

    number: int
    name: str
    upgrade: Callable[[Connection], None]


VERSIONS: tuple[Version, ...] = (
    Version(1, "messages, sessions, persons, model usage, expressions", create_first_tables),
    Version(2, "messages that are still in their receive hooks", add_arrivals),
    Version(3, "texts found by their words, counts of messages, calls of tools, time online", add_knowledge),
)
"""All versions, in order."""
