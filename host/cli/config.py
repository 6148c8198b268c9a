"""``maibot-host config``: a settings file to begin with, what counts, and what is wrong."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from host.cli.locale import choose_locale
from host.cli.options import Config, Language, fail, say, settings_file
from host.cli.texts import CLI_TEXTS
from host.runtime.config.problems import ConfigProblem
from host.settings import SETTINGS_FILE, Settings, SettingsError, SettingsProblem, Sources
from host.settings.page import effective, starting_file

config_commands = typer.Typer(name="config", help="The settings file.", no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print it as JSON.")]


@config_commands.command("init")
def init_command(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="The file to make.")] = SETTINGS_FILE,
    lang: Language = None,
) -> None:
    """Make a settings file in which every setting stands as a comment, with its meaning and its default."""
    locale = choose_locale(lang or "auto")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(starting_file(locale))
    except FileExistsError:
        fail(CLI_TEXTS.render("config_there", {"path": path}, locale), 1)
    except OSError as error:
        fail(CLI_TEXTS.render("cannot_write", {"path": path, "why": error.strerror}, locale), 1)
    say(CLI_TEXTS.render("config_made", {"path": path}, locale))


@config_commands.command("show")
def show_command(config: Config = None, as_json: AsJson = False, lang: Language = None) -> None:
    """Print every setting as it counts, and whether it is a default, or from the file, or from the environment."""
    locale = choose_locale(lang or "auto")
    try:
        sources = Sources.read(settings_file(config), os.environ)
        rows = [*effective(Settings.of(sources), sources, os.environ)]
    except SettingsError as error:
        fail(error.text(locale), 1)
    if as_json:
        say(json.dumps([row.as_dict() for row in rows], ensure_ascii=False, indent=2, default=str))
    else:
        for row in rows:
            say(row.line(locale))


@config_commands.command("check")
def check_config_command(
    path: Annotated[Path | None, typer.Argument(metavar="FILE", help="The settings file. [default: host.toml]")] = None,
    as_json: AsJson = False,
    lang: Language = None,
) -> None:
    """Say all that is wrong with the settings file and the environment. Exit code 1 if anything is."""
    locale = choose_locale(lang or "auto")
    path = settings_file(path)
    problems = _problems(path)
    if as_json:
        content = {"ok": not problems, "problems": [problem.as_dict(locale) for problem in problems]}
        say(json.dumps(content, ensure_ascii=False, indent=2))
    elif problems:
        for problem in problems:
            say(problem.text(locale))
    else:
        say(CLI_TEXTS.render("config_fine" if path else "config_fine_without", {"path": path}, locale))
    raise typer.Exit(1 if problems else 0)


def _problems(path: Path | None) -> list[SettingsProblem]:
    try:
        sources = Sources.read(path, os.environ)
        return [*_missing_keys(Settings.of(sources), sources)]
    except SettingsError as error:
        return [*error.problems]


def _missing_keys(settings: Settings, sources: Sources) -> Iterator[SettingsProblem]:
    """Keys of providers that are to be in the environment, and are not."""
    for number, provider in enumerate(settings.models.providers):
        try:
            provider.key(os.environ)
        except KeyError:
            place = ("models", "providers", number, "api_key_env")
            problem = ConfigProblem(code="config_variable_unset", path=place, found=provider.api_key_env)
            yield SettingsProblem(sources.origin(place), problem)
