"""Writing: one task, which commits what waits together."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, AsyncSession
from sqlalchemy.sql.dml import UpdateBase

from host.storage.errors import DatabaseFailedError, StorageClosedError

T = TypeVar("T")

MAX_BATCH = 500
"""How many calls are committed together at most."""


@dataclass(frozen=True, slots=True)
class Step:
    """A statement with its parameters.

    Args:
        statement: the same object for every step of its kind: those of one batch are sent to the database at once.
        parameters: by name.
    """

    statement: UpdateBase
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Steps:
    steps: tuple[Step, ...]
    done: asyncio.Future[None] = field(default_factory=asyncio.Future)


@dataclass(frozen=True, slots=True)
class _Work:
    work: Callable[[AsyncSession], Awaitable[Any]]
    done: asyncio.Future[Any] = field(default_factory=asyncio.Future)


class Writer:
    """Writes what it is given, in one task. What comes in while a commit is under way is committed together next.

    Calls of one batch are concurrent: none of their callers was told that any of it is done. So their steps are sorted
    by statement, and each statement is sent once, with all its parameters.

    Args:
        engine: has the connection to write by.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._jobs: list[_Steps | _Work] = []
        self._batch: list[_Steps | _Work] = []
        self._wake = asyncio.Event()
        self._closed = False
        self._task = asyncio.create_task(self._serve(), name="storage writer")

    async def write(self, *steps: Step) -> None:
        """Write all steps or none. Returns once they are committed; a caller that is cancelled waits for that too.

        Raises:
            DatabaseFailedError: the database refused.
            StorageClosedError: it is too late.
        """
        await self._submit(_Steps(steps))

    async def run(self, work: Callable[[AsyncSession], Awaitable[T]]) -> T:
        """Run `work` in a transaction of its own, beside which nothing else is written, and commit it.

        Raises:
            DatabaseFailedError: the database refused.
            StorageClosedError: it is too late.
        """
        result: T = await self._submit(_Work(work))
        return result

    async def aclose(self) -> None:
        """Write what waits, then end. Later calls are refused."""
        self._closed = True
        self._wake.set()
        await asyncio.wait([self._task])
        if not self._task.cancelled():
            self._task.result()

    async def _submit(self, job: _Steps | _Work) -> Any:
        if self._closed:
            raise StorageClosedError
        self._jobs.append(job)
        self._wake.set()
        try:
            return await asyncio.shield(job.done)
        except asyncio.CancelledError:
            # What may be written already cannot be taken back: whoever cancels finds it written when this returns.
            await asyncio.wait([job.done])
            job.done.exception()  # Nobody is left to be told of it.
            raise

    async def _serve(self) -> None:
        try:
            while self._jobs or not self._closed:
                await self._wake.wait()
                await self._write_batch()
        finally:
            # Where the loop ends before the storage is closed, this task is cancelled: nobody may wait for it then.
            self._closed = True
            for job in (*self._batch, *self._jobs):
                if not job.done.done():
                    job.done.set_exception(StorageClosedError())

    async def _write_batch(self) -> None:
        self._batch, self._jobs = self._jobs[:MAX_BATCH], self._jobs[MAX_BATCH:]
        if not self._jobs and not self._closed:
            self._wake.clear()
        await self._write_together([job for job in self._batch if isinstance(job, _Steps)])
        for job in self._batch:
            if isinstance(job, _Work):
                await self._run(job)

    async def _write_together(self, jobs: list[_Steps]) -> None:
        if not jobs:
            return
        try:
            async with self._engine.begin() as connection:
                await _execute(connection, [step for job in jobs for step in job.steps])
        except Exception as error:  # Whatever it is, it goes to those who wait for it.
            if len(jobs) == 1 or _is_of_all(error):
                for job in jobs:
                    _refuse(job, error)
            else:
                for job in jobs:
                    await self._write_together([job])
        else:
            for job in jobs:
                job.done.set_result(None)

    async def _run(self, job: _Work) -> None:
        try:
            async with AsyncSession(self._engine, expire_on_commit=False) as session, session.begin():
                result = await job.work(session)
        except Exception as error:  # Likewise.
            _refuse(job, error)
        else:
            job.done.set_result(result)


async def _execute(connection: AsyncConnection, steps: list[Step]) -> None:
    grouped: dict[UpdateBase, list[Mapping[str, Any]]] = {}
    for step in steps:
        grouped.setdefault(step.statement, []).append(step.parameters)
    for statement, parameters in grouped.items():
        await connection.execute(statement, parameters)


def _is_of_all(error: Exception) -> bool:
    """Whether the database itself is at fault: locked, full or gone. Else one call's values are."""
    if isinstance(error, DBAPIError):
        return isinstance(error, OperationalError) or error.connection_invalidated
    return isinstance(error, OSError)


def _refuse(job: _Steps | _Work, error: Exception) -> None:
    if isinstance(error, (DBAPIError, OSError)):
        refused = DatabaseFailedError(reason(error))
        refused.__cause__ = error
        error = refused
    job.done.set_exception(error)


def reason(error: DBAPIError | OSError) -> str:
    """What the database says, without the statement and its parameters: they are what people wrote."""
    return str(error.orig if isinstance(error, DBAPIError) else error)
