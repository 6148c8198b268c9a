"""Calls of Bub's hooks: its own runtime and the family here, each at the same implementations and the same bare loop.

The imports of either stand in the functions that need them: each is measured in an environment of its own.
"""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

from benchmarks.harness import Action, Effort, Samples, paired

COUNT = 10
HOOK = "save_state"
ARGUMENTS: Mapping[str, Any] = {"session_id": "s", "state": {}, "message": {}, "model_output": "text"}
FORMS = {"bail": "call_first", "collect": "call_many"}


class Saver:
    """A plugin with one implementation, which answers None: so *bail* asks everybody too."""

    async def save_state(self, session_id: str, state: Any, message: Any, model_output: str) -> None:
        """Looks on."""


async def _bare(savers: list[Saver]) -> None:
    for saver in savers:
        await saver.save_state(**ARGUMENTS)


def _their_runtime() -> Any:
    import pluggy
    from bub.hooks.runtime import HookRuntime  # type: ignore[import-not-found]

    class Spec:
        def save_state(self, session_id: str, state: Any, message: Any, model_output: str) -> None:
            """The hook, as their interface has it."""

    manager = pluggy.PluginManager("bench")
    pluggy.HookspecMarker("bench")(Spec.save_state)
    manager.add_hookspecs(Spec)
    for saver in _plugins(pluggy.HookimplMarker("bench")):
        manager.register(saver)
    return HookRuntime(manager)


def _our_runtime() -> Any:
    from host.bub import HookRuntime, Plugins, hookimpl

    plugins = Plugins()
    for number, saver in enumerate(_plugins(hookimpl)):
        plugins.register(saver, f"p{number}")
    return HookRuntime(plugins)


def _plugins(mark: Any) -> list[Saver]:
    marked = type("MarkedSaver", (Saver,), {HOOK: mark(_copy_of_implementation())})
    return [marked() for _ in range(COUNT)]


def _copy_of_implementation() -> Any:
    """A function of its own: a marker changes the function that it is put on."""

    async def save_state(self: Saver, session_id: str, state: Any, message: Any, model_output: str) -> None:
        """Looks on."""

    return save_state


async def _measured(runtime: Callable[[], Any], form: str, effort: Effort) -> Samples:
    calls: Action = partial(getattr(runtime(), FORMS[form]), HOOK, **ARGUMENTS)
    return await paired(calls, partial(_bare, [Saver() for _ in range(COUNT)]), effort)


def _of(runtime: Callable[[], Any], prefix: str) -> Mapping[str, Callable[[Effort], Awaitable[Samples]]]:
    return {f"{prefix}-{form}": partial(_measured, runtime, form) for form in FORMS}


THEIRS = _of(_their_runtime, "bub")
"""How each case of Bub's own runtime is measured."""

OURS = _of(_our_runtime, "family")
"""How each case of the family here is measured."""
