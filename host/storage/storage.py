"""The storage: opened at the start of the program, closed at its end."""

import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Self

from sqlalchemy import func, select
from sqlalchemy.exc import DBAPIError

from host.storage.activity import Activity
from host.storage.database import Database
from host.storage.errors import DatabaseUnavailableError
from host.storage.expressions import Expressions
from host.storage.knowledge import Knowledge
from host.storage.messages import Messages
from host.storage.migrating import migrate
from host.storage.models import Arrival, Message
from host.storage.persons import Persons
from host.storage.place import Place
from host.storage.sessions import Sessions
from host.storage.usage import Usage
from host.storage.versions import VERSIONS, Version
from host.storage.writer import reason

DATABASE_FILE = "maibot.db"
"""What the file is called, in the data directory."""


class Storage:
    """What the bot remembers beyond its process. Made by `open`.

    Attributes:
        database: reads and writes, for queries that the rest does not have.
        messages: the messages of all chats, and what is owed to which.
        sessions: the chats.
        persons: whom the bot met.
        knowledge: what it knows, found by its words.
        usage: what models were used for.
        activity: what happened, counted.
        expressions: the ways of speaking that the bot learned.
    """

    def __init__(self, database: Database, latest: int, clock: Callable[[], float] = time.time) -> None:
        self.database = database
        self.sessions = Sessions(database)
        self.persons = Persons(database)
        self.knowledge = Knowledge(database)
        self.messages = Messages(database, self.sessions, self.persons, self.knowledge, latest, clock)
        self.usage = Usage(database)
        self.activity = Activity(database)
        self.expressions = Expressions(database)

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        where: Path | str,
        *,
        versions: Sequence[Version] = VERSIONS,
        clock: Callable[[], float] = time.time,
    ) -> AsyncIterator[Self]:
        """Open a database; make it where it is missing, bring it to the latest version where it is older.

        A SQLite file is copied before it is changed, see `host.storage.migrating.backup_file`. When the context is
        left, what waits to be written is written first.

        Args:
            where: the path of a SQLite file, ``sqlite:///<path>``, or ``postgresql://<user>@<host>/<database>``.
            versions: those of the tables, in order.
            clock: what time it is, in seconds since 1970.

        Raises:
            BadPlaceError: `where` names no database that can be used.
            DatabaseUnavailableError: it cannot be opened.
            NewerDatabaseError: a later program made it.
            ForeignDatabaseError: another program's tables are in the way.
        """
        place = Place.of(where)
        place.prepare()
        async with AsyncExitStack() as stack:
            writing = place.writing_engine()
            stack.push_async_callback(writing.dispose)
            try:
                await migrate(writing, place, versions)
                database = await stack.enter_async_context(Database.open(place, writing))
                latest = [await database.first(select(func.max(each.id))) or 0 for each in (Message, Arrival)]
            except (DBAPIError, OSError) as error:
                raise DatabaseUnavailableError(place.shown, reason(error)) from error
            yield cls(database, max(latest), clock)
