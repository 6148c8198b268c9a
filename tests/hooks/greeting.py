"""A small hook to test the kernel with, and short ways to subscribe to it."""

from collections.abc import Callable
from typing import Any, NotRequired

from typing_extensions import TypedDict

from host.hooks import Declaration, Handler, HookResult, Hooks, HookSettings, HookSpec, RemoteFunction, Source

HOOK = "greeting.before_send"


class Greeting(TypedDict):
    """A text for somebody."""

    text: str
    tags: NotRequired[list[str]]
    extra: NotRequired[dict[str, Any]]
    count: NotRequired[int]
    loud: NotRequired[bool]


def hooks_with(settings: HookSettings | None = None, **spec: Any) -> Hooks:
    """A kernel with the greeting hook; `spec` changes its flags."""
    hooks = Hooks(settings)
    hooks.register_spec(HookSpec(**{"name": HOOK, "payload": Greeting, **spec}))
    return hooks


def on(handler: Callable[..., Any] | RemoteFunction, name: str = "", hook: str = HOOK, **declared: Any) -> Declaration:
    """A declaration of `handler` on the greeting hook."""
    if not name:
        name = handler.name if isinstance(handler, RemoteFunction) else handler.__name__
    return Declaration(hook=hook, handler=handler, name=name, **declared)


def add(hooks: Hooks, *handlers: Callable[..., Any], plugin: str = "demo.plugin", **declared: Any) -> None:
    """Register functions in the order given: each under a name that sorts so."""
    hooks.register(
        plugin, [on(each, f"{index:03d}.{each.__name__}", **declared) for index, each in enumerate(handlers)]
    )


def extra(
    hooks: Hooks, handler: Callable[..., Any] | RemoteFunction, plugin: str, source: Source, **declared: Any
) -> Handler:
    """A checked handler that is not registered: for one call."""
    return hooks.check(plugin, [on(handler, **declared)], source=source).handlers[0]


async def fire(hooks: Hooks, **payload: Any) -> HookResult:
    """Fire the greeting hook."""
    return await hooks.invoke(HOOK, {"text": "hi", **payload})
