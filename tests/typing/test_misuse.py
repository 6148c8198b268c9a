"""A decorator used wrongly is refused where it stands, and says in both languages what was found and what to write."""

import functools
import re
import traceback
import warnings
from collections.abc import Callable
from textwrap import dedent
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from maibot_sdk.components import collect_components, collect_llm_providers
from maibot_sdk.types import (
    CommandComponentInfo,
    EventHandlerComponentInfo,
    HookHandlerComponentInfo,
    ReplyExtensionComponentInfo,
)
from tests.typing.misuses import HOOK, MISUSES, Misuse, Plugin, generator, handler, sdk


def refusal(use: Callable[[], object]) -> Exception:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        with pytest.raises(Exception) as caught:  # noqa: PT011 - which one is what the tests are about
            use()
    return caught.value


@pytest.mark.parametrize("misuse", MISUSES.values(), ids=MISUSES)
def test_it_is_refused_in_both_languages(misuse: Misuse) -> None:
    error = refusal(misuse.use)
    assert type(error) is misuse.raises
    assert [piece for piece in misuse.told if piece not in str(error)] == []
    english, _, chinese = str(error).partition(" / ")
    assert re.search("[a-z]{3}", english)
    assert re.search("[一-鿿]{2}", chinese)


@pytest.mark.parametrize(
    ("line", "body"),
    [
        ("@HookHandler", "pass"),
        ('@HookHandler("x.y")', "yield"),
        ('@HookHandler("x.y", mode="observ")', "pass"),
        ('@Tool("t", platforms=[""])', "pass"),
        ('@Command("c", pattern=None)', "pass"),
    ],
)
def test_the_traceback_ends_where_the_decorator_stands(line: str, body: str) -> None:
    source = dedent(f"""
        from maibot_sdk import Command, HookHandler, Tool
        class Plugin:
            {line}
            async def handler(self, **kwargs):
                {body}
    """)
    error = refusal(lambda: exec(compile(source, "plugin.py", "exec"), {}))
    places = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    assert [number for file, number in places if file == "plugin.py"][-1] == 4


def test_all_that_is_wrong_with_the_arguments_is_told_at_once() -> None:
    error = refusal(lambda: sdk.HookHandler(HOOK, mode="m", order="o", timeout_ms="t", error_policy="e")(handler))
    assert isinstance(error, ValidationError)
    assert [problem["loc"] for problem in error.errors()] == [("mode",), ("order",), ("timeout_ms",), ("error_policy",)]


@pytest.mark.parametrize(
    ("decorate", "model", "fields"),
    [
        (lambda **given: sdk.HookHandler(HOOK, **given), HookHandlerComponentInfo, {"mode": "x", "timeout_ms": 1.5}),
        (lambda **given: sdk.EventHandler("e", **given), EventHandlerComponentInfo, {"event_type": 5, "weight": "x"}),
        (lambda **given: sdk.Command("c", **given), CommandComponentInfo, {"aliases": [5], "description": None}),
        (
            lambda **given: sdk.ReplyExtension("r", **given),
            ReplyExtensionComponentInfo,
            {"enabled": 5, "timeout_ms": 0},
        ),
    ],
)
def test_it_is_the_error_of_the_model_in_better_words(
    decorate: Callable[..., Any], model: type[BaseModel], fields: dict[str, Any]
) -> None:
    raised = refusal(lambda: decorate(**fields)(handler))
    plain = refusal(lambda: model(name="n", hook=HOOK, **fields))
    assert isinstance(raised, ValidationError)
    assert isinstance(plain, ValidationError)

    def shape(error: ValidationError) -> list[object]:
        return [(each["type"], each["loc"], each["input"]) for each in error.errors()]

    assert shape(raised) == shape(plain)


def test_text_with_braces_is_told_as_it_is() -> None:
    assert "got '{text}'" in str(refusal(lambda: sdk.HookHandler(HOOK, mode="{text}")(handler)))


def test_what_can_be_called_and_marked_may_be_decorated() -> None:
    class Instance:
        async def __call__(self, **kwargs: Any) -> None: ...

    @functools.wraps(generator)
    def wrapper(**kwargs: Any) -> list[None]:
        return list(generator(**kwargs))

    class Decorated:
        static = sdk.HookHandler(HOOK, name="static")(staticmethod(handler))
        of_class = sdk.HookHandler(HOOK, name="class")(classmethod(handler))
        partial = sdk.HookHandler(HOOK, name="partial")(functools.partial(handler))
        instance = sdk.HookHandler(HOOK, name="instance")(Instance())
        wrapped = sdk.HookHandler(HOOK, name="wrapped")(wrapper)

    names = {component["name"] for component in collect_components(Decorated())}
    assert names == {"static", "class", "partial", "instance", "wrapped"}


def test_a_class_may_be_a_provider() -> None:
    class Decorated:
        Provider = sdk.LLMProvider("p")(Plugin)

    assert [provider["client_type"] for provider in collect_llm_providers(Decorated())] == ["p"]
