"""``maibot-host top``: the processes of the plugins of the running host, as they are now and on."""

import sys
from contextlib import suppress
from time import sleep
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live

from host.cli.desk import Desk
from host.cli.options import say, table_console
from host.cli.process_table import SortKey, process_page, sorted_by

_REFRESH_SECONDS = 1.0


def top_command(
    desk: Desk,
    sort: Annotated[SortKey, typer.Option(help="What the plugins are sorted by.")] = "memory",
    handlers: Annotated[bool, typer.Option("--handlers", help="Show each hook handler, not only each plugin.")] = False,
    once: Annotated[bool, typer.Option("--once", help="Print the table once; so it is where no terminal is.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print once what the web interface answers.")] = False,
) -> None:
    """Show the processes of the running host's plugins: what they use, how their calls go. Ctrl-C ends it.

    Durations are those of a plugin's slowest handler, by its 95th percentile.
    """
    found = sorted_by(sort, desk.source.processes())
    terminal = Console(highlight=False)
    if as_json:
        say(found.model_dump_json(indent=2))
    elif once or not sys.stdout.isatty() or terminal.is_dumb_terminal:
        table_console().print(process_page(found, desk.locale, handlers=handlers))
    else:
        with suppress(KeyboardInterrupt), Live(console=terminal, screen=True, auto_refresh=False) as live:
            while True:
                live.update(process_page(found, desk.locale, handlers=handlers), refresh=True)
                sleep(_REFRESH_SECONDS)
                found = sorted_by(sort, desk.source.processes())
