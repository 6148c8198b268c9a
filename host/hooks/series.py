"""The one loop over live implementations, and its named presets: *bail*, *collect*, *waterfall*, *notify*.

One implementation after another, never two at once. What a preset decides is what becomes of a value and of a failure;
the order and the arguments were decided when the implementation was registered.
"""

from collections.abc import Callable, Mapping, Sequence
from inspect import isawaitable
from types import CoroutineType
from typing import Any

from msgspec import Struct

from host.hooks.family import Failures
from host.hooks.live import Implementation

Fold = Callable[[Implementation, dict[str, Any], Any], bool]
"""``(who answered, the arguments of the next one, the answer) -> whether to stop``; it may change the arguments."""

Complaint = Callable[[Implementation, Exception], None]
"""Told of a failure that is kept from the caller."""


class Preset(Struct, frozen=True, kw_only=True):
    """What one way of combining answers does with each of them.

    Args:
        name: the strategy's name, as specs and the hook table give it.
        bails: the first answer that is not None is the result, and nobody else is asked.
        keeps: every answer is kept, None among them.
        failures: PROPAGATE ends the loop with the failure; ISOLATE passes it to the complaint and goes on.
    """

    name: str
    bails: bool = False
    keeps: bool = False
    failures: Failures = Failures.PROPAGATE


BAIL = Preset(name="bail", bails=True)
COLLECT = Preset(name="collect", keeps=True)
WATERFALL = Preset(name="waterfall", failures=Failures.ISOLATE)
NOTIFY = Preset(name="notify", failures=Failures.ISOLATE)


async def series(
    implementations: Sequence[Implementation],
    arguments: Mapping[str, Any],
    preset: Preset,
    *,
    fold: Fold | None = None,
    complain: Complaint | None = None,
) -> Any:
    """Ask one implementation after another; what can be awaited is awaited.

    Args:
        implementations: in run order.
        arguments: what the hook passes, by name.
        preset: what becomes of answers and failures.
        fold: takes each answer that is not None, and may change what the next one gets. Needs a dict as arguments.
        complain: told of each failure that the preset isolates.

    Returns:
        *bail*: the first answer that is not None, else None. All others: the answers that the preset keeps.

    Raises:
        Exception: an implementation's own, under PROPAGATE. Cancellation and the like pass under every preset.
    """
    bails, keeps = preset.bails, preset.keeps
    answers: list[Any] = []
    for each in implementations:
        try:
            try:
                values = each.pick(arguments)
            except KeyError:
                answer = each.function(**_those_given(each, arguments))
            else:
                answer = each.function(*values)
            if type(answer) is CoroutineType or (answer is not None and isawaitable(answer)):
                answer = await answer
        except Exception as error:
            if preset.failures is Failures.PROPAGATE:
                raise
            if complain is not None:
                complain(each, error)
            continue
        if bails:
            if answer is not None:
                return answer
        elif keeps:
            answers.append(answer)
        elif answer is not None and fold is not None and fold(each, arguments, answer):  # type: ignore[arg-type]
            break
    return None if bails else answers


def series_at_once(
    implementations: Sequence[Implementation],
    arguments: Mapping[str, Any],
    preset: Preset,
    *,
    refuse: Callable[[Implementation], None],
    complain: Complaint | None = None,
) -> Any:
    """The same where nothing can be awaited: an answer that asks to be is no answer.

    Args:
        implementations: in run order.
        arguments: what the hook passes, by name.
        preset: what becomes of answers and failures.
        refuse: told of each implementation that answered with something to await; the next one is asked.
        complain: told of each failure that the preset isolates.

    Returns and raises as `series` does.
    """
    answers: list[Any] = []
    for each in implementations:
        try:
            answer = each.function(**_those_given(each, arguments))
        except Exception as error:
            if preset.failures is Failures.PROPAGATE:
                raise
            if complain is not None:
                complain(each, error)
            continue
        if isawaitable(answer):
            if isinstance(answer, CoroutineType):
                answer.close()
            refuse(each)
            continue
        if preset.bails and answer is not None:
            return answer
        if preset.keeps:
            answers.append(answer)
    return None if preset.bails else answers


def _those_given(implementation: Implementation, arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {name: arguments[name] for name in implementation.parameters if name in arguments}
