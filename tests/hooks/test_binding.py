"""What a function asks for is read off its code; it is what `inspect` would say."""

import functools
import inspect
from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from host.hooks.binding import Anatomy, examine


def _inspected(function: Callable[..., Any]) -> tuple[list[str], list[str], list[str], bool]:
    parameters = inspect.signature(function).parameters.values()
    named = [each for each in parameters if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)]
    return (
        [each.name for each in named if each.default is each.empty],
        [each.name for each in named if each.default is not each.empty],
        [each.name for each in parameters if each.kind is each.POSITIONAL_ONLY and each.default is each.empty],
        any(each.kind is each.VAR_KEYWORD for each in parameters),
    )


def _told(anatomy: Anatomy) -> tuple[list[str], list[str], list[str], bool]:
    return (
        list(anatomy.required),
        list(anatomy.optional),
        list(anatomy.positional_only),
        anatomy.takes_rest,
    )


@st.composite
def functions(draw: st.DrawFn) -> tuple[str, Callable[..., Any]]:
    """A function with a signature of every kind, and its ``def`` line."""
    positional, keyword_only = draw(st.integers(0, 4)), draw(st.integers(0, 3))
    position_only = draw(st.integers(0, positional))
    defaults_from = draw(st.integers(0, positional))
    parts = []
    for index in range(positional):
        parts.append(f"p{index}" + ("=1" if index >= defaults_from else ""))
        if index + 1 == position_only:
            parts.append("/")
    if draw(st.booleans()):
        parts.append("*rest")
    elif keyword_only:
        parts.append("*")
    parts += [f"k{index}" + ("=1" if draw(st.booleans()) else "") for index in range(keyword_only)]
    if draw(st.booleans()):
        parts.append("**more")
    line = f"{draw(st.sampled_from(['def', 'async def']))} f({', '.join(parts)}): "
    body = draw(st.sampled_from(["return None", "yield 1"]))
    scope: dict[str, Any] = {}
    exec(line + body, scope)
    return line + body, scope["f"]


@given(functions())
def test_a_function_is_read_as_inspect_reads_it(case: tuple[str, Callable[..., Any]]) -> None:
    line, function = case
    anatomy = examine(function)
    assert _told(anatomy) == _inspected(function), line
    assert anatomy.is_async == inspect.iscoroutinefunction(function)
    assert anatomy.is_generator == (inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function))


@given(functions())
def test_a_method_is_read_without_what_it_is_bound_to(case: tuple[str, Callable[..., Any]]) -> None:
    line, function = case
    if function.__code__.co_argcount == 0:
        return
    bound = function.__get__(object())
    assert _told(examine(bound)) == _inspected(bound), line


def test_disguised_functions_are_inspected() -> None:
    async def inner(a: int, *, b: int = 1, **rest: Any) -> None: ...

    @functools.wraps(inner)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        return inner(*args, **kwargs)

    assert _told(examine(wrapped)) == (["a"], ["b"], [], True)
    assert examine(wrapped).line == inner.__code__.co_firstlineno
    assert not examine(wrapped).is_async
    partial = functools.partial(inner, 1)
    assert _told(examine(partial)) == ([], ["b"], [], True)
    assert examine(partial).is_async


def test_what_tells_nothing_takes_everything_and_what_is_no_function_nothing() -> None:
    assert examine(dict).takes_rest
    assert examine(5) == Anatomy()
