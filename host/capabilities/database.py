"""``database.*``: rows of the bot's database, by models with named columns; no statement is written by a plugin."""

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any

from pydantic import Field
from sqlalchemy import CursorResult, Select, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from typing_extensions import TypedDict

from host.capabilities.arguments import Arguments, Id
from host.capabilities.capability import Answer, Capability, CapabilitySpec
from host.capabilities.database_models import NUMBER_COLUMN, PublishedModel, model
from host.capabilities.errors import ArgumentProblem, RefusalError, WrongArgumentsError
from host.runtime import Plugin
from host.storage import Direction, Handling, Message, Person, Storage
from host.storage.models import Row
from maibot_sdk.hooks import Text

MOST_ROWS = 5000
"""How many rows one call gives at most."""
QUERY_TYPES = ("get", "create", "update", "delete", "count")


class Rows(TypedDict):
    """Rows as dicts by column; with ``single_result`` the first of them, or None."""

    success: bool
    result: list[dict[str, Any]] | dict[str, Any] | None


class Stored(TypedDict):
    """The row as it is stored."""

    success: bool
    result: dict[str, Any]


class Touched(TypedDict):
    """How many rows."""

    success: bool
    result: int


class Counted(TypedDict):
    """How many rows match."""

    success: bool
    count: int


class Queried(TypedDict):
    """What that kind of query gives."""

    success: bool
    result: Any


class _OfModel(Arguments):
    model_name: Id
    filters: dict[str, Any] = Field(default_factory=dict)


class _Get(_OfModel):
    limit: Annotated[int, Field(ge=0)] = 0
    order_by: str | list[str] = Field(default_factory=list)
    single_result: bool = False


class _Query(_Get):
    query_type: str = "get"
    data: dict[str, Any] | None = None


class _Save(Arguments):
    model_name: Id
    data: dict[str, Any]
    key_field: str = ""
    key_value: Any = None


GET = CapabilitySpec(
    "database.get",
    _Get,
    Rows,
    Text("The rows of a model that equal all filters.", "某模型中与所有过滤条件相等的行。"),
)
COUNT = CapabilitySpec("database.count", _OfModel, Counted, Text("How many rows match.", "匹配的行数。"))
SAVE = CapabilitySpec(
    "database.save",
    _Save,
    Stored,
    Text(
        "Changes the first row whose key field has the key value, or adds one.",
        "修改键字段等于给定值的第一行；没有则新增。",
    ),
)
DELETE = CapabilitySpec(
    "database.delete",
    _OfModel,
    Touched,
    Text("Deletes the rows that match; filters must be given.", "删除匹配的行；必须给出过滤条件。"),
)
QUERY = CapabilitySpec(
    "database.query",
    _Query,
    Queried,
    Text(
        "Any of these; update and delete without filters touch all rows.",
        "以上任意操作；无过滤条件的 update 和 delete 作用于所有行。",
    ),
)
DATABASE = (GET, COUNT, SAVE, DELETE, QUERY)


