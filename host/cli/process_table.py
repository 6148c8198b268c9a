"""The processes of plugins for a terminal: a row for each plugin, and for each of its hook handlers."""

from collections.abc import Iterator, Sequence
from typing import Literal

from rich.console import Group, JustifyMethod
from rich.table import Table
from rich.text import Text

from host.cli.plugin_pages import printable, state_cell, summary
from host.cli.texts import CLI_TEXTS
from host.hooks import BreakerPosition
from host.hooks.texts import Locale
from host.runtime import PluginState
from webui_api.hooks import BreakerView
from webui_api.processes import HandlerVitalsView, PluginProcessView, ProcessList

SortKey = Literal["memory", "id"]

_NUMBERS = ("label_uptime", "label_restarts", "label_calls", "label_failures", "label_p50", "label_p95", "label_p99")
_COLUMNS = ("label_plugin", "label_state", "label_pid", *_NUMBERS, "label_memory", "label_breaker")
_LEFT = frozenset({"label_plugin", "label_state", "label_breaker"})
_LEAST_WIDTHS = {"label_plugin": 12, "label_pid": 5}
"""What columns keep on a narrow terminal, where the others are folded."""
_NOTHING = "–"
_POSITIONS = (BreakerPosition.CLOSED, BreakerPosition.HALF_OPEN, BreakerPosition.OPEN)
_BREAKER_STYLES = {BreakerPosition.CLOSED: "dim", BreakerPosition.HALF_OPEN: "yellow", BreakerPosition.OPEN: "red"}
_RUNNING = frozenset({PluginState.LOADING, PluginState.ACTIVE, PluginState.UNLOADING})


def sorted_by(key: SortKey, found: ProcessList) -> ProcessList:
    """The same, with the plugins by id, or those first that use most memory."""
    if key == "id":
        return found
    # The sort is stable: those that use the same, and those in the host's process, stay by id.
    plugins = sorted(found.plugins, key=lambda plugin: plugin.memory_bytes or 0, reverse=True)
    return found.model_copy(update={"plugins": plugins})


def process_page(found: ProcessList, locale: Locale, *, handlers: bool) -> Group:
    """The host's process, the table of the plugins in the order that they come in, and what is to be said of them.

    Args:
        found: as the web interface tells it.
        locale: of the words.
        handlers: whether each handler gets a row.
    """
    host = found.host
    fields = {
        "pid": host.pid,
        "uptime": duration(host.uptime_sec),
        "memory": _mebibytes(host.memory_bytes),
        "summary": summary((plugin.state for plugin in found.plugins), locale),
    }
    heading = Text(CLI_TEXTS.render("top_host", fields, locale))
    remarks = [Text(line) for plugin in found.plugins for line in _remarks(plugin, locale)]
    return Group(heading, _table(found.plugins, locale, handlers=handlers), *remarks)


def duration(seconds: float) -> str:
    """How long something has run, in its two greatest units: ``4s``, ``3m05s``, ``2h05m``, ``4d03h``."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return f"{days}d{hours:02}h"
    if hours:
        return f"{hours}h{minutes:02}m"
    return f"{minutes}m{rest:02}s" if minutes else f"{rest}s"


def _table(plugins: Sequence[PluginProcessView], locale: Locale, *, handlers: bool) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="dim")
    for column in _COLUMNS:
        justify: JustifyMethod = "left" if column in _LEFT else "right"
        least = _LEAST_WIDTHS.get(column)
        table.add_column(_text(column, locale), overflow="fold", justify=justify, min_width=least)
    for plugin in plugins:
        table.add_row(*_plugin_row(plugin, locale))
        for handler in plugin.handlers if handlers else ():
            table.add_row(*_handler_row(handler, locale))
    return table


def _plugin_row(plugin: PluginProcessView, locale: Locale) -> list[Text]:
    slowest = max(plugin.handlers, key=lambda each: each.p95_ms or 0.0, default=None)
    state = state_cell(plugin.state, locale)
    return [
        Text(printable(plugin.id)),
        state if plugin.responding is not False else Text(_text("top_silent", locale), style="red"),
        _pid(plugin, locale),
        Text(_NOTHING if plugin.uptime_sec is None else duration(plugin.uptime_sec)),
        Text(str(plugin.restarts), style="yellow" if plugin.restarts else ""),
        _count(plugin.calls),
        _count(plugin.failures),
        *_percentiles(slowest),
        Text(_mebibytes(plugin.memory_bytes)),
        _breaker([each.breaker for each in plugin.handlers], locale),
    ]


def _handler_row(handler: HandlerVitalsView, locale: Locale) -> list[Text]:
    name = Text(printable(f"  {handler.hook} / {handler.name}"), style="cyan")
    counts = [_count(handler.calls), _count(handler.failures)]
    blank = Text()
    return [
        *(name, blank, blank, blank, blank),
        *counts,
        *_percentiles(handler),
        *(blank, _breaker([handler.breaker], locale)),
    ]


def _pid(plugin: PluginProcessView, locale: Locale) -> Text:
    if plugin.isolation == "inline" and plugin.state in _RUNNING:
        return Text(_text("top_host_pid", locale), style="dim")
    return Text(_NOTHING if plugin.pid is None else str(plugin.pid))


def _count(number: int | None) -> Text:
    return Text(_NOTHING if number is None else str(number))


def _percentiles(handler: HandlerVitalsView | None) -> list[Text]:
    values = (handler.p50_ms, handler.p95_ms, handler.p99_ms) if handler else (None, None, None)
    return [Text(_NOTHING if value is None else _rounded(value)) for value in values]


def _rounded(milliseconds: float) -> str:
    return f"{milliseconds:.{2 if milliseconds < 10 else 1 if milliseconds < 100 else 0}f}"


def _mebibytes(number: int | None) -> str:
    return _NOTHING if number is None else f"{number / 2**20:.1f}"


def _breaker(breakers: Sequence[BreakerView], locale: Locale) -> Text:
    """The one among a plugin's breakers that stands worst."""
    if not breakers:
        return Text(_NOTHING)
    worst = max(breakers, key=lambda each: (_POSITIONS.index(each.state), each.remaining_sec))
    text = CLI_TEXTS.render(f"breaker_{worst.state.value}", {"seconds": worst.remaining_sec}, locale)
    return Text(text, style=_BREAKER_STYLES[worst.state])


def _remarks(plugin: PluginProcessView, locale: Locale) -> Iterator[str]:
    """What the table has no column for; of a problem the first line, since `plugins info` tells all of it."""
    if plugin.problem is not None:
        why = plugin.problem.text.partition("\n")[0]
        yield printable(CLI_TEXTS.render("plugin_problem", {"id": plugin.id, "why": why}, locale))
    if plugin.hung_threads:
        yield printable(CLI_TEXTS.render("top_hung", {"id": plugin.id, "count": plugin.hung_threads}, locale))
    if plugin.dropped_lines:
        yield printable(CLI_TEXTS.render("top_dropped", {"id": plugin.id, "count": plugin.dropped_lines}, locale))


def _text(code: str, locale: Locale) -> str:
    return CLI_TEXTS.render(code, {}, locale)
