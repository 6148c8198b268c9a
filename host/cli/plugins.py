"""``maibot-host plugins``: see the plugins and move them to other states, whether a host runs or not."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from host.cli.found_plugins import FoundPlugins
from host.cli.install import install_dependencies
from host.cli.locale import choose_locale
from host.cli.options import Config, Data, Language, PluginFolders, fail, say, settings_from
from host.cli.plugin_pages import plugin_page, plugin_table, printable, problem_lines, standing, summary
from host.cli.plugin_source import NotDoneError, PluginSource
from host.cli.run import TOKEN_FILE
from host.cli.running_plugins import RunningPlugins
from host.cli.texts import CLI_TEXTS
from host.hooks.texts import Locale
from host.logs import configure_logs
from host.running_file import RunningHost
from host.runtime import PluginState
from host.settings import Settings
from webui_api.plugin_views import PluginAnswer, PluginList
from webui_api.plugins import PluginAction

plugin_commands = typer.Typer(
    name="plugins",
    help="See the plugins of the running host, or those in the folders, and switch them on and off.",
    no_args_is_help=True,
)

PluginId = Annotated[str, typer.Argument(metavar="ID", help="The plugin's id.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print what the web interface answers.")]

_WIDEST_LINE = 10_000


@plugin_commands.command("list")
def list_command(
    as_json: AsJson = False,
    plugins: PluginFolders = None,
    data: Data = None,
    config: Config = None,
    lang: Language = None,
) -> None:
    """Print all plugins, their states, and what is the matter with them."""
    with _asking(config, plugins, data, lang) as desk:
        found = desk.source.plugins()
        if as_json:
            say(found.model_dump_json(indent=2))
        else:
            desk.say_source()
            _print_list(found, desk.locale)


@plugin_commands.command("info")
def info_command(
    plugin_id: PluginId,
    as_json: AsJson = False,
    plugins: PluginFolders = None,
    data: Data = None,
    config: Config = None,
    lang: Language = None,
) -> None:
    """Print everything about one plugin: problems with tracebacks, hook handlers, components, dependencies."""
    with _asking(config, plugins, data, lang) as desk:
        plugin = desk.source.plugin(plugin_id)
        if as_json:
            say(PluginAnswer(plugin=plugin).model_dump_json(indent=2))
        else:
            desk.say_source()
            for line in plugin_page(plugin, desk.locale):
                say(line)


@plugin_commands.command("enable")
def enable_command(
    plugin_id: PluginId,
    plugins: PluginFolders = None,
    data: Data = None,
    config: Config = None,
    lang: Language = None,
) -> None:
    """Switch one plugin on in its configuration file, and have the running host load it."""
    with _asking(config, plugins, data, lang) as desk:
        desk.act(PluginAction.ENABLE, plugin_id)


@plugin_commands.command("disable")
def disable_command(
    plugin_id: PluginId,
    plugins: PluginFolders = None,
    data: Data = None,
    config: Config = None,
    lang: Language = None,
) -> None:
    """Switch one plugin off in its configuration file, and have the running host unload it."""
    with _asking(config, plugins, data, lang) as desk:
        desk.act(PluginAction.DISABLE, plugin_id)


@plugin_commands.command("reload")
def reload_command(
    plugin_id: PluginId,
    plugins: PluginFolders = None,
    data: Data = None,
    config: Config = None,
    lang: Language = None,
) -> None:
    """Have the running host take over what changed in one plugin's folder. If that fails, the old version serves on."""
    with _asking(config, plugins, data, lang) as desk:
        desk.act(PluginAction.RELOAD, plugin_id)


@plugin_commands.command("graph")
def graph_command(
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw it into a file (SVG).")] = None,
    plugins: PluginFolders = None,
    data: Data = None,
    config: Config = None,
    lang: Language = None,
) -> None:
    """Show which plugin needs which."""
    with _asking(config, plugins, data, lang) as desk:
        desk.say_source()
        if svg is None:
            say(printable(desk.source.graph_text()))
        else:
            _write(svg, desk.source.graph_svg(), desk)


@plugin_commands.command("install-deps")
def install_command(
    yes: Annotated[bool, typer.Option("--yes", help="Do it without asking.")] = False,
    plugins: PluginFolders = None,
    data: Data = None,
    config: Config = None,
    lang: Language = None,
) -> None:
    """Install the Python packages that plugins need and that are missing, after showing what will be done."""
    settings = settings_from(config, plugins, data, lang)
    configure_logs("WARNING")
    raise typer.Exit(install_dependencies(settings, choose_locale(settings.language), yes=yes))


@dataclass(frozen=True, slots=True)
class _Desk:
    """Where one command asks, and how it answers."""

    source: PluginSource
    data_dir: Path
    locale: Locale

    def text(self, code: str, **fields: object) -> str:
        return CLI_TEXTS.render(code, fields, self.locale)

    def say_source(self) -> None:
        if not self.source.runs:
            say(self.text("no_host", path=self.data_dir))

    def act(self, action: PluginAction, plugin_id: str) -> None:
        plugin = self.source.act(action, plugin_id)
        if self.source.runs:
            say(standing(plugin, self.locale))
        else:
            say(self.text("switched_on" if action.makes_active else "switched_off", id=plugin.id))
        for line in problem_lines([plugin], self.locale):
            say(line)
        if action.makes_active and plugin.state in (PluginState.BLOCKED, PluginState.FAILED):
            raise typer.Exit(1)


@contextmanager
def _asking(config: Path | None, plugins: list[Path] | None, data: Path | None, lang: str | None) -> Iterator[_Desk]:
    """The host that runs on the data folder, or the plugins' folders where none does. What cannot be done is told."""
    settings = settings_from(config, plugins, data, lang)
    configure_logs("WARNING")
    locale = choose_locale(settings.language)
    try:
        yield _Desk(_source(settings, locale), settings.data_dir, locale)
    except NotDoneError as error:
        fail(printable(error.text), error.exit_code)


def _source(settings: Settings, locale: Locale) -> PluginSource:
    host = RunningHost.find(settings.data_dir)
    if host is None:
        return FoundPlugins(settings, locale)
    return RunningPlugins.of(host, settings.data_dir / TOKEN_FILE, locale)


def _print_list(found: PluginList, locale: Locale) -> None:
    if found.plugins:
        # A terminal's width is its own; in a file or a pipe a plugin is a line, however long.
        width = None if sys.stdout.isatty() else _WIDEST_LINE
        Console(highlight=False, width=width).print(plugin_table(found.plugins, locale))
    for line in problem_lines(found.plugins, locale):
        say(line)
    say(summary((plugin.state for plugin in found.plugins), locale))


def _write(file: Path, picture: str, desk: _Desk) -> None:
    try:
        file.write_text(picture, encoding="utf-8")
    except OSError as error:
        raise NotDoneError(desk.text("cannot_write", path=file, why=error.strerror), 2) from error
    say(desk.text("graph_written", path=file))
