"""``maibot-host run``: the bot with its plugins, the web interface, and somebody at the terminal or a recorded chat."""

import asyncio
import contextlib
import signal
import sys
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, ExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, Literal

from host.app import Host
from host.bot import ConsoleGateway, RecordedMessage, Status, read_recording
from host.bot.recording import RecordingError
from host.cli.following_settings import SettingsSource, following_settings
from host.cli.plugin_pages import summary
from host.cli.progress import loading_line
from host.cli.terminal import lines_of
from host.cli.texts import CLI_TEXTS
from host.cli.trace_lines import TraceLines
from host.hooks.texts import Locale
from host.running_file import RUNNING_FILE, RunningHost, announced
from host.runtime import PluginState
from host.runtime.following import following
from host.settings import Settings
from webui_api import AccessToken, create_app, serve
from webui_api.errors import CannotListenError, TokenFileError

STANDARD_INPUT: Final = "-"
TOKEN_FILE: Final = "webui.json"
"""Where the access token lies in the data folder."""
OBSERVER_GRACE_S = 10.0
"""How long observers may go on after the last message."""

Say = Callable[[str], None]
Recording = Sequence[bytes] | Literal["-"]


@dataclass(frozen=True, slots=True)
class Session:
    """What one run was asked to do.

    Args:
        settings: of the host.
        settings_source: where they come from; followed while the host runs.
        locale: of everything that is said.
        say: writes a line for the person at the terminal.
        web: whether to serve the web interface.
        console: whether to talk with whoever sits at the terminal; if not, only a signal ends the run.
        trace: whether to write each dispatch as a small tree.
        reload: whether plugins whose code changes are reloaded.
        recording: the lines of a recorded chat to play instead of talking, or `STANDARD_INPUT`; None to talk.
    """

    settings: Settings
    settings_source: SettingsSource
    locale: Locale
    say: Say
    web: bool
    console: bool
    trace: bool
    reload: bool
    recording: Recording | None

    def text(self, code: str, **fields: object) -> str:
        """A sentence of the command line in this session's language."""
        return CLI_TEXTS.render(code, fields, self.locale)


async def run(session: Session) -> int:
    """Run until the conversation or the recording ends, or until SIGTERM or Ctrl-C.

    Returns:
        The exit code: 1 when the recording had lines that could not be used, else 0.
    """
    _end_on_sigterm()
    # In a conversation the console is the chat; a recording's answers are told with each message's outcome.
    console = ConsoleGateway(session.say if session.recording is None else _say_nothing, locale=session.locale)
    host = Host(
        session.settings,
        gateways=(console,),
        fallback=None if session.recording is None else console,
        locale=session.locale,
        remembers=session.recording is None,
        pause=asyncio.sleep if session.recording is None else _at_once,
    )
    async with AsyncExitStack() as stack:
        with loading_line(host.plugins, session.locale):
            await stack.enter_async_context(host)
        report_plugins(host, session.say, session.locale)
        session.say(summary((plugin.state for plugin in host.plugins), session.locale))
        if session.trace:
            host.hooks.listen(TraceLines(session.say, session.locale))
        await stack.enter_async_context(following(host.plugins, code=session.reload))
        await stack.enter_async_context(following_settings(host, session.settings_source))
        async with _web(host, session):
            for outcome in await host.take_up():
                session.say(session.text("taken_up", outcome=outcome.line(session.locale)))
            if session.recording is not None:
                return await _play(host, session, session.recording)
            _welcome(host, session)
            if session.console:
                await _talk(host, console, session)
            else:
                await asyncio.Event().wait()
            return 0


def report_plugins(host: Host, say: Say, locale: Locale) -> None:
    """Say which plugins were not loaded, and what authors of the others should look at. Tracebacks are in the log."""
    for plugin in host.plugins:
        if plugin.problem is not None:
            say(CLI_TEXTS.render("plugin_failed", {"id": plugin.id, "why": plugin.problem.text(locale)}, locale))
        if plugin.registration is not None:
            for warning in plugin.registration.warnings:
                say(CLI_TEXTS.render("plugin_warning", {"id": plugin.id, "why": warning.text(locale)}, locale))


def _welcome(host: Host, session: Session) -> None:
    active = sum(plugin.state is PluginState.ACTIVE for plugin in host.plugins)
    code = "welcome" if session.console else "welcome_no_console"
    session.say(session.text(code, nickname=session.settings.bot.nickname, active=active))