class DatabaseFamily:
    """The bot's database.

    Args:
        storage: has it.
        clock: what time it is, in seconds since 1970.
    """

    def __init__(self, storage: Storage, clock: Callable[[], float] = time.time) -> None:
        self._storage = storage
        self._database = storage.database
        self._clock = clock

    def offers(self) -> Iterable[Capability]:
        """``database.*``."""
        return (
            GET.by(self._get),
            COUNT.by(self._count),
            SAVE.by(self._save),
            DELETE.by(self._delete),
            QUERY.by(self._query),
        )

    async def _get(self, plugin: Plugin, asked: _Get) -> Rows:
        of = model(asked.model_name)
        most = 1 if asked.single_result else min(asked.limit or MOST_ROWS, MOST_ROWS)
        statement = _ordered(select(of.row), of, asked.order_by).where(*_matching(of, asked.filters)).limit(most)
        rows = [of.shown(row) for row in await self._database.all(statement)]
        if asked.single_result:
            return {"success": True, "result": rows[0] if rows else None}
        return {"success": True, "result": rows}

    async def _count(self, plugin: Plugin, asked: _OfModel) -> Counted:
        of = model(asked.model_name)
        statement = select(func.count()).select_from(of.row).where(*_matching(of, asked.filters))
        return {"success": True, "count": await self._database.first(statement) or 0}

    async def _delete(self, plugin: Plugin, asked: _OfModel) -> Touched:
        if not asked.filters:
            raise RefusalError("no_filters", capability=DELETE.name)
        return {"success": True, "result": await self._deleted(asked)}

    async def _deleted(self, asked: _OfModel) -> int:
        of = model(asked.model_name)
        statement = delete(of.row).where(*_matching(of, asked.filters))
        return await self._database.run(lambda session: _rows_touched(session, statement))

    async def _updated(self, asked: _Query) -> int:
        of = model(asked.model_name)
        values = _changes(of, _given(asked.data))
        statement = update(of.row).where(*_matching(of, asked.filters)).values(values)
        return await self._database.run(lambda session: _rows_touched(session, statement))

    async def _save(self, plugin: Plugin, asked: _Save) -> Stored:
        of = model(asked.model_name)
        if asked.key_field and asked.key_value is not None:
            same = of.column(asked.key_field).equals(asked.key_value)
            statement = select(of.row).where(same).order_by(of.column(NUMBER_COLUMN).attribute).limit(1)
            number = getattr(await self._database.first(statement), NUMBER_COLUMN, None)
            if number is not None:
                changes = _changes(of, asked.data)
                return {"success": True, "result": await self._changed(of, number, changes)}
        return {"success": True, "result": await self._created(of, asked.data)}

    async def _query(self, plugin: Plugin, asked: _Query) -> Answer:
        match asked.query_type.strip().lower():
            case "get":
                return await self._get(plugin, asked)
            case "create":
                created = await self._created(model(asked.model_name), _given(asked.data))
                return {"success": True, "result": created}
            case "update":
                return {"success": True, "result": await self._updated(asked)}
            case "delete":
                return {"success": True, "result": await self._deleted(asked)}
            case "count":
                return {"success": True, "result": (await self._count(plugin, asked))["count"]}
        raise RefusalError("query_type", found=asked.query_type, allowed=", ".join(QUERY_TYPES))

    async def _changed(self, of: PublishedModel, number: int, changes: Mapping[str, Any]) -> dict[str, Any]:
        async def work(session: AsyncSession) -> Row:
            row = await session.get_one(of.row, number)
            for name, value in changes.items():
                setattr(row, name, value)
            await session.flush()
            return row

        return await self._shown(of, await self._database.run(work))

    async def _created(self, of: PublishedModel, data: Mapping[str, Any]) -> dict[str, Any]:
        """A new row; keys that are no columns are dropped, as authors know it."""
        known = {name: value for name, value in data.items() if name in of.columns and name != NUMBER_COLUMN}
        if missing := [name for name in of.required if known.get(name) is None]:
            raise RefusalError("columns_missing", model=of.name, names=", ".join(missing))
        values = {of.column(name).attribute.key: of.column(name).stored(value) for name, value in known.items()}
        values |= {name: self._clock() for name in of.now if values.get(name) is None}
        if of.row is Message:
            row = Message(**values, direction=Direction.IN, handling=Handling.KEPT)
            # It numbers the row, and notes chat and person.
            await self._storage.messages.add(row)
            return of.shown(row)
        created = of.row(**values)

        async def work(session: AsyncSession) -> None:
            session.add(created)
            await session.flush()

        await self._database.run(work)
        return await self._shown(of, created)

    async def _shown(self, of: PublishedModel, row: Row) -> dict[str, Any]:
        """A row that was written; what is remembered of a person can be found from then on."""
        if isinstance(row, Person):
            await self._storage.knowledge.remember(row)
        return of.shown(row)


async def _rows_touched(session: AsyncSession, statement: Any) -> int:
    result: CursorResult[Any] = await (await session.connection()).execute(statement)
    return result.rowcount


def _given(data: Mapping[str, Any] | None) -> Mapping[str, Any]:
    if not data:
        raise WrongArgumentsError(QUERY.name, (ArgumentProblem("data", "dict"),))
    return data


def _changes(of: PublishedModel, data: Mapping[str, Any]) -> dict[str, Any]:
    """New values by attribute. The number of a row stays as it is."""
    columns = {name: of.column(name) for name in data if name != NUMBER_COLUMN}
    return {column.attribute.key: column.stored(data[name]) for name, column in columns.items()}


def _matching(of: PublishedModel, filters: Mapping[str, Any]) -> list[Any]:
    return [of.column(name).equals(value) for name, value in filters.items()]


def _ordered(statement: Select[Row], of: PublishedModel, order_by: str | list[str]) -> Select[Row]:
    """By the columns asked for, ``-`` before one for descending; the oldest first where nothing else says so."""
    names = [order_by] if isinstance(order_by, str) else order_by
    for name in (*filter(None, names), NUMBER_COLUMN):
        column = of.column(name.removeprefix("-")).attribute
        statement = statement.order_by(column.desc() if name.startswith("-") else column)
    return statement
