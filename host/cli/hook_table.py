"""The hook table for a terminal: each hook, what it allows, and who handles it, in order and why in that order."""

from collections.abc import Iterable

from rich.cells import set_cell_size
from rich.text import Text

from host.bub.table import BubRow
from host.cli.texts import CLI_TEXTS
from host.hooks import Handler, HookDescription, HookSpec, Source
from host.hooks.texts import Locale

_FLAGS = ("allow_blocking", "allow_observe", "allow_abort", "allow_kwargs_mutation")
_NAME_WIDTH, _ALLOWS_WIDTH = 40, 28


def hook_table(rows: Iterable[HookDescription], default_timeout_ms: int, locale: Locale) -> Text:
    """The table of `rows`, a line for each hook and one for each handler, within 80 columns where names allow.

    Args:
        rows: as the kernel describes them.
        default_timeout_ms: what a hook without a deadline of its own gives its handlers.
        locale: of the words.
    """
    heading = _columns(*(CLI_TEXTS.render(f"column_{each}", {}, locale) for each in ("hook", "allows", "timeout")))
    table = Text(heading + "\n", style="dim")
    for row in rows:
        spec = row.spec
        line = _columns(spec.name, _allows(spec, locale), _milliseconds(spec.default_timeout_ms or default_timeout_ms))
        table.append(line + "\n", style="not dim bold" if row.handlers else "not dim")
        for position, handler in enumerate(row.handlers, 1):
            table.append(f"  {position}. {handler.plugin_id} / {handler.name}\n", style="not dim cyan")
            why = _why(spec, handler, placed=handler in row.placed, locale=locale)
            table.append(f"     {why} · {_milliseconds(handler.timeout_ms)}\n", style="not dim")
    return table.append(CLI_TEXTS.render("order_rule", {}, locale))


def bub_table(rows: Iterable[BubRow], locale: Locale) -> Text:
    """The hooks of Bub, each with its dispatch mode and the plugins that implement it, in the order in which they run.

    Args:
        rows: as the family describes them.
        locale: of the words.
    """
    table = Text("\n\n" + CLI_TEXTS.render("bub_heading", {}, locale) + "\n", style="dim")
    for row in rows:
        line = f"{set_cell_size(row.hook.name, _NAME_WIDTH)} {row.hook.dispatch}"
        table.append(line + "\n", style="not dim bold" if row.implementations else "not dim")
        for position, each in enumerate(row.implementations, 1):
            table.append(f"  {position}. {each.plugin} / {each.name}", style="not dim cyan")
            table.append(f" · {each.slot.value}\n", style="not dim")
    return table.append(CLI_TEXTS.render("bub_order_rule", {}, locale))


def _columns(name: str, allows: str, timeout: str) -> str:
    name = name if len(name) >= _NAME_WIDTH else set_cell_size(name, _NAME_WIDTH)
    return f"{name} {set_cell_size(allows, _ALLOWS_WIDTH)} {timeout}"


def _milliseconds(number: int) -> str:
    return f"{number} ms"


def _allows(spec: HookSpec, locale: Locale) -> str:
    allowed = (spec.allow_blocking, spec.allow_observe, spec.allow_abort, spec.allow_kwargs_mutation)
    return " ".join(CLI_TEXTS.render(flag, {}, locale) for flag, yes in zip(_FLAGS, allowed, strict=True) if yes)


def _why(spec: HookSpec, handler: Handler, *, placed: bool, locale: Locale) -> str:
    """The parts of the sort key in words; what the handler is called stands beside it already."""
    if placed:
        return f"{handler.mode.value} · {CLI_TEXTS.render('placed', {}, locale)}"
    said = {handler.plugin_id, handler.name}
    parts = [part for part in spec.family.order_reason(handler) if part not in said]
    sources = {source.value for source in Source}
    return " · ".join(CLI_TEXTS.render(part, {}, locale) if part in sources else part for part in parts)
