"""What host and runner say to each other, as typed data. The wire carries it; both sides check what they get."""

from typing import Any

from msgspec import DecodeError, Struct

from host.hooks.binding import Anatomy
from host.hooks.failure import Failure
from host.hooks.foreign import Foreign
from host.hooks.outcome import PortableReturn
from host.runtime.invoking import Called
from host.runtime.runners.problem_data import ProblemData

PREPARE, START, STOP = "prepare", "start", "stop"
CONFIGURE, TELL_CONFIGURED, TELL = "configure", "tell_configured", "tell"
HANDLE, INVOKE, PING, LEAVE = "handle", "invoke", "ping", "leave"
"""What the host asks of a runner. ``handle`` is followed by the handler's number, and by the trace id
where the handler takes it."""
HOST_METHOD = "host"
"""What a runner asks of the host: a host method, in the name of its plugin."""
LOG = "log"
"""What a runner tells the host without being asked: `LogRecord`."""


UNREADABLE = (DecodeError, UnicodeDecodeError, RecursionError)
"""What decoding raises where the other side sent what is no such message."""
MOST_LOGGED = 32_768
"""Characters of a log record that are told."""


class Preparation(Struct, frozen=True):
    """What a runner needs to know to load its plugin.

    Args:
        plugin_id: its id.
        path: its folder, absolute.
        builtin: whether it comes with the host.
        data_dir: where plugins keep their data, absolute.
        lifecycle_seconds: how long ``on_load`` may take, ``on_unload``, and ``on_config_update``.
        worker_threads: how many threads its plain functions get.
        memory_limit_mb: MiB that it may use beyond what its process begins with; None for any number.
        frame_limit: bytes that one message may have.
        connected: whether its calls to the host are answered.
    """

    plugin_id: str
    path: str
    builtin: bool
    data_dir: str
    lifecycle_seconds: float
    worker_threads: int
    memory_limit_mb: int | None
    frame_limit: int
    connected: bool


Judged = None | bool | int | float | str | Foreign
"""A value of a declaration that registration judges, whatever it is; `Foreign` for what could not travel."""


class DeclarationData(Struct, frozen=True):
    """A hook handler's `Declaration`, without its function.

    Args:
        anatomy: what its function asks for; None when what was declared is no callable.
        handler: what was declared instead of a callable.
    """

    hook: Judged
    name: Judged
    description: str
    mode: Judged
    order: Judged
    timeout_ms: Judged
    error_policy: Judged
    metadata: dict[str, Any]
    component_type: Judged
    handler_name: str
    anatomy: Anatomy | None
    handler: Foreign | None


class PreparedData(Struct, frozen=True):
    """What `Prepared` says, as data."""

    components: list[dict[str, Any]]
    declarations: list[DeclarationData]
    enabled: bool


class ConfiguredData(Struct, frozen=True):
    """What `Configured` says, as data."""

    enabled: bool
    changed: bool


class Answer(Struct, frozen=True, array_like=True):
    """What came of a step of the life cycle.

    Args:
        problem: why it failed; None when it did not.
        prepared: the answer to ``prepare``.
        configured: the answer to ``configure``.
    """

    problem: ProblemData | None = None
    prepared: PreparedData | None = None
    configured: ConfiguredData | None = None


class Told(Struct, frozen=True, array_like=True):
    """A configuration of others that a plugin may be told of."""

    scope: str
    config_data: dict[str, Any]
    version: str


class Handled(Struct, frozen=True, array_like=True):
    """What came of a handler's call: what it returned, or why it failed."""

    returned: PortableReturn | None = None
    failure: Failure | None = None


class Invocation(Struct, frozen=True, array_like=True):
    """A call of a component that is no hook handler."""

    called: Called
    arguments: dict[str, Any]


class Pong(Struct, frozen=True, array_like=True):
    """The answer to ``ping``.

    Args:
        hung: threads that still run a call that nobody waits for any more.
    """

    hung: int


class HostMethodCall(Struct, frozen=True, array_like=True):
    """A call of a host method."""

    method: str
    payload: dict[str, Any] | None
    timeout_ms: int | None


class LogRecord(Struct, frozen=True, array_like=True):
    """A line of the plugin's log: a level of `logging`, the logger's name, the text with its traceback.

    The text has at most `MOST_LOGGED` characters.
    """

    level: int
    logger: str
    text: str
