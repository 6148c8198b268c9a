"""The command line."""

import asyncio
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console

from host.app import Host
from host.authoring import check_plugins
from host.bub.table import rows as bub_rows
from host.capabilities import RevocationsFileError
from host.cli.bub import bub_command
from host.cli.check import report_json, report_lines
from host.cli.config import config_commands
from host.cli.desk import at_desk
from host.cli.hook_table import bub_table, hook_table
from host.cli.locale import choose_locale
from host.cli.migrate import migrate_command
from host.cli.options import (
    Config,
    Data,
    Language,
    PluginFolders,
    fail,
    read_settings,
    say,
    settings_from,
    settings_source,
)
from host.cli.plugins import plugin_commands
from host.cli.progress import standard_error
from host.cli.run import STANDARD_INPUT, Recording, Session, report_plugins, run
from host.cli.texts import CLI_TEXTS
from host.cli.top import top_command
from host.hooks.texts import Locale
from host.logs import configure_logs
from host.storage import StorageError

commands = typer.Typer(
    name="maibot-host",
    help="A named-hook plugin host for chat bots. / 聊天机器人的命名 Hook 插件宿主。",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
commands.add_typer(plugin_commands)
commands.add_typer(config_commands)
commands.command(
    "bub",
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []},
)(bub_command)

LogLevel = Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR"], typer.Option(help="Least level of log lines.")]


@commands.command("run")
def run_command(
    plugins: PluginFolders = None,
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
    reload: Annotated[bool, typer.Option("--reload", help="Reload plugins whose code changes.")] = False,
    lang: Language = None,
    log_level: LogLevel = "INFO",
) -> None:
    """Run the bot: talk to it on the console, or play a recorded chat."""
    source = settings_source(config, plugins, data, lang, host=address, port=port)
    settings = read_settings(source)
    configure_logs(log_level, standard_error())
    locale = choose_locale(settings.language)
    lines = _recording(recording, locale) if recording else None
    session = Session(settings, source, locale, say, web, console, trace, reload, lines)
    try:
        code = asyncio.run(run(session))
    except (KeyboardInterrupt, asyncio.CancelledError):
        say(session.text("goodbye"))
        code = 0
    except (StorageError, RevocationsFileError) as error:
        fail(error.text(locale), 1)
    raise typer.Exit(code)


@commands.command("hooks")
def hooks_command(
    plugins: PluginFolders = None,
    data: Data = None,
    config: Config = None,
    lang: Language = None,
    log_level: LogLevel = "WARNING",
) -> None:
    """Print every hook, what it allows, and its handlers in dispatch order, with the reason for the order."""
    settings = settings_from(config, plugins, data, lang)
    configure_logs(log_level)
    locale = choose_locale(settings.language)

    async def show() -> None:
        async with Host(settings, locale=locale, remembers=False) as host:
            report_plugins(host, say, locale)
            table = hook_table(host.hooks.describe(), settings.hooks.default_timeout_ms, locale)
            if host.bub is not None:
                table.append_text(bub_table(bub_rows(host.bub), locale))
            Console(highlight=False).print(table, soft_wrap=True)

    try:
        asyncio.run(show())
    except (StorageError, RevocationsFileError) as error:
        fail(error.text(locale), 1)


@commands.command("check")
def check_command(
    path: Annotated[Path, typer.Argument(help="A plugin's folder, or a folder of plugins.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Let warnings count as errors.")] = False,
    config: Config = None,
    lang: Language = None,
) -> None:
    """Say all that is wrong with a plugin, without running the bot. Exit code 1 if anything is, 2 if there is none."""
    settings = settings_from(config, None, None, lang)
    configure_logs("WARNING")
    locale = choose_locale(settings.language)
    reports = check_plugins(path, settings.hooks)
    if not reports:
        fail(CLI_TEXTS.render("check_nothing", {"path": path}, locale))
    if as_json:
        say(report_json(reports, locale))
    else:
        for line in report_lines(reports, locale):
            say(line)
    bad = any(report.findings if strict else not report.ok for report in reports)
    raise typer.Exit(1 if bad else 0)


commands.command("migrate")(migrate_command)
commands.command("top")(at_desk(top_command))


def main() -> None:
    """The console script ``maibot-host``."""
    commands()


def _recording(path: str, locale: Locale) -> Recording:
    if path == STANDARD_INPUT:
        return STANDARD_INPUT
    try:
        return Path(path).read_bytes().splitlines()
    except OSError as error:
        fail(CLI_TEXTS.render("no_input", {"path": path, "why": error.strerror}, locale))


__all__ = ["CLI_TEXTS", "commands", "main"]
