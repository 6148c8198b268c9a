"""Runner processes forked from a warm parent: the host's side of it. Linux only."""

import asyncio
from collections.abc import Sequence

from host.runtime.runners.process import RUNNER_ENTRY, LaunchError, RunnerProcess
from host.runtime.runners.zygote_link import ColdError, ZygoteLink

WARM_IMPORTS = ("maibot_sdk", "maibot_sdk.components", "maibot_sdk.context", "host.runtime.runners.rehearsal")
"""What every runner needs, besides its own entry."""

_OVERLAPPING = 16
"""So many launches are under way at once, since descriptors on their way count against a limit of the system."""


class WarmParent:
    """Makes runner processes by forking them from a process that has imported what they need.

    That process is started with the first launch, and again when it has died; what descended from it is gone by then.
    Everything ends with this process, also where that is killed.

    Args:
        imports: names of modules that are imported before any fork. None of them may start a thread.
        entry: what a runner process runs, ``module:function``.
    """

    def __init__(self, imports: Sequence[str] = WARM_IMPORTS, entry: str = RUNNER_ENTRY) -> None:
        self._imports = tuple(imports)
        self._entry = entry
        self._link: ZygoteLink | None = None
        self._starting = asyncio.Lock()
        self._slots = asyncio.Semaphore(_OVERLAPPING)
        self._closed = False

    @property
    def pid(self) -> int | None:
        """The warm parent's process; None while there is none."""
        return self._link.pid if self._link is not None and not self._link.lost else None

    async def launch(self, name: str) -> RunnerProcess:
        """Fork a runner; see `Launcher`."""
        async with self._slots:
            try:
                link = await self._living(name)
                return await link.launch(name)
            except OSError as error:
                raise LaunchError("refused", name, why=error.strerror or str(error)) from error

    async def aclose(self) -> None:
        """Kill everything that was forked; see `Launcher`."""
        self._closed = True
        async with self._starting:
            if self._link is not None:
                await self._link.aclose()

    async def _living(self, name: str) -> ZygoteLink:
        async with self._starting:
            if self._closed:
                raise LaunchError("closed", name)
            if self._link is not None and self._link.lost:
                # Nothing of the old ones may still hold what a new one wants.
                await self._link.wait_gone()
                self._link = None
            if self._link is None:
                try:
                    self._link = await ZygoteLink.start(self._imports, self._entry)
                except ColdError as error:
                    raise LaunchError("not_warm", name, why=str(error)) from error
            return self._link
