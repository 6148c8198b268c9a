"""``maibot-host plugins``: see the plugins, move them to other states, remove them, whether a host runs or not."""

from pathlib import Path
from typing import Annotated

import typer

from host.cli.capabilities import decide, print_capabilities
from host.cli.desk import Desk, at_desk
from host.cli.install import install_dependencies
from host.cli.locale import choose_locale
from host.cli.options import Config, Data, Language, PluginFolders, say, settings_from, table_console
from host.cli.plugin_pages import plugin_page, plugin_table, printable, problem_lines, summary
from host.cli.plugin_source import NotDoneError
from host.cli.remove import remove_plugin
from host.hooks.texts import Locale
from host.logs import configure_logs
from webui_api.plugin_views import PluginAnswer, PluginList
from webui_api.plugins import PluginAction

plugin_commands = typer.Typer(
    name="plugins",
    help="See the plugins of the running host, or those in the folders, switch them on and off, and remove them.",
    no_args_is_help=True,
)

PluginId = Annotated[str, typer.Argument(metavar="ID", help="The plugin's id.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print what the web interface answers.")]
Revoke = Annotated[list[str] | None, typer.Option(metavar="NAME", help="Take a capability away; may be repeated.")]
Grant = Annotated[list[str] | None, typer.Option(metavar="NAME", help="Give a capability back; may be repeated.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do it without asking.")]


@plugin_commands.command("list")
@at_desk
def list_command(desk: Desk, as_json: AsJson = False) -> None:
    """Print all plugins, their states, and what is the matter with them."""
    found = desk.source.plugins()
    if as_json:
        say(found.model_dump_json(indent=2))
    else:
        desk.say_source()
        _print_list(found, desk.locale)


@plugin_commands.command("info")
@at_desk
def info_command(desk: Desk, plugin_id: PluginId, as_json: AsJson = False) -> None:
    """Print everything about one plugin: problems with tracebacks, hook handlers, components, dependencies."""
    plugin = desk.source.plugin(plugin_id)
    if as_json:
        say(PluginAnswer(plugin=plugin).model_dump_json(indent=2))
    else:
        desk.say_source()
        for line in plugin_page(plugin, desk.locale):
            say(line)


@plugin_commands.command("enable")
@at_desk
def enable_command(desk: Desk, plugin_id: PluginId) -> None:
    """Switch one plugin on in its configuration file, and have the running host load it."""
    desk.act(PluginAction.ENABLE, plugin_id)


@plugin_commands.command("disable")
@at_desk
def disable_command(desk: Desk, plugin_id: PluginId) -> None:
    """Switch one plugin off in its configuration file, and have the running host unload it."""
    desk.act(PluginAction.DISABLE, plugin_id)


@plugin_commands.command("reload")
@at_desk
def reload_command(desk: Desk, plugin_id: PluginId) -> None:
    """Have the running host take over what changed in one plugin's folder. If that fails, the old version serves on."""
    desk.act(PluginAction.RELOAD, plugin_id)


@plugin_commands.command("remove")
@at_desk
def remove_command(desk: Desk, plugin_id: PluginId, yes: Yes = False) -> None:
    """Move one plugin's folder into the trash of the data folder, after the running host has unloaded it."""
    raise typer.Exit(remove_plugin(desk, plugin_id, yes=yes))


@plugin_commands.command("caps")
@at_desk
def caps_command(
    desk: Desk, plugin_id: PluginId, revoke: Revoke = None, grant: Grant = None, as_json: AsJson = False
) -> None:
    """Print what one plugin may ask of the host, and how often it did; take some of it away, or give it back."""
    found = decide(desk, plugin_id, grant or (), revoke or ())
    if as_json:
        say(found.model_dump_json(indent=2))
    else:
        desk.say_source()
        print_capabilities(found, desk.locale)


@plugin_commands.command("graph")
@at_desk
def graph_command(
    desk: Desk, svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw it into a file (SVG).")] = None
) -> None:
    """Show which plugin needs which."""
    desk.say_source()
    if svg is None:
        say(printable(desk.source.graph_text()))
    else:
        _write(svg, desk.source.graph_svg(), desk)


@plugin_commands.command("install-deps")
def install_command(
    yes: Yes = False,
    plugins: PluginFolders = None,
    data: Data = None,
    config: Config = None,
    lang: Language = None,
) -> None:
    """Install the Python packages that plugins need and that are missing, after showing what will be done."""
    settings = settings_from(config, plugins, data, lang)
    configure_logs("WARNING")
    raise typer.Exit(install_dependencies(settings, choose_locale(settings.language), yes=yes))


def _print_list(found: PluginList, locale: Locale) -> None:
    if found.plugins:
        table_console().print(plugin_table(found.plugins, locale))
    for line in problem_lines(found.plugins, locale):
        say(line)
    say(summary((plugin.state for plugin in found.plugins), locale))


def _write(file: Path, picture: str, desk: Desk) -> None:
    try:
        file.write_text(picture, encoding="utf-8")
    except OSError as error:
        raise NotDoneError(desk.text("cannot_write", path=file, why=error.strerror), 2) from error
    say(desk.text("graph_written", path=file))
