"""The calls of this family: first answer, all answers, observers of errors, and which model hook is used."""

from collections.abc import Mapping
from enum import Enum
from typing import Any

from loguru import logger

from host.bub.family import plugin_order
from host.bub.plugins import Plugins
from host.bub.streaming import AsyncStreamEvents, is_stream, of_text, text_of
from host.hooks import BAIL, COLLECT, NOTIFY, Implementation, series, series_at_once


class ModelSelection(str, Enum):
    """How it is decided whether ``run_model`` or ``run_model_stream`` is used."""

    PRIORITY = "priority"
    """The implementation of either that runs first decides, as the newer edition of its pages says."""
    RELEASED = "released"
    """As Bub 0.5.1 does: the plugin registered last that has an attribute of either name decides."""


_PLAIN, _STREAM = "run_model", "run_model_stream"


class HookRuntime:
    """Calls implementations. What it gives is what they answered; what it raises is theirs.

    Args:
        plugins: whose implementations.
        selection: how the model hook is chosen.
    """

    def __init__(self, plugins: Plugins, selection: ModelSelection = ModelSelection.PRIORITY) -> None:
        self.plugins = plugins
        self._table = plugins.table
        self._selection = selection

    async def call_first(self, hook: str, /, **arguments: Any) -> Any:
        """The first answer that is not None; nobody after it is asked. ``""``, ``False`` and ``[]`` are answers."""
        return await series(self._table.of(hook), arguments, BAIL)

    async def call_many(self, hook: str, /, **arguments: Any) -> list[Any]:
        """All answers in run order, None among them. The first failure ends it."""
        answers: list[Any] = await series(self._table.of(hook), arguments, COLLECT)
        return answers

    def call_first_sync(self, hook: str, /, **arguments: Any) -> Any:
        """The same where nothing can be awaited; who answers with something to await is passed over."""
        return series_at_once(self._table.of(hook), arguments, BAIL, refuse=not_supported)

    def call_many_sync(self, hook: str, /, **arguments: Any) -> list[Any]:
        """The same for all answers."""
        answers: list[Any] = series_at_once(self._table.of(hook), arguments, COLLECT, refuse=not_supported)
        return answers

    async def notify_error(self, *, stage: str, error: Exception, message: Any) -> None:
        """Tell every ``on_error`` of a failure. Their own failures are logged; cancellation passes."""

        def complain(implementation: Implementation, failure: Exception) -> None:
            _log_observer(stage, implementation, failure)

        arguments = {"stage": stage, "error": error, "message": message}
        await series(self._table.of("on_error"), arguments, NOTIFY, complain=complain)

    def notify_error_sync(self, *, stage: str, error: Exception, message: Any) -> None:
        """The same where nothing can be awaited."""

        def complain(implementation: Implementation, failure: Exception) -> None:
            _log_observer(stage, implementation, failure)

        arguments = {"stage": stage, "error": error, "message": message}
        series_at_once(self._table.of("on_error"), arguments, NOTIFY, refuse=not_supported, complain=complain)

    async def run_model(self, *, prompt: Any, session_id: str, state: dict[str, Any]) -> str | None:
        """The model's whole text; a stream is read to its end, and its error events count for nothing.

        Raises:
            TypeError: the implementation gave neither text nor None.
        """
        arguments = {"prompt": prompt, "session_id": session_id, "state": state}
        hook = self._selected(wanted=_PLAIN)
        if hook == _STREAM:
            events = await self.call_first(_STREAM, **arguments)
            return None if events is None else await text_of(events)
        return await self._plain(arguments) if hook else None

    async def run_model_stream(
        self, *, prompt: Any, session_id: str, state: dict[str, Any]
    ) -> AsyncStreamEvents | None:
        """The model's output as a stream; plain text becomes one event, made when it is read.

        Raises:
            TypeError: the implementation gave neither a stream nor None.
        """
        arguments = {"prompt": prompt, "session_id": session_id, "state": state}
        hook = self._selected(wanted=_STREAM)
        if hook == _PLAIN:
            return of_text(lambda: self._plain(arguments))
        events = await self.call_first(_STREAM, **arguments) if hook else None
        if events is not None and not is_stream(events):
            raise TypeError("hook.run_model_stream must return AsyncStreamEvents or None")
        stream: AsyncStreamEvents | None = events
        return stream

    async def _plain(self, arguments: Mapping[str, Any]) -> str | None:
        text = await self.call_first(_PLAIN, **arguments)
        if text is not None and not isinstance(text, str):
            raise TypeError("hook.run_model must return str or None")
        return text

    def _selected(self, *, wanted: str) -> str | None:
        """The hook that is used; `wanted` where one plugin has both."""
        if self._selection is ModelSelection.RELEASED:
            return self._selected_as_released(wanted)
        candidates = [each for hook in (_PLAIN, _STREAM) for each in self._table.of(hook)[:1]]
        if not candidates:
            return None
        return min(candidates, key=lambda each: (plugin_order(each), each.hook != wanted)).hook

    def _selected_as_released(self, wanted: str) -> str | None:
        for _, plugin in reversed(self.plugins.in_order()):
            present = [hook for hook in (_PLAIN, _STREAM) if hasattr(plugin, hook)]
            if present:
                return wanted if wanted in present else present[0]
        return None


def not_supported(implementation: Implementation) -> None:
    """Log that an implementation has to answer at once."""
    logger.warning("hook.async_not_supported hook={} adapter={}", implementation.hook, implementation.plugin)


def _log_observer(stage: str, implementation: Implementation, failure: Exception) -> None:
    logger.opt(exception=failure).warning("hook.on_error_failed stage={} adapter={}", stage, implementation.plugin)
