"""The kernel under measure: dispatches against the bare loop, through `Hooks.invoke`, with everything on."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from types import MethodType
from typing import Any

from typing_extensions import TypedDict

from benchmarks.handlers import HOOK, Method, Plugin, bare_loop, bare_loop_of_copies, bare_loop_with_ready_arguments
from benchmarks.harness import Action, Effort, Samples, paired
from benchmarks.payloads import SESSION_MESSAGE, TEN_SCALARS
from host.hooks import Declaration, Hooks, HookSpec
from maibot_sdk.hooks import ChatReceiveBeforeProcess

OTHER_HOOKS = 100
PLUGINS_ELSEWHERE = 100


class TenScalars(TypedDict):
    """Ten keys without anything inside them."""

    text: str
    session_id: str
    user_id: str
    group_id: str
    platform: str
    timestamp: float
    priority: int
    attempt: int
    is_mentioned: bool
    is_command: bool


class AnyMessage(TypedDict):
    """A message of which only the outermost type is declared."""

    message: dict[str, Any]


def methods(method: Method, count: int) -> list[Method]:
    """That method of so many plugins."""
    return [MethodType(method, Plugin(number)) for number in range(count)]


def hooks_with(handlers: Sequence[Method], payload: type[Any] = TenScalars, **declared: Any) -> Hooks:
    """A kernel with one hook, and each of `handlers` subscribed to it by a plugin of its own.

    Args:
        handlers: in dispatch order.
        payload: the payload type of the hook.
        declared: what else their declarations say.
    """
    hooks = Hooks()
    hooks.register_spec(HookSpec(name=HOOK, payload=payload))
    for number, handler in enumerate(handlers):
        hooks.register(f"bench.plugin-{number:03d}", [Declaration(hook=HOOK, handler=handler, **declared)])
    return hooks


async def dispatch(hooks: Hooks, payload: Mapping[str, Any] = TEN_SCALARS) -> Action:
    """One dispatch, to be measured: tried once, so that no handler's failure passes for speed."""
    result = await hooks.invoke(HOOK, payload)
    assert not result.errors, result.errors
    return partial(hooks.invoke, HOOK, payload)


async def flat(method: Method, count: int, effort: Effort) -> Samples:
    """Ten scalar keys through so many handlers."""
    handlers = methods(method, count)
    hooks = hooks_with(handlers)
    return await paired(await dispatch(hooks), partial(bare_loop, handlers, TEN_SCALARS), effort)


async def ready(count: int, effort: Effort) -> Samples:
    """The same against a loop that is spared putting the arguments together."""
    handlers = methods(Plugin.returns_none, count)
    hooks = hooks_with(handlers)
    base = partial(bare_loop_with_ready_arguments, handlers, {"hook_name": HOOK, **TEN_SCALARS})
    return await paired(await dispatch(hooks), base, effort)


async def nested(payload: type[Any], method: Method, count: int, effort: Effort) -> Samples:
    """A message of 2 KB, declared by that payload type, through so many handlers."""
    handlers = methods(method, count)
    hooks = hooks_with(handlers, payload)
    base = partial(bare_loop_of_copies, handlers, SESSION_MESSAGE)
    return await paired(await dispatch(hooks, SESSION_MESSAGE), base, effort)


async def traced(effort: Effort) -> Samples:
    """With a listener that is told everything and does nothing with it."""
    handlers = methods(Plugin.returns_none, 10)
    hooks = hooks_with(handlers)
    hooks.listen(_Listener())
    return await paired(await dispatch(hooks), partial(bare_loop, handlers, TEN_SCALARS), effort)


async def elsewhere(effort: Effort) -> Samples:
    """A dispatch in a kernel with 10,000 handlers on other hooks, against one in a kernel without them."""
    handlers = methods(Plugin.returns_none, 10)
    crowded, empty = hooks_with(handlers), hooks_with(handlers)
    others = [f"bench.other-{number:03d}" for number in range(OTHER_HOOKS)]
    for name in others:
        crowded.register_spec(HookSpec(name=name, payload=TenScalars))
    for number in range(PLUGINS_ELSEWHERE):
        plugin = Plugin(number)
        declarations = [Declaration(hook=name, handler=plugin.returns_none, name=name) for name in others]
        crowded.register(f"bench.crowd-{number:03d}", declarations)
    return await paired(await dispatch(crowded), await dispatch(empty), effort)


class _Listener:
    def dispatched(self, trace: object) -> None: ...

    def observed(self, dispatch: object, step: object) -> None: ...


DISPATCHES: Mapping[str, Callable[[Effort], Awaitable[Samples]]] = {
    "none-1": partial(flat, Plugin.returns_none, 1),
    "none-10": partial(flat, Plugin.returns_none, 10),
    "none-100": partial(flat, Plugin.returns_none, 100),
    "ready-1": partial(ready, 1),
    "ready-10": partial(ready, 10),
    "ready-100": partial(ready, 100),
    "traced": traced,
    "one-key": partial(flat, Plugin.changes_one_key, 10),
    "whole-dict": partial(flat, Plugin.returns_whole_dict, 10),
    "typed-1": partial(nested, ChatReceiveBeforeProcess, Plugin.returns_none, 1),
    "typed-10": partial(nested, ChatReceiveBeforeProcess, Plugin.returns_none, 10),
    "typed-edited": partial(nested, ChatReceiveBeforeProcess, Plugin.edits_message, 10),
    "dict-1": partial(nested, AnyMessage, Plugin.returns_none, 1),
    "dict-10": partial(nested, AnyMessage, Plugin.returns_none, 10),
    "dict-edited": partial(nested, AnyMessage, Plugin.edits_message, 10),
    "elsewhere": elsewhere,
}
"""How each case is measured."""
