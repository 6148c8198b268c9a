"""The command line."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated, Literal, NoReturn

import typer
from rich.console import Console

from host.app import Host
from host.authoring import check_plugins
from host.cli.check import report_json, report_lines
from host.cli.hook_table import hook_table
from host.cli.locale import choose_locale
from host.cli.run import STANDARD_INPUT, Recording, Session, report_plugins, run
from host.cli.texts import CLI_TEXTS
from host.hooks.texts import Locale
from host.logs import configure_logs
from host.runtime import MANIFEST_FILE
from host.settings import SETTINGS_FILE, Settings, SettingsError

commands = typer.Typer(
    name="maibot-host",
    help="A named-hook plugin host for chat bots. / 聊天机器人的命名 Hook 插件宿主。",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Plugins = Annotated[
    list[Path] | None, typer.Option("--plugins", help="Folder of third-party plugins; may be given several times.")
]
Data = Annotated[Path | None, typer.Option(help="Folder for the token and the plugins' data. [default: data]")]
Config = Annotated[Path | None, typer.Option(help="Settings file. [default: host.toml, where there is one]")]
Language = Annotated[Literal["auto", "en", "zh"] | None, typer.Option("--lang", help="Language of what is said.")]
LogLevel = Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR"], typer.Option(help="Least level of log lines.")]


@commands.command("run")
def run_command(
    plugins: Plugins = None,
    recording: Annotated[
        str | None,
        typer.Option("--input", metavar="FILE", help="Play a recorded chat (JSON Lines; - is standard input) and end."),
    ] = None,
    data: Data = None,
    config: Config = None,
    address: Annotated[str | None, typer.Option("--host", help="Address of the web interface.")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65_535, help="Its port; 0 takes any free one.")] = None,
    web: Annotated[bool, typer.Option("--web/--no-web", help="Whether to serve the web interface.")] = True,
    console: Annotated[
        bool, typer.Option("--console/--no-console", help="Whether to talk here; a service runs without.")
    ] = True,
    trace: Annotated[bool, typer.Option("--trace", help="Print each dispatch as a small tree.")] = False,
    lang: Language = None,
    log_level: LogLevel = "INFO",
) -> None:
    """Run the bot: talk to it on the console, or play a recorded chat."""
    settings = _settings(config, plugins, data, lang)
    changed = {key: value for key, value in (("host", address), ("port", port)) if value is not None}
    settings = settings.model_copy(update={"web": settings.web.model_copy(update=changed)})
    configure_logs(log_level)
    locale = choose_locale(settings.language)
    session = Session(settings, locale, _say, web, console, trace, _recording(recording, locale) if recording else None)
    try:
        code = asyncio.run(run(session))
    except (KeyboardInterrupt, asyncio.CancelledError):
        _say(session.text("goodbye"))
        code = 0
    raise typer.Exit(code)


@commands.command("hooks")
def hooks_command(
    plugins: Plugins = None,
    data: Data = None,
    config: Config = None,
    lang: Language = None,
    log_level: LogLevel = "WARNING",
) -> None:
    """Print every hook, what it allows, and its handlers in dispatch order, with the reason for the order."""
    settings = _settings(config, plugins, data, lang)
    configure_logs(log_level)
    session = Session(
        settings, choose_locale(settings.language), _say, web=False, console=False, trace=False, recording=None
    )

    async def show() -> None:
        async with Host(settings, locale=session.locale) as host:
            report_plugins(host, session)
            table = hook_table(host.hooks.describe(), settings.hooks.default_timeout_ms, session.locale)
            Console(highlight=False).print(table, soft_wrap=True)

    asyncio.run(show())


@commands.command("check")
def check_command(
    path: Annotated[Path, typer.Argument(help="A plugin's folder, or a folder of plugins.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Let warnings count as errors.")] = False,
    config: Config = None,
    lang: Language = None,
) -> None:
    """Say all that is wrong with a plugin, without running the bot. Exit code 1 if anything is, 2 if there is none."""
    settings = _settings(config, None, None, lang)
    configure_logs("WARNING")
    locale = choose_locale(settings.language)
    reports = check_plugins(path, settings.hooks)
    if not reports:
        _fail(CLI_TEXTS.render("check_nothing", {"path": path}, locale))
    if as_json:
        _say(report_json(reports, locale))
    else:
        for line in report_lines(reports, locale):
            _say(line)
    bad = any(report.findings if strict else not report.ok for report in reports)
    raise typer.Exit(1 if bad else 0)


def main() -> None:
    """The console script ``maibot-host``."""
    commands()


def _settings(config: Path | None, plugins: list[Path] | None, data: Path | None, lang: str | None) -> Settings:
    """The settings file, with what the command line says laid over it."""
    path = config or (SETTINGS_FILE if SETTINGS_FILE.exists() else None)
    try:
        settings = Settings.load(path) if path else Settings()
    except SettingsError as error:
        _fail(error.text(choose_locale(lang or "auto")))
    locale = choose_locale(lang or settings.language)
    for folder in plugins or ():
        _check_folder(folder, locale)
    said = {"data_dir": data, "language": lang, "plugin_dirs": (*settings.plugin_dirs, *(plugins or ()))}
    return settings.model_copy(update={key: value for key, value in said.items() if value is not None})


def _check_folder(folder: Path, locale: Locale) -> None:
    """Refuse what is surely a slip, rather than run without the plugins that were meant."""
    if not folder.is_dir():
        _fail(CLI_TEXTS.render("no_plugins_folder", {"path": folder}, locale))
    if (folder / MANIFEST_FILE).exists():
        _fail(CLI_TEXTS.render("plugin_as_folder", {"path": folder, "parent": folder.absolute().parent}, locale))


def _recording(path: str, locale: Locale) -> Recording:
    if path == STANDARD_INPUT:
        return STANDARD_INPUT
    try:
        return Path(path).read_bytes().splitlines()
    except OSError as error:
        _fail(CLI_TEXTS.render("no_input", {"path": path, "why": error.strerror}, locale))


def _fail(text: str) -> NoReturn:
    sys.stderr.write(f"{text}\n")
    raise typer.Exit(2)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


__all__ = ["CLI_TEXTS", "commands", "main"]
