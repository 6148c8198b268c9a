"""What several commands take and say: the options for where the host's things lie, and how a command ends."""

import sys
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn

import typer
from rich.console import Console

from host.cli.following_settings import SettingsSource
from host.cli.locale import choose_locale
from host.cli.texts import CLI_TEXTS
from host.hooks.texts import Locale
from host.runtime import MANIFEST_FILE
from host.settings import SETTINGS_FILE, Settings, SettingsError

PluginFolders = Annotated[
    list[Path] | None, typer.Option("--plugins", help="Folder of third-party plugins; may be given several times.")
]
Data = Annotated[Path | None, typer.Option(help="Folder for the token and the plugins' data. [default: data]")]
Config = Annotated[Path | None, typer.Option(help="Settings file. [default: host.toml, where there is one]")]
Language = Annotated[Literal["auto", "en", "zh"] | None, typer.Option("--lang", help="Language of what is said.")]


def settings_from(config: Path | None, plugins: list[Path] | None, data: Path | None, lang: str | None) -> Settings:
    """The settings file, with what the command line says laid over it. A slip in them ends the program with code 2."""
    return read_settings(settings_source(config, plugins, data, lang))


def settings_source(
    config: Path | None, plugins: list[Path] | None, data: Path | None, lang: str | None, **web: object
) -> SettingsSource:
    """Where the settings come from: the file, and what the command line says; `web` is for its section."""
    said = {"data_dir": data, "language": lang, "plugin_dirs": plugins or None}
    laid_over: dict[str, Any] = {key: value for key, value in said.items() if value is not None}
    laid_over["web"] = {key: value for key, value in web.items() if value is not None}
    return SettingsSource(settings_file(config), laid_over)


def settings_file(named: Path | None) -> Path | None:
    """The settings file: the one that was named, else ``host.toml`` where there is one, else none."""
    return named or (SETTINGS_FILE if SETTINGS_FILE.exists() else None)


def read_settings(source: SettingsSource) -> Settings:
    """The settings of a source. A slip in them ends the program with code 2."""
    wanted = source.laid_over.get("language", "auto")
    try:
        settings = source.read()
    except SettingsError as error:
        fail(error.text(choose_locale(wanted)))
    for folder in source.laid_over.get("plugin_dirs", ()):
        _check_folder(folder, choose_locale(settings.language))
    return settings


def _check_folder(folder: Path, locale: Locale) -> None:
    """Refuse what is surely a slip, rather than run without the plugins that were meant."""
    if not folder.is_dir():
        fail(CLI_TEXTS.render("no_plugins_folder", {"path": folder}, locale))
    if (folder / MANIFEST_FILE).exists():
        fail(CLI_TEXTS.render("plugin_as_folder", {"path": folder, "parent": folder.absolute().parent}, locale))


def fail(text: str, exit_code: int = 2) -> NoReturn:
    """Say on standard error why the command was not done, and end; with code 2 where it is for wrong use."""
    sys.stderr.write(f"{text}\n")
    raise typer.Exit(exit_code)


_WIDEST_LINE = 10_000


def table_console() -> Console:
    """What tables are printed on: a terminal has a width of its own; in a file or a pipe a row is one line."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else _WIDEST_LINE)


def say(line: str) -> None:
    """Write a line to standard output, at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
