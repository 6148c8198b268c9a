"""Where a command on plugins asks, and how it answers: the host that runs, or the folders where none does."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import Signature, signature
from pathlib import Path
from typing import Any

import typer

from host.cli.found_plugins import FoundPlugins
from host.cli.locale import choose_locale
from host.cli.options import Config, Data, Language, PluginFolders, fail, say, settings_from
from host.cli.plugin_pages import printable, problem_lines, standing
from host.cli.plugin_source import NotDoneError, PluginSource
from host.cli.run import TOKEN_FILE
from host.cli.running_plugins import RunningPlugins
from host.cli.texts import CLI_TEXTS
from host.hooks.texts import Locale
from host.logs import configure_logs
from host.running_file import RunningHost
from host.runtime import PluginState
from host.settings import Settings
from webui_api.plugins import PluginAction


@dataclass(frozen=True, slots=True)
class Desk:
    """Where one command asks, and how it answers.

    Args:
        source: what knows the plugins.
        data_dir: the data folder, as the settings say it.
        locale: of what is said.
    """

    source: PluginSource
    data_dir: Path
    locale: Locale

    def text(self, code: str, **fields: object) -> str:
        """A text of the command line."""
        return CLI_TEXTS.render(code, fields, self.locale)

    def say_source(self) -> None:
        """Say that no host runs, where that is so."""
        if not self.source.runs:
            say(self.text("no_host", path=self.data_dir))

    def act(self, action: PluginAction, plugin_id: str) -> None:
        """Move one plugin to another state, and say how it stands then."""
        plugin = self.source.act(action, plugin_id)
        if self.source.runs:
            say(standing(plugin, self.locale))
        else:
            say(self.text("switched_on" if action.makes_active else "switched_off", id=plugin.id))
        for line in problem_lines([plugin], self.locale):
            say(line)
        if action.makes_active and plugin.state in (PluginState.BLOCKED, PluginState.FAILED):
            raise typer.Exit(1)


def at_desk(command: Callable[..., None]) -> Callable[..., None]:
    """Make a command for typer of one whose first argument is a `Desk`, and the others its own arguments and options.

    The options that say where the desk is found are added to those. What cannot be done is told.
    """

    def run(
        plugins: PluginFolders = None, data: Data = None, config: Config = None, lang: Language = None, **own: Any
    ) -> None:
        with _desk(settings_from(config, plugins, data, lang)) as desk:
            command(desk, **own)

    _, *own = signature(command).parameters.values()
    *common, _ = signature(run).parameters.values()
    run.__signature__ = Signature([*own, *common])  # type: ignore[attr-defined]
    run.__doc__ = command.__doc__
    return run


@contextmanager
def _desk(settings: Settings) -> Iterator[Desk]:
    configure_logs("WARNING")
    locale = choose_locale(settings.language)
    try:
        yield Desk(_source(settings, locale), settings.data_dir, locale)
    except NotDoneError as error:
        fail(printable(error.text), error.exit_code)


def _source(settings: Settings, locale: Locale) -> PluginSource:
    host = RunningHost.find(settings.data_dir)
    if host is None:
        return FoundPlugins(settings, locale)
    return RunningPlugins.of(host, settings.data_dir / TOKEN_FILE, locale)
