"""What the bot knows, found by its words: what people said in its chats, and what it remembers of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import md5
from typing import Any

from sqlalchemy import Integer, Select, Text, cast, column, func, literal_column, select, table
from sqlalchemy.dialects.postgresql import TSQUERY

from host.storage.database import Database
from host.storage.known import Known
from host.storage.models import Message, Person
from host.storage.persons import person_id
from host.storage.terms import score, terms_of, wanted_terms
from host.storage.writer import Step

MESSAGE = "message"
PERSON = "person"
CANDIDATES = 200
"""How many of the latest texts that have the words are weighed against one another."""
LONGEST = 2000
"""Characters of a text that are kept to be found."""
_MARKED = ("session_id", "group_id", "user_id", "person_id")
"""What a search may be narrowed to by the index."""
_TERMS = table("knowledge_terms", column("rowid", Integer), column("knowledge_terms", Text))
"""The index of the terms in SQLite."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Where something is looked for: what is None does not count.

    Args:
        session_id: the chat that it was said in.
        group_id: the group.
        user_id: who said it.
        person_id: who said it, or whom it is about.
        since: the first moment, in seconds since 1970.
        until: the last one.
    """

    session_id: str | None = None
    group_id: str | None = None
    user_id: str | None = None
    person_id: str | None = None
    since: float | None = None
    until: float | None = None


class Knowledge:
    """What the bot knows.

    Args:
        database: keeps it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        adding = database.insert(Known)
        changed = ("timestamp", "speaker", "text", "terms")
        self._note = adding.on_conflict_do_update(
            index_elements=["kind", "source"], set_={name: adding.excluded[name] for name in changed}
        )

    def noting(self, message: Message) -> Step:
        """What writes down the words of a message under its number. Notices and commands are not known."""
        silent = message.is_notify or message.is_command
        return self._step(
            kind=MESSAGE,
            source=str(message.id),
            session_id=message.session_id,
            group_id=message.group_id,
            user_id=message.user_id,
            person_id=person_id(message.platform, message.user_id),
            timestamp=message.timestamp,
            speaker=message.user_cardname or message.user_nickname,
            text="" if silent else message.processed_plain_text or "",
        )

    async def remember(self, person: Person) -> None:
        """Write down what is remembered of somebody, so that it is found.

        Raises:
            DatabaseFailedError: the database refused.
        """
        points = [each if isinstance(each, str) else str(each) for each in person.memory_points]
        await self._database.write(
            self._step(
                kind=PERSON,
                source=person.person_id,
                session_id=None,
                group_id=None,
                user_id=person.user_id,
                person_id=person.person_id,
                timestamp=person.last_known_time or 0.0,
                speaker=person.person_name or person.user_nickname,
                text="; ".join(points),
            )
        )

    async def search(self, query: str, limit: int, where: Where) -> list[Known]:
        """What has the words of `query`: first what has the most of them, of these the latest.

        Where enough has all of them as they are, only such is looked at; else what has them as beginnings, or has any.

        Args:
            query: words in any script.
            limit: how many at most.
            where: where to look.

        Raises:
            DatabaseFailedError: the database refused.
        """
        wanted = wanted_terms(query)
        found: list[Known] = []
        for terms, joined_by in _attempts(wanted):
            if len({each.id for each in found}) < limit:
                found += await self._database.all(self._statement(terms, joined_by, where))
        scores = {each.id: (score(each.terms, wanted), each.timestamp, each.id) for each in found}
        ranked = {each.id: each for each in sorted(found, key=lambda each: scores[each.id], reverse=True)}
        return list(ranked.values())[:limit]

    def _statement(self, wanted: Sequence[tuple[str, bool]], joined_by: str, where: Where) -> Select[Known]:
        query = select(Known)
        narrowed = {name: value for name in _MARKED if (value := getattr(where, name)) is not None}
        marks = [_mark(name, value) for name, value in narrowed.items()]
        if self._database.place.kind == "sqlite":
            words = joined_by.join(f'"{term}"{" *" if beginning else ""}' for term, beginning in wanted)
            words = " AND ".join([f"({words})", *(f'"{mark}"' for mark in marks)])
            query = query.join(_TERMS, Known.id == _TERMS.c.rowid).where(_TERMS.c.knowledge_terms.op("MATCH")(words))
            query = query.order_by(_TERMS.c.rowid.desc())
        else:
            sign = " & " if joined_by == " AND " else " | "
            words = sign.join(f"'{term}'{':*' if beginning else ''}" for term, beginning in wanted)
            words = " & ".join([f"({words})", *(f"'{mark}'" for mark in marks)])
            there = func.array_to_tsvector(func.string_to_array(Known.terms, literal_column("' '")))
            query = query.where(there.op("@@")(cast(words, TSQUERY))).order_by(Known.id.desc())
        conditions: list[Any] = [getattr(Known, name) == value for name, value in narrowed.items()]
        if where.since is not None:
            conditions.append(Known.timestamp >= where.since)
        if where.until is not None:
            conditions.append(Known.timestamp <= where.until)
        return query.where(*conditions).limit(CANDIDATES)

    def _step(self, *, text: str, **values: Any) -> Step:
        kept = text[:LONGEST]
        marks = [_mark(name, values[name]) for name in _MARKED if kept and values[name] is not None]
        return Step(self._note, {**values, "text": kept, "terms": " ".join(filter(None, [terms_of(kept), *marks]))})


def _attempts(wanted: list[tuple[str, bool]]) -> Iterator[tuple[list[tuple[str, bool]], str]]:
    """What is looked for, what costs least first: a beginning is looked up in all terms that begin so. A single
    character without spaces around it is a beginning in any case."""
    if not wanted:
        return
    whole = [(term, beginning and len(term) == 1) for term, beginning in wanted]
    yield whole, " AND "
    if whole != wanted:
        yield wanted, " AND "
    if len(wanted) > 1:
        yield whole, " OR "


def _mark(name: str, value: str) -> str:
    """A term that says where a text belongs, such as to which chat; no text has such a term."""
    return f"§{name[0]}{md5(value.encode(), usedforsecurity=False).hexdigest()[:12]}"
