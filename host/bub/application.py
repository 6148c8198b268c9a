"""The hooks that serve the whole application: models, channels, tools, prompts, configuration."""

from collections.abc import Awaitable, Callable, Mapping
from copy import deepcopy
from inspect import isawaitable
from itertools import chain
from pathlib import Path
from types import CoroutineType
from typing import Any

from host.bub.options import ModelOptions, merge_options
from host.bub.payloads import is_tape_context
from host.bub.runtime import HookRuntime, not_supported
from host.hooks import REDUCERS


class Application:
    """What plugins provide for all turns.

    Args:
        runtime: the calls.
        workspace: where tools work.
        config: what ``onboard_config`` starts from.
    """

    def __init__(self, runtime: HookRuntime, workspace: Path, config: Mapping[str, Any]) -> None:
        self.runtime = runtime
        self.workspace = workspace
        self._config = config

    def channels(self, message_handler: Callable[[Any], Awaitable[None]]) -> dict[str, Any]:
        """Channels by name, the first of each. Raises TypeError for an answer that is no list."""
        answers = self.runtime.call_many_sync("provide_channels", message_handler=message_handler)
        named: dict[str, Any] = REDUCERS["dedupe_by_name"](chain.from_iterable(answers))
        return named

    def tools(self) -> list[Any]:
        """Tools, the first of each name."""
        answers = self.runtime.call_many_sync("provide_tools")
        return [*REDUCERS["dedupe_by_name"](chain.from_iterable(answers)).values()]

    def tape_sidecars(self) -> tuple[Any, ...]:
        """Sidecars, the first of each name. Raises AttributeError for an answer without one."""
        return (*REDUCERS["dedupe_by_name"](self.runtime.call_many_sync("provide_tape_sidecar")).values(),)

    def system_prompt(self, *, prompt: Any, state: dict[str, Any]) -> str:
        """All blocks, from low to high priority, with blank lines between."""
        text: str = REDUCERS["join"](self.runtime.call_many_sync("system_prompt", prompt=prompt, state=state))
        return text

    def tape_context(self) -> Any:
        """How tapes become messages. Raises TypeError where nobody gives a tape context."""
        answer = self.runtime.call_first_sync("build_tape_context")
        if not is_tape_context(answer):
            raise TypeError("hook.build_tape_context must return TapeContext")
        return answer

    async def model_options(self, session_id: str, workspace: Path | None = None) -> ModelOptions:
        """The models that a session may use; those given under the older name of the hook come last."""
        arguments = {"session_id": session_id, "workspace": (workspace or self.workspace).resolve()}
        found = [
            merge_options(hook, await self.runtime.call_many(hook, **arguments))
            for hook in ("provide_model_options", "provide_runtime_options")
        ]
        return merge_options("provide_model_options", found)

    def onboard_config(self, plugin: str | None = None) -> dict[str, Any]:
        """The configuration after everybody's part, asked from low to high priority; the higher one wins.

        Each sees what those before it gave, and is passed it whether it declares it or not.

        Args:
            plugin: ask this one alone.

        Raises:
            TypeError: an answer is neither a dict nor None, or an implementation takes no ``current_config``.
            ValueError: there is no such plugin.
        """
        known = [name for name, _ in self.runtime.plugins.in_order()]
        if plugin is not None and plugin not in known:
            raise ValueError(f"no plugin {plugin!r} is registered; registered are: {', '.join(known) or '-'}")
        config = deepcopy(dict(self._config))
        for each in reversed(self.runtime.plugins.table.of("onboard_config")):
            if plugin is not None and each.plugin != plugin:
                continue
            answer = each.function(current_config=config)
            if isawaitable(answer):
                if isinstance(answer, CoroutineType):
                    answer.close()
                not_supported(each)
                continue
            if answer is not None and not isinstance(answer, dict):
                raise TypeError("hook.onboard_config must return dict or None")
            if answer is not None:
                _merge_into(config, answer)
        return config


def _merge_into(config: dict[str, Any], more: Mapping[str, Any]) -> None:
    for key, value in more.items():
        here = config.get(key)
        if isinstance(here, dict) and isinstance(value, dict) and here is not value:
            _merge_into(here, value)
        else:
            config[key] = value
