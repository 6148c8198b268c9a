"""The models of the bot: tasks in, answers out, whoever provides them."""

import asyncio
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, aclosing, contextmanager
from dataclasses import replace
from time import perf_counter
from typing import TypeVar, get_args

from host.models.answer import Delta, Embeddings, ModelAnswer, Transcript, Usage
from host.models.attempts import Call, Candidate
from host.models.errors import BrokenStreamError, NoModelError, ProviderError, UnknownModelError, UnknownTaskError
from host.models.fitting import demand, fitted, next_piece, not_empty
from host.models.holding import Roster
from host.models.kinds import BUILT_IN_KINDS
from host.models.provider import ProviderFactory
from host.models.request import ModelRequest
from host.models.settings import (
    OFFLINE_MODEL,
    OFFLINE_PROVIDER,
    PUBLISHED_NAMES,
    ModelEntry,
    ModelSettings,
    TaskName,
    needed_for,
)
from host.models.usage import Caller, UsageRecord, cost_of

_NAMES: tuple[TaskName, ...] = get_args(TaskName)
_TASKS: Mapping[str, TaskName] = {each: name for name in _NAMES for each in (name, PUBLISHED_NAMES.get(name, name))}

NOBODY = Caller()

Answered = TypeVar("Answered", ModelAnswer, Embeddings, Transcript)


