"""Plugins for a terminal: the table of all, and the page of one."""

from collections import Counter
from collections.abc import Iterable, Iterator

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from host.cli.texts import CLI_TEXTS
from host.hooks.texts import Locale
from host.runtime import PluginState
from webui_api.plugin_views import NeighbourView, PluginDetails, PluginView, ProblemView

_STYLES = {PluginState.ACTIVE: "green", PluginState.FAILED: "red", PluginState.BLOCKED: "yellow"}
_COLUMNS = ("label_plugin", "label_version", "label_state", "label_origin", "label_handlers", "label_name")


def plugin_table(plugins: Iterable[PluginView], locale: Locale) -> Table:
    """A line for each of `plugins`."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in _COLUMNS:
        table.add_column(_text(column, locale), overflow="fold")
    for plugin in plugins:
        # As Text, since names may hold what rich takes for markup.
        table.add_row(
            Text(printable(plugin.id)),
            Text(plugin.version),
            state_cell(plugin.state, locale),
            Text(_text(plugin.source.value, locale)),
            Text(str(plugin.handlers) if plugin.state is PluginState.ACTIVE else ""),
            Text(printable(plugin.name)),
        )
    return table


def state_cell(state: PluginState, locale: Locale) -> Text:
    """A state as tables show it."""
    return Text(_state(state, locale), style=_STYLES.get(state, "dim"))


def problem_lines(plugins: Iterable[PluginView], locale: Locale) -> Iterator[str]:
    """What is the matter with those of `plugins` that something is the matter with, in words."""
    for plugin in plugins:
        problems = {
            "plugin_problem": plugin.problem,
            "plugin_kept": plugin.reload_problem,
            "plugin_config_kept": plugin.config_problem,
        }
        for code, problem in problems.items():
            if problem is not None:
                yield printable(CLI_TEXTS.render(code, {"id": plugin.id, "why": problem.text}, locale))


def summary(states: Iterable[PluginState], locale: Locale) -> str:
    """How many plugins are in which state, as ``Plugins: 5 active, 1 failed.``"""
    counts = Counter(states)
    if not counts:
        return _text("no_plugins", locale)
    order = (PluginState.ACTIVE, *(state for state in PluginState if state is not PluginState.ACTIVE))
    told = [
        CLI_TEXTS.render(f"count_{state.value}", {"count": counts[state]}, locale) for state in order if counts[state]
    ]
    return CLI_TEXTS.render("plugins_summary", {"counts": ", ".join(told)}, locale)


def plugin_page(plugin: PluginDetails, locale: Locale) -> Iterator[str]:
    """Everything about one plugin, a fact a line."""
    yield printable(standing(plugin, locale))
    facts = {
        "label_name": [plugin.name],
        "label_description": [plugin.description],
        "label_origin": [_text(plugin.source.value, locale)],
        "label_folder": [plugin.path],
        "label_process": [_process(plugin, locale)],
        "label_problem": _problem(plugin.problem),
        "label_reload_problem": _problem(plugin.reload_problem),
        "label_config_problem": _problem(plugin.config_problem),
        "label_needs": [_neighbour(each, locale) for each in plugin.dependencies],
        "label_needed_by": [_neighbour(each, locale) for each in plugin.dependents],
        "label_components": [f"{kind} {count}" for kind, count in plugin.components.items()],
        "label_handlers": [
            f"{each.hook} / {each.name}  {each.mode.value} · {each.order.value} · {each.error_policy.value} · "
            f"{each.timeout_ms} ms"
            for each in plugin.hook_handlers
        ],
        "label_warnings": plugin.warnings,
    }
    labels = {code: _text(code, locale) for code in facts}
    width = max(map(cell_len, labels.values()))
    for code, lines in facts.items():
        label = labels[code]
        for line in (part for text in lines for part in text.splitlines()):
            yield f"  {label}{' ' * (width - cell_len(label))}  {printable(line)}"
            label = ""


def standing(plugin: PluginView, locale: Locale) -> str:
    """Which plugin in which version stands where, in one line."""
    fields = {"id": plugin.id, "version": plugin.version, "state": _state(plugin.state, locale)}
    return printable(CLI_TEXTS.render("plugin_stands", fields, locale))


def printable(text: str) -> str:
    """`text` without what would move a terminal's cursor or change its colours: plugins write names as they like."""
    return "".join(each if each.isprintable() or each in "\n\t" else "\N{REPLACEMENT CHARACTER}" for each in text)


def _problem(problem: ProblemView | None) -> list[str]:
    return [problem.text, problem.traceback] if problem else []


def _process(plugin: PluginDetails, locale: Locale) -> str:
    code = plugin.isolation if plugin.pid is None else "process_of_pid"
    return CLI_TEXTS.render(code, {"pid": plugin.pid}, locale)


def _neighbour(plugin: NeighbourView, locale: Locale) -> str:
    return f"{plugin.id} ({_state(plugin.state, locale)})"


def _state(state: PluginState | None, locale: Locale) -> str:
    return _text(f"state_{state.value if state else 'missing'}", locale)


def _text(code: str, locale: Locale) -> str:
    return CLI_TEXTS.render(code, {}, locale)
