"""Ways to use a decorator wrongly, and what an author is to be told of each."""

import functools
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

import maibot_sdk
from maibot_sdk import hooks
from maibot_sdk.types import HookOrder

# What is wrong here, a type checker finds too.
sdk: Any = maibot_sdk
HOOK = hooks.CHAT_RECEIVE_BEFORE_PROCESS


async def function(**kwargs: Any) -> None: ...


handler: Any = function


def generator(**kwargs: Any) -> Iterator[None]:
    yield


async def async_generator(**kwargs: Any) -> AsyncIterator[None]:
    yield


class Plugin:
    def method(self) -> None: ...


@dataclass(frozen=True)
class Misuse:
    """One of them.

    Args:
        use: does it.
        raises: the type of the error, which is that of the published SDK wherever that raises too.
        told: what was found, what is allowed, what to write.
    """

    use: Callable[[], object]
    raises: type[Exception]
    told: list[str]


MISUSES = {
    "hook: no parentheses": Misuse(
        lambda: sdk.HookHandler(handler),
        TypeError,
        ["def function", '@HookHandler("chat.receive.before_process")'],
    ),
    "hook: the payload instead of the name": Misuse(
        lambda: sdk.HookHandler(hooks.SendServiceBeforeSend),
        TypeError,
        ["class SendServiceBeforeSend", '@HookHandler("chat.receive.before_process")'],
    ),
    "hook: blank": Misuse(lambda: sdk.HookHandler(" "), ValueError, ["' '", 'hook="..."']),
    "hook: blank name": Misuse(lambda: sdk.HookHandler(HOOK, name=" ")(handler), ValueError, ["' '", 'name="..."']),
    "hook: nameless callable": Misuse(
        lambda: sdk.HookHandler(HOOK)(functools.partial(handler)),
        TypeError,
        ["partial object", 'name="..."'],
    ),
    "hook: misspelt mode": Misuse(
        lambda: sdk.HookHandler(HOOK, mode="observ")(handler),
        ValidationError,
        ["mode", "'observ'", "'blocking', 'observe'", "HookMode.OBSERVE", "def function"],
    ),
    "hook: capital letters": Misuse(
        lambda: sdk.HookHandler(HOOK, error_policy="LOG")(handler),
        ValidationError,
        ["error_policy", "'LOG'", "'abort', 'skip', 'log'", "ErrorPolicy.LOG"],
    ),
    "hook: the enum of another parameter": Misuse(
        lambda: sdk.HookHandler(HOOK, mode=HookOrder.LATE)(handler),
        ValidationError,
        ["mode", "HookOrder.LATE", "'blocking', 'observe'", "order=HookOrder.LATE"],
    ),
    "hook: a number as order": Misuse(
        lambda: sdk.HookHandler(HOOK, order=5)(handler),
        ValidationError,
        ["order", "5", "HookOrder", "'early', 'normal', 'late'"],
    ),
    "hook: timeout with a unit": Misuse(
        lambda: sdk.HookHandler(HOOK, timeout_ms="5s")(handler),
        ValidationError,
        ["timeout_ms", "'5s'", "5000"],
    ),
    "hook: description that is no text": Misuse(
        lambda: sdk.HookHandler(HOOK, description=None)(handler),
        ValidationError,
        ["description", "None", '"hello"'],
    ),
    "hook: generator": Misuse(
        lambda: sdk.HookHandler(HOOK)(generator), TypeError, ["def generator", "yield", "return"]
    ),
    "hook: async generator": Misuse(
        lambda: sdk.HookHandler(HOOK)(async_generator),
        TypeError,
        ["def async_generator", "yield", "return"],
    ),
    "hook: generator as static method": Misuse(
        lambda: sdk.HookHandler(HOOK)(staticmethod(generator)),
        TypeError,
        ["def generator", "yield", "return"],
    ),
    "hook: property": Misuse(
        lambda: sdk.HookHandler(HOOK)(property(handler)), TypeError, ["property object", "async def"]
    ),
    "hook: class": Misuse(lambda: sdk.HookHandler(HOOK)(Plugin), TypeError, ["class Plugin", "async def"]),
    "tool: a value": Misuse(lambda: sdk.Tool("t")("text"), TypeError, ["'text'", "async def"]),
    "tool: bound method": Misuse(
        lambda: sdk.Tool("t")(Plugin().method), TypeError, ["bound method method", "async def"]
    ),
    "tool: builtin": Misuse(lambda: sdk.Tool("t")(len), TypeError, ["builtin", "async def"]),
    "tool: no parentheses": Misuse(lambda: sdk.Tool(handler), TypeError, ["def function", '@Tool("hello")']),
    "tool: parameters as text": Misuse(
        lambda: sdk.Tool("t", parameters="city"),
        TypeError,
        ["'t'", "str", "parameters=[ToolParameterInfo("],
    ),
    "tool: parameter without name": Misuse(
        lambda: sdk.Tool("t", parameters=[{"description": "d"}]),
        ValidationError,
        ["'t'", "parameters.0.name is missing"],
    ),
    "tool: parameter of an unknown type": Misuse(
        lambda: sdk.Tool("t", parameters=[{"name": "n", "param_type": "int"}]),
        ValidationError,
        ["'t'", "parameters.0.param_type", "'int'", "'integer'", "ToolParamType"],
    ),
    "tool: parameter that is none": Misuse(
        lambda: sdk.Tool("t", parameters=[5]),
        ValidationError,
        ["parameters.0", "5", "ToolParameterInfo("],
    ),
    "tool: platforms": Misuse(
        lambda: sdk.Tool("t", platforms=["qq", 5]), ValueError, ["['qq', 5]", 'platforms=["qq"]']
    ),
    "action: no parentheses": Misuse(lambda: sdk.Action(handler), TypeError, ["def function", '@Action("hello")']),
    "action: misspelt activation": Misuse(
        lambda: sdk.Action("a", activation_type="keywords"),
        ValueError,
        ["activation_type", "'keywords'", "'random'", "ActivationType.KEYWORD"],
    ),
    "action: unknown chat mode": Misuse(
        lambda: sdk.Action("a", chat_mode=5),
        ValueError,
        ["chat_mode", "5", "'focus'", "ChatMode"],
    ),
    "command: no parentheses": Misuse(lambda: sdk.Command(handler), TypeError, ["def function", '@Command("hello")']),
    "command: no pattern": Misuse(
        lambda: sdk.Command("c", pattern=None)(handler),
        ValidationError,
        ["\n  pattern takes", "None", '"hello"', "def function"],
    ),
    "command: one alias": Misuse(
        lambda: sdk.Command("c", aliases="/x")(handler),
        ValidationError,
        ["aliases", "'/x'", '["a", "b"]'],
    ),
    "command: an alias that is no text": Misuse(
        lambda: sdk.Command("c", aliases=["/x", 5])(handler),
        ValidationError,
        ["aliases.1", "5", '"hello"'],
    ),
    "command: name that is no text": Misuse(lambda: sdk.Command(5)(handler), ValidationError, ["name", "5", '"hello"']),
    "api: no parentheses": Misuse(lambda: sdk.API(handler), TypeError, ["def function", '@API("hello")']),
    "event: no parentheses": Misuse(
        lambda: sdk.EventHandler(handler), TypeError, ["def function", '@EventHandler("hello")']
    ),
    "event: misspelt event": Misuse(
        lambda: sdk.EventHandler("e", event_type="on_mesage")(handler),
        ValidationError,
        ["event_type", "'on_mesage'", "'on_stop'", "EventType.ON_MESSAGE"],
    ),
    "event: flag": Misuse(
        lambda: sdk.EventHandler("e", intercept_message="maybe")(handler),
        ValidationError,
        ["intercept_message", "'maybe'", "True"],
    ),
    "event: weight": Misuse(
        lambda: sdk.EventHandler("e", weight=1.5)(handler),
        ValidationError,
        ["weight", "1.5", "10"],
    ),
    "event: infinite weight": Misuse(
        lambda: sdk.EventHandler("e", weight=float("inf"))(handler),
        ValidationError,
        ["weight", "inf", "10"],
    ),
    "reply: no parentheses": Misuse(
        lambda: sdk.ReplyExtension(handler),
        TypeError,
        ["def function", '@ReplyExtension("hello")'],
    ),
    "reply: no time at all": Misuse(
        lambda: sdk.ReplyExtension("r", timeout_ms=0)(handler),
        ValidationError,
        ["timeout_ms", "got 0", "greater than 0", "大于 0"],
    ),
    "reply: misspelt scope": Misuse(
        lambda: sdk.ReplyExtension("r", chat_scope="groups")(handler),
        ValidationError,
        ["chat_scope", "'groups'", "'all', 'group', 'private'", "write 'group'"],
    ),
    "reply: parameters as text": Misuse(
        lambda: sdk.ReplyExtension("r", parameters="city"),
        TypeError,
        ["str", "parameters=[ToolParameterInfo("],
    ),
    "card: blank title": Misuse(lambda: sdk.HomeCard("n", ""), ValueError, ["''", 'title="..."']),
    "card: order in words": Misuse(lambda: sdk.HomeCard("n", "t", order="first"), ValueError, ["'first'", "order=10"]),
    "card: no order": Misuse(lambda: sdk.HomeCard("n", "t", order=None), TypeError, ["None", "order=10"]),
    "gateway: unknown way": Misuse(
        lambda: sdk.MessageGateway("both"), ValueError, ["'both'", '@MessageGateway("duplex")']
    ),
    "gateway: no parentheses": Misuse(
        lambda: sdk.MessageGateway(handler),
        ValueError,
        ["function", '@MessageGateway("duplex")'],
    ),
    "gateway: nameless callable": Misuse(
        lambda: sdk.MessageGateway("send")(functools.partial(handler)),
        TypeError,
        ["partial object", 'name="..."'],
    ),
    "provider: no parentheses": Misuse(
        lambda: sdk.LLMProvider(handler),
        TypeError,
        ["def function", '@LLMProvider("my-service")'],
    ),
    "provider: blank": Misuse(lambda: sdk.LLMProvider(""), ValueError, ["''", 'client_type="..."']),
    "provider: description": Misuse(
        lambda: sdk.LLMProvider("p", description=None)(handler),
        ValidationError,
        ["description", "None", '"hello"'],
    ),
}
"""By what is wrong."""