class Models:
    """Asks the models that the settings give to each task.

    A call goes to the first model of the task's pool. A fault that may pass is tried again after a pause, as often as
    the model's provider is set to; then the next model of the pool is asked.

    Args:
        settings: the section `[models]`.
        usage: called after each answer with what it took. It must not raise.
        environ: where keys of providers may stand.
    """

    def __init__(
        self,
        settings: ModelSettings,
        *,
        usage: Callable[[UsageRecord], None] | None = None,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        self._usage = usage
        self._roster = Roster(BUILT_IN_KINDS, environ)
        self.reconfigure(settings)

    @property
    def settings(self) -> ModelSettings:
        """Those that count for the next call."""
        return self._settings

    @property
    def tasks(self) -> tuple[str, ...]:
        """The names of all tasks as public plugins know them, in alphabetical order."""
        return tuple(sorted(PUBLISHED_NAMES.get(name, name) for name in _NAMES))

    def pool(self, task: str) -> tuple[ModelEntry, ...]:
        """The models of a task, the one that is asked first at the front; none where no model can do it.

        Raises:
            UnknownTaskError: there is no such task.
        """
        return self._settings.pool(_task(task))

    def model(self, name: str) -> ModelEntry:
        """The model of that name.

        Raises:
            UnknownModelError: the settings have none.
        """
        entries = self._settings.models if self._settings.providers else (OFFLINE_MODEL,)
        for entry in entries:
            if entry.name == name:
                return entry
        raise UnknownModelError(name, (entry.name for entry in entries))

    async def generate(
        self,
        task: str,
        request: ModelRequest,
        *,
        model: str | None = None,
        caller: Caller = NOBODY,
        deadline_seconds: float | None = None,
    ) -> ModelAnswer:
        """Let a model answer.

        Args:
            task: whose pool is asked; it gives temperature, limits and deadline where the request does not.
            request: what is asked.
            model: asks this one alone, with a single attempt.
            caller: who asks, for the usage.
            deadline_seconds: how long all attempts together may take; as the task has it when None.

        Raises:
            UnknownTaskError: there is no such task.
            UnknownModelError: there is no such model.
            NoModelError: no model of the settings can do the task.
            NoAnswerError: none of the models answered; it tells all attempts.
        """
        with self._calling(task, model, caller, deadline_seconds) as call:

            async def ask(candidate: Candidate) -> ModelAnswer:
                asked = fitted(request, candidate.model, call.settings)
                provider = await candidate.held.get()
                return not_empty(await provider.generate(candidate.model, asked))

            return await self._answered(call, ask)

    async def stream(
        self,
        task: str,
        request: ModelRequest,
        *,
        model: str | None = None,
        caller: Caller = NOBODY,
        deadline_seconds: float | None = None,
    ) -> AsyncGenerator[Delta, None]:
        """Let a model answer piece by piece; the last piece has the whole answer.

        Until the first piece came, faults are dealt with as in `generate`. Use it within `contextlib.aclosing` where
        it may be left early, so that the connection closes at once.

        Args:
            task: as in `generate`, like the other arguments.
            request: what is asked.
            model: asks this one alone.
            caller: who asks.
            deadline_seconds: how long all of it may take.

        Raises:
            BrokenStreamError: a model failed after its first piece.
            NoAnswerError: as in `generate`, like the other errors.
        """
        with self._calling(task, model, caller, deadline_seconds) as call:
            async with AsyncExitStack() as opened:

                async def start(candidate: Candidate) -> tuple[_Stream, Delta]:
                    asked = fitted(request, candidate.model, call.settings)
                    provider = await candidate.held.get()
                    async with AsyncExitStack() as opening:
                        started = perf_counter()
                        pieces = await opening.enter_async_context(aclosing(provider.stream(candidate.model, asked)))
                        first = await next_piece(pieces)
                        await opened.enter_async_context(opening.pop_all())
                    return (candidate, pieces, started), first

                (candidate, pieces, started), piece = await call.first_answer(start)
                while piece.answer is None:
                    yield piece
                    try:
                        piece = await call.attempt(candidate, next_piece(pieces))
                    except ProviderError:
                        raise BrokenStreamError(call.task, call.attempts) from None
                answer = replace(piece.answer, model=candidate.model.name)
                self._count(call, candidate, answer.usage, perf_counter() - started)
                yield replace(piece, answer=answer)

    async def embed(
        self,
        texts: Sequence[str],
        *,
        task: str = "embedding",
        model: str | None = None,
        caller: Caller = NOBODY,
        deadline_seconds: float | None = None,
    ) -> Embeddings:
        """Turn texts into vectors, all by one model.

        Args:
            texts: at least one, and none of them blank.
            task: whose pool is asked.
            model: asks this one alone.
            caller: who asks.
            deadline_seconds: how long all attempts together may take.

        Raises:
            NoAnswerError: as in `generate`, like the other errors.
        """
        with self._calling(task, model, caller, deadline_seconds) as call:

            async def ask(candidate: Candidate) -> Embeddings:
                demand(candidate.model, "embedding")
                provider = await candidate.held.get()
                return await provider.embed(candidate.model, texts)

            return await self._answered(call, ask)

    async def transcribe(
        self,
        audio: bytes,
        *,
        task: str = "voice",
        model: str | None = None,
        caller: Caller = NOBODY,
        deadline_seconds: float | None = None,
    ) -> Transcript:
        """Turn speech into text.

        Args:
            audio: a sound file.
            task: whose pool is asked.
            model: asks this one alone.
            caller: who asks.
            deadline_seconds: how long all attempts together may take.

        Raises:
            NoAnswerError: as in `generate`, like the other errors.
        """
        with self._calling(task, model, caller, deadline_seconds) as call:

            async def ask(candidate: Candidate) -> Transcript:
                demand(candidate.model, "audio")
                provider = await candidate.held.get()
                return await provider.transcribe(candidate.model, audio)

            return await self._answered(call, ask)

    def provide(self, kind: str, factory: ProviderFactory) -> Callable[[], None]:
        """Offer a kind of provider, as a plugin does with `@LLMProvider`.

        Args:
            kind: that entries of the settings name.
            factory: makes the provider of such an entry.

        Returns:
            Its undo: nobody provides the kind afterwards. Calls that are running end as they would have.

        Raises:
            KindTakenError: the kind is provided already.
        """
        return self._roster.provide(kind, factory)

    def reconfigure(self, settings: ModelSettings) -> None:
        """Follow changed settings from the next call on.

        Calls that are running end with what they began with. A provider whose entry did not change stays as it is,
        with its connections.
        """
        self._settings = settings
        self._roster.follow(settings.providers or (OFFLINE_PROVIDER,))

    async def aclose(self) -> None:
        """Close all providers, each when its last running call has ended. Nothing is asked afterwards."""
        await self._roster.aclose()

    @contextmanager
    def _calling(self, task: str, model: str | None, caller: Caller, deadline_seconds: float | None) -> Iterator[Call]:
        """A call whose providers stay open until the block ends."""
        name = _task(task)
        settings = self._settings.task(name)
        entries = self._settings.pool(name) if model is None else (self.model(model),)
        if not entries:
            raise NoModelError(task, needed_for(name))
        candidates = [Candidate(entry, self._roster[entry.provider]) for entry in entries]
        seconds = settings.timeout_seconds if deadline_seconds is None else deadline_seconds
        deadline = asyncio.get_running_loop().time() + seconds
        with ExitStack() as holding:
            for candidate in candidates:
                holding.enter_context(candidate.held.in_use())
            yield Call(name, caller, candidates, settings, deadline, once=model is not None)

    async def _answered(self, call: Call, ask: Callable[[Candidate], Awaitable[Answered]]) -> Answered:
        async def timed(candidate: Candidate) -> tuple[Candidate, Answered, float]:
            started = perf_counter()
            answer = await ask(candidate)
            return candidate, answer, perf_counter() - started

        candidate, answer, seconds = await call.first_answer(timed)
        self._count(call, candidate, answer.usage, seconds)
        return replace(answer, model=candidate.model.name)

    def _count(self, call: Call, candidate: Candidate, usage: Usage, seconds: float) -> None:
        if self._usage is not None:
            model = candidate.model
            record = UsageRecord(
                call.task, model.name, model.provider, call.caller, usage, cost_of(usage, model), seconds
            )
            self._usage(record)


_Stream = tuple[Candidate, AsyncGenerator[Delta, None], float]


def _task(name: str) -> TaskName:
    try:
        return _TASKS[name]
    except KeyError:
        raise UnknownTaskError(name, sorted(_TASKS)) from None
