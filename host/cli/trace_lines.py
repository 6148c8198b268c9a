"""Dispatches as small trees for a terminal: handlers in order, what each changed, how long it took, why skipped."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from host.cli.texts import CLI_TEXTS
from host.hooks import Chain, DispatchTrace, Handler, Step
from host.hooks.difference import differences
from host.hooks.texts import Locale

_MOST_CHANGES = 5
_WIDEST_VALUE = 48


class TraceLines:
    """A trace listener that writes what it is told of.

    Args:
        write: takes one line, without its end.
        locale: the language of its words.
    """

    def __init__(self, write: Callable[[str], None], locale: Locale) -> None:
        self._write = write
        self._locale = locale

    def dispatched(self, trace: DispatchTrace) -> None:
        """Write the tree of a dispatch that has ended."""
        seconds = sum(step.seconds for step in trace.steps)
        indent = "  " * (trace.depth - 1)
        self._write(f"{indent}{trace.result.hook_name}  {_duration(seconds)}  {trace.result.trace_id[-8:]}")
        branches = [*self._branches(trace)]
        for number, (line, details) in enumerate(branches, 1):
            last = number == len(branches)
            self._write(f"{indent}{'└─' if last else '├─'} {line}")
            for detail in details:
                self._write(f"{indent}{'  ' if last else '│ '}    {detail}")

    def observed(self, dispatch: Chain, step: Step) -> None:
        """Write that an observer has ended its call."""
        indent = "  " * (dispatch.depth - 1)
        what = self._text("trace_observer", handler=_name(step.handler))
        self._write(f"{indent}{dispatch.hook}  {dispatch.trace_id[-8:]}")
        self._write(f"{indent}└─ {what}  {_duration(step.seconds)}{self._verdict(step)}")

    def _branches(self, trace: DispatchTrace) -> Iterator[tuple[str, list[str]]]:
        for number, step in enumerate(trace.steps):
            line = f"{number + 1}. {_name(step.handler)}  {_duration(step.seconds)}{self._verdict(step)}"
            yield line, self._changes(trace.got(number), step)
        stopped_by = trace.result.stopped_by
        for number, handler in enumerate(trace.skipped, len(trace.steps) + 1):
            by = f"{stopped_by.plugin_id} / {stopped_by.handler}" if stopped_by else "-"
            yield f"{number}. {_name(handler)}  {self._text('trace_skipped', by=by)}", []
        if trace.observers:
            yield self._text("trace_observers", handlers=", ".join(map(_name, trace.observers))), []

    def _changes(self, before: dict[str, Any], step: Step) -> list[str]:
        found = differences({key: before[key] for key in step.changes if key in before}, dict(step.changes))
        told = [f"{each.path}: {_show(each.before)} -> {_show(each.after)}" for each in islice(found, _MOST_CHANGES)]
        more = sum(1 for _ in found)
        return [*told, self._text("trace_more", count=more)] if more else told

    def _verdict(self, step: Step) -> str:
        parts = [f"{error.kind}: {error.text}" for error in step.errors]
        if step.aborted:
            parts.append(self._text("trace_aborted"))
        return f"  {'; '.join(parts)}" if parts else ""

    def _text(self, code: str, **fields: object) -> str:
        return CLI_TEXTS.render(code, fields, self._locale)


def _name(handler: Handler) -> str:
    return f"{handler.plugin_id} / {handler.name}"


def _duration(seconds: float) -> str:
    return f"{seconds * 1000:.2f} ms"


def _show(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _WIDEST_VALUE else f"{text[: _WIDEST_VALUE - 1]}…"
