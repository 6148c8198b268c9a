"""Keeps an eye on one plugin's process: whether it answers, and how much memory it uses."""

import asyncio
from collections.abc import Callable
from time import monotonic

import msgspec

from host.hooks.texts import Locale
from host.runtime.runners.call_errors import RemoteFailureError
from host.runtime.runners.memory_limit import own_bytes
from host.runtime.runners.messages import PING, UNREADABLE, Pong
from host.runtime.runners.peer import Peer
from host.runtime.runners.settings import RunnerSettings
from host.runtime.texts import RUNTIME_TEXTS

_MEMORY_SECONDS = 1.0
_MEBIBYTE = 1024 * 1024
_MOST_TEXT = 500
"""Characters that a process which breaks the protocol has in the reason of its end."""


class KillReason:
    """Why the host killed a plugin's process.

    Args:
        code: a key of the runtime's text table.
        fields: the facts that its text names.
    """

    def __init__(self, code: str, **fields: object) -> None:
        self.code = code
        self.fields = fields

    def text(self, locale: Locale = "en") -> str:
        """A clause without a full stop, in the given language."""
        return RUNTIME_TEXTS.render(self.code, self.fields, locale)


class Watch:
    """Watches one process until it is closed.

    Silence alone says little: a plugin may do in one go what takes long, within the deadline of its handler. After a
    deadline has passed, a process has a short grace to show that it still answers; otherwise a long one. Where it is
    found that all its threads are stuck, they have that short grace to come back.

    Args:
        peer: the way to the process.
        pid: the process.
        settings: how long it may be silent.
        most_hung: with so many threads stuck in calls that nobody waits for any more, it can run no plain function.
        memory_limit_mb: how many MiB of its own it may use; None for any number.
        condemn: has the process killed, for a reason; returns at once.
    """

    def __init__(
        self,
        peer: Peer,
        pid: int,
        settings: RunnerSettings,
        most_hung: int,
        memory_limit_mb: int | None,
        condemn: Callable[[KillReason], None],
    ) -> None:
        self.responding = True
        self.hung = 0
        self._peer = peer
        self._pid = pid
        self._settings = settings
        self._most_hung = most_hung
        self._condemn = condemn
        self._suspicion: asyncio.Task[None] | None = None
        self._patience: asyncio.Task[None] | None = None
        self._tasks = {asyncio.create_task(self._heartbeat(), name=f"heartbeat of process {pid}")}
        if memory_limit_mb is not None:
            self._tasks.add(asyncio.create_task(self._weigh(memory_limit_mb), name=f"memory of process {pid}"))

    def suspect(self) -> None:
        """A call of it was given up: see whether it still answers."""
        if self._suspicion is None:
            self._suspicion = asyncio.create_task(self._look_closely(), name=f"suspicion of process {self._pid}")
            self._suspicion.add_done_callback(self._cleared)

    def _be_patient(self) -> None:
        if self._patience is None:
            self._patience = asyncio.create_task(self._wait_for_threads(), name=f"threads of process {self._pid}")
            self._patience.add_done_callback(self._cleared)

    async def aclose(self) -> None:
        """Stop watching."""
        tasks = self._tasks | {task for task in (self._suspicion, self._patience) if task is not None}
        tasks.discard(asyncio.current_task())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _look_closely(self) -> None:
        grace = self._settings.grace_seconds
        if not await self._answers(grace):
            self._condemn(KillReason("lost_not_answering", seconds=grace))

    async def _wait_for_threads(self) -> None:
        grace = self._settings.grace_seconds
        await asyncio.sleep(grace)
        if await self._answers(grace) and self.hung >= self._most_hung:
            self._condemn(KillReason("lost_hung_threads", hung=self.hung))

    def _cleared(self, task: asyncio.Task[None]) -> None:
        if task is self._suspicion:
            self._suspicion = None
        else:
            self._patience = None
        if not task.cancelled():
            task.exception()  # The process ended meanwhile, which is told by other means.

    async def _heartbeat(self) -> None:
        while True:
            silent = monotonic() - self._peer.last_heard
            if silent < self._settings.heartbeat_seconds:
                # It was heard of since: what flows is as good as a heartbeat.
                self.responding = True
                await asyncio.sleep(self._settings.heartbeat_seconds - silent)
            elif not await self._answers(self._settings.unresponsive_seconds):
                self._condemn(KillReason("lost_unresponsive", seconds=self._settings.unresponsive_seconds))
                return

    async def _answers(self, seconds: float) -> bool:
        """Whether it answers within some seconds; meanwhile it counts as not responding after a heartbeat's time."""
        ping = asyncio.create_task(self._ping(monotonic() + seconds))
        ping.add_done_callback(_noted)
        await asyncio.wait({ping}, timeout=min(self._settings.heartbeat_seconds, seconds))
        try:
            self.responding = ping.done()
            return await ping
        finally:
            ping.cancel()

    async def _ping(self, due: float) -> bool:
        try:
            answer = await self._peer.call(PING, b"\xc0", due=due)
            self.hung = msgspec.msgpack.decode(answer, type=Pong).hung
            if self.hung >= self._most_hung:
                self._be_patient()
        except TimeoutError:
            return False
        except (*UNREADABLE, RemoteFailureError) as error:
            self._condemn(KillReason("lost_protocol", what=f"{PING}: {error}"[:_MOST_TEXT]))
        self.responding = True
        return True

    async def _weigh(self, limit: int) -> None:
        while True:
            await asyncio.sleep(_MEMORY_SECONDS)
            used = await asyncio.to_thread(own_bytes, self._pid)
            if used is not None and used > limit * _MEBIBYTE:
                self._condemn(KillReason("lost_memory", used=used // _MEBIBYTE, limit=limit))
                return


def _noted(ping: asyncio.Task[bool]) -> None:
    """How a ping ended that nobody waits for any more is of no interest: the end of its process is told elsewhere."""
    if not ping.cancelled():
        ping.exception()
