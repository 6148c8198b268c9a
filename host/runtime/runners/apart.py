"""Houses plugins in processes of their own."""

from collections.abc import Callable
from pathlib import Path

from host.hooks import Source
from host.runtime.code import Isolation, Lost
from host.runtime.host_methods import HostCall, HostMethods
from host.runtime.runners.allocation import keep_large_blocks
from host.runtime.runners.messages import Preparation
from host.runtime.runners.process import Launcher
from host.runtime.runners.remote import RemoteCode
from host.runtime.runners.settings import RunnerSettings
from host.runtime.state import Plugin


class Apart:
    """Houses each plugin in a process of its own.

    Args:
        launcher: makes the processes; whoever made it closes it.
        data_dir: where plugins keep their data: ``plugins/<id>`` in it, and ``temp/plugins/<id>`` for what may be lost.
        settings: limits of processes.
        lifecycle_seconds: how long ``on_load`` may take, ``on_unload``, and ``on_config_update``.
        worker_threads: how many threads a plugin gets for its plain functions.
        memory_limit_mb: the memory that a plugin's process may use, by plugin id; by default that of the settings.
        answer: carries out what plugins call on the host; None where they are not connected to one.
    """

    def __init__(
        self,
        launcher: Launcher,
        data_dir: Path,
        settings: RunnerSettings | None = None,
        *,
        lifecycle_seconds: float = 30.0,
        worker_threads: int = 4,
        memory_limit_mb: Callable[[str], int | None] = lambda plugin_id: None,
        answer: HostCall | None = None,
    ) -> None:
        keep_large_blocks()
        self._launcher = launcher
        self._data_dir = data_dir.absolute()
        self._settings = settings or RunnerSettings()
        self._lifecycle_seconds = lifecycle_seconds
        self._worker_threads = worker_threads
        self._memory_limit_mb = memory_limit_mb
        self._answer = answer

    def isolation(self, plugin: Plugin) -> Isolation:
        """The same for all."""
        return "process"

    def house(self, plugin: Plugin, lost: Lost) -> RemoteCode:
        """The code of one plugin, in a process that begins with its preparation."""
        limit_mb = self._memory_limit_mb(plugin.id) or self._settings.memory_limit_mb
        preparation = Preparation(
            plugin_id=plugin.id,
            path=str(plugin.path),
            builtin=plugin.source is Source.BUILTIN,
            data_dir=str(self._data_dir),
            lifecycle_seconds=self._lifecycle_seconds,
            worker_threads=self._worker_threads,
            memory_limit_mb=limit_mb,
            frame_limit=self._settings.frame_limit_mb << 20,
            connected=self._answer is not None,
        )
        methods = None if self._answer is None else HostMethods(plugin, self._answer)
        return RemoteCode(plugin, self._launcher, preparation, self._settings, methods, lost)
