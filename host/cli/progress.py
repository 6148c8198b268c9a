"""While plugins are loaded: a line on the terminal that says how far it has come."""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO, cast

from rich.console import Console
from rich.live import Live
from rich.text import Text

from host.cli.texts import CLI_TEXTS
from host.hooks.texts import Locale
from host.runtime import Plugins, PluginState

_TO_COME = frozenset({PluginState.DISCOVERED, PluginState.LOADING})


@contextmanager
def loading_line(plugins: Plugins, locale: Locale) -> Iterator[None]:
    """Show how many of `plugins` are loaded, for as long as the context lasts; nothing where no terminal is.

    A thread draws it: importing a plugin holds up the event loop. Logs have to go to `standard_error`.
    """
    if not (sys.stdout.isatty() and sys.stderr.isatty()):
        yield
        return
    with Live(get_renderable=lambda: _line(plugins, locale), console=Console(highlight=False), transient=True):
        yield


def standard_error() -> TextIO:
    """Standard error as it is at the time of writing: while the line is shown, what is written goes above it."""
    return cast("TextIO", _StandardError())


class _StandardError(io.TextIOBase):
    def write(self, text: str) -> int:
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()

    def isatty(self) -> bool:
        return sys.stderr.isatty()


def _line(plugins: Plugins, locale: Locale) -> Text:
    known = list(plugins)
    done = sum(plugin.state not in _TO_COME for plugin in known)
    loading = next((plugin.id for plugin in known if plugin.state is PluginState.LOADING), "")
    return Text(CLI_TEXTS.render("loading_plugins", {"done": done, "total": len(known), "id": loading}, locale))