async def _talk(host: Host, console: ConsoleGateway, session: Session) -> None:
    async with aclosing(lines_of(sys.stdin.fileno())) as lines:
        async for line in lines:
            text = line.decode(errors="replace").strip()
            if not text:
                continue
            outcome = await host.bot.receive(console.message(text))
            if outcome.status is not Status.REPLIED or outcome.failures or outcome.ignored:
                session.say(outcome.line(session.locale))
    await _let_observers_end(host)


async def _let_observers_end(host: Host) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(OBSERVER_GRACE_S):
            await host.hooks.drain()


async def _play(host: Host, session: Session, recording: Recording) -> int:
    counts: Counter[Status] = Counter()
    bad_lines = 0
    async with aclosing(_recorded(recording)) as messages:
        async for recorded in messages:
            if isinstance(recorded, RecordingError):
                bad_lines += 1
                session.say(recorded.text(session.locale))
                continue
            outcome = await host.bot.receive(recorded.message)
            counts[outcome.status] += 1
            session.say(f"{recorded.line:>4}  {outcome.line(session.locale)}")
            # In a chat that is typed there is time between messages; observers get their turn here too.
            await asyncio.sleep(0)
    await _let_observers_end(host)
    told = ", ".join(
        session.text(f"status_{status.value}", count=counts[status]) for status in Status if counts[status]
    )
    session.say(session.text("summary", total=counts.total(), counts=told or "0"))
    if bad_lines:
        session.say(session.text("bad_lines", count=bad_lines))
    return 1 if bad_lines else 0


async def _recorded(recording: Recording) -> AsyncGenerator[RecordedMessage | RecordingError]:
    if not isinstance(recording, str):
        for each in read_recording(recording):
            yield each
        return
    number = 0
    async with aclosing(lines_of(sys.stdin.fileno())) as lines:
        async for line in lines:
            number += 1
            for each in read_recording([line], first_line=number):
                yield each


@asynccontextmanager
async def _web(host: Host, session: Session) -> AsyncIterator[None]:
    """Serve the web interface meanwhile. Where it cannot be served, the bot runs without."""
    if not session.web:
        yield
        return
    web, data_dir = session.settings.web, session.settings.data_dir
    listening: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    try:
        token = AccessToken.load_or_create(data_dir / TOKEN_FILE)
    except TokenFileError as error:
        session.say(session.text("web_failed", why=error.text(session.locale)))
        yield
        return
    # Looked for before this host answers: one that crashed may have left the very same address.
    other = await asyncio.to_thread(RunningHost.find, data_dir)
    app = create_app(host, token, allowed_hosts=(*web.allowed_hosts, web.host))
    serving = asyncio.create_task(serve(app, host=web.host, port=web.port, started=listening.set_result))
    either: set[asyncio.Future[Any]] = {serving, listening}
    try:
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        with ExitStack() as stack:
            if listening.done():
                _announce(listening.result(), other, session, stack)
                _welcome_to_web(listening.result(), token, session)
            else:
                _report_web_failure(serving, session)
            yield
    finally:
        serving.cancel()
        await asyncio.wait({serving})


def _welcome_to_web(address: str, token: AccessToken, session: Session) -> None:
    session.say(session.text("web", address=address))
    # Said once: afterwards the file has it, and what is said may go to a service's journal.
    session.say(session.text("token_new" if token.is_new else "token_kept", token=token.secret, path=token.path))


def _announce(address: str, other: RunningHost | None, session: Session, stack: ExitStack) -> None:
    """Say in the data folder where this host is reached until `stack` ends, unless another host is reached there."""
    data_dir = session.settings.data_dir
    if other is not None:
        session.say(session.text("other_host", path=data_dir, pid=other.pid, address=other.address))
        return
    try:
        stack.enter_context(announced(data_dir, address))
    except OSError as error:
        session.say(session.text("cannot_write", path=data_dir / RUNNING_FILE, why=error.strerror))


def _report_web_failure(serving: asyncio.Task[None], session: Session) -> None:
    try:
        serving.result()
    except CannotListenError as failure:
        session.say(session.text("web_failed", why=failure.text(session.locale)))


def _end_on_sigterm() -> None:
    """SIGTERM ends the program as Ctrl-C does: by cancelling it, so that plugins are unloaded."""
    task = asyncio.current_task()
    assert task is not None
    if sys.platform != "win32":
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)


async def _at_once(seconds: float) -> None:
    """Nobody waits for what the bot types in a recording."""


def _say_nothing(line: str) -> None:
    """The console of a recording."""
