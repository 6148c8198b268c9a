"""What the host asks of a plugin's code, wherever that runs: in the host's process, or in one of its own."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from host.hooks import Declaration
from host.runtime.invoking import Called, Invoked
from host.runtime.problems import PluginError
from host.runtime.state import Plugin

Lost = Callable[[Plugin, PluginError], None]
"""``(whose process ended, why)``."""

Isolation = Literal["process", "inline"]
"""Whether a plugin has a process of its own, or runs in the host's."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a plugin's code says of itself once it is imported and configured.

    Args:
        components: everything it declares, as ``{"name", "type", "metadata"}``.
        declarations: the hook handlers among them, to be checked.
        enabled: whether its configuration has it switched on.
    """

    components: Sequence[Mapping[str, Any]]
    declarations: Sequence[Declaration]
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class Configured:
    """What became of reading a plugin's configuration file again.

    Args:
        enabled: whether it has the plugin switched on.
        changed: whether the plugin finds something else in it than before.
    """

    enabled: bool
    changed: bool


@dataclass(frozen=True, slots=True)
class HandlerVitals:
    """How the calls of one handler went, as seen from the host.

    Args:
        calls: how many there were since its process began.
        failures: how many of them failed.
        p50: the median of the latest calls' durations, in seconds; None before the first.
        p95: the 95th percentile of them.
        p99: the 99th percentile of them.
    """

    calls: int
    failures: int
    p50: float | None
    p95: float | None
    p99: float | None


@dataclass(frozen=True, slots=True)
class Vitals:
    """How the process of one plugin is doing. Its memory takes longer to find out: `proportional_bytes`, in a thread.

    Args:
        pid: the process.
        uptime: seconds since it began.
        responding: whether it answered when it was last asked.
        hung: threads of it that run calls which nobody waits for any more.
        in_flight: calls that it has not answered yet.
        dropped_lines: lines of its output that were dropped, since there were too many.
        handlers: how their calls went, by the handlers' names.
    """

    pid: int
    uptime: float
    responding: bool
    hung: int
    in_flight: int
    dropped_lines: int
    handlers: Mapping[str, HandlerVitals]


class PluginCode(Protocol):
    """The code of one plugin. It is made for one record and prepared once; it may be started and stopped repeatedly.

    Whatever the plugin does wrong comes out as a `PluginError`, and stays with the plugin.
    """

    async def prepare(self) -> Prepared:
        """Import the plugin, create its instance, configure it, and collect what it declares.

        Raises:
            PluginError: its code failed, or is not what it should be.
        """

    async def start(self) -> None:
        """Call ``on_load``.

        Raises:
            PluginError: it failed or took too long. What it had begun is undone.
        """

    async def stop(self) -> None:
        """Call ``on_unload``, and undo what the plugin did since ``on_load`` began.

        Raises:
            PluginError: ``on_unload`` failed or took too long. Everything was undone all the same.
        """

    async def configure(self) -> Configured:
        """Read the configuration file again, and hand it to the plugin.

        Raises:
            PluginError: the file is broken, or the plugin's code raised; the last good configuration counts on.
        """

    async def tell_configured(self) -> None:
        """Call ``on_config_update`` for the plugin's own configuration as it is now.

        Raises:
            PluginError: it failed or took too long. The configuration counts all the same.
        """

    async def tell(self, scope: str, config_data: Mapping[str, Any], version: str) -> None:
        """Call ``on_config_update`` for a configuration of others, if the plugin asked to be told of it.

        Args:
            scope: ``"bot"`` or ``"model"``.
            config_data: the whole of it; the plugin gets a copy.
            version: its version, or "".

        Raises:
            PluginError: it failed or took too long.
        """

    async def invoke(self, called: Called, arguments: Mapping[str, Any], due: float) -> Invoked:
        """Call a component that is no hook handler.

        Args:
            called: which.
            arguments: made of the types that may be in a payload.
            due: until when it has to be done, on `time.monotonic`; whoever calls cancels it then.
        """

    def vitals(self) -> Vitals | None:
        """How its own process is doing; None where it has none."""

    async def remove(self) -> None:
        """Take everything of the code away. Nothing else is asked of it afterwards."""


class Housing(Protocol):
    """Decides where plugins' code runs, and makes the way to it."""

    def isolation(self, plugin: Plugin) -> Isolation:
        """Where the code of a plugin is to run."""

    def house(self, plugin: Plugin, lost: Lost) -> PluginCode:
        """The code of a plugin, not prepared yet.

        Args:
            plugin: its record.
            lost: is called when the process of the code ends though nobody asked for it, once it was started; then
                nothing but `PluginCode.remove` is asked of that code any more.
        """
