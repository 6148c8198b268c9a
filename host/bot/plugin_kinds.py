"""Kinds of providers of models that plugins bring, as long as those plugins are active."""

from collections.abc import Callable, Mapping
from typing import Any

from loguru import logger

from host.bot.components import Components
from host.models import KindTakenError, Models, plugin_provider
from host.models.plugin_provider import Invoke
from host.runtime.components import LLM_PROVIDER, Component

_SHORTEST_MS = 1000


class PluginKinds:
    """Offers the models what plugins declare with `@LLMProvider`.

    Args:
        models: they ask it.
        components: where it is declared.
    """

    def __init__(self, models: Models, components: Components) -> None:
        self._models = models
        self._components = components
        self._provided: dict[Component, Callable[[], None]] = {}

    def follow(self) -> None:
        """Take back the kinds whose plugins are gone, and provide those that came."""
        declared = self._components.of_type(LLM_PROVIDER)
        for gone in [each for each in self._provided if each not in declared]:
            self._provided.pop(gone)()
        for component in declared:
            if component not in self._provided and _is_in_manifest(component):
                self._provide(component)

    def _provide(self, component: Component) -> None:
        try:
            self._provided[component] = self._models.provide(component.name, plugin_provider(_invoke(component)))
        except KindTakenError as error:
            logger.warning("plugin {}: {}", component.plugin_id, error)


def _is_in_manifest(component: Component) -> bool:
    """Whether the manifest lists the kind, as it has to; a warning where it does not."""
    manifest = component.plugin.manifest
    listed = [each.client_type for each in manifest.llm_providers] if manifest else []
    if component.name not in listed:
        logger.warning(
            "plugin {}: models of the kind {!r} are not provided: llm_providers of its manifest lists {}",
            component.plugin_id,
            component.name,
            ", ".join(listed) or "none",
        )
    return component.name in listed


def _invoke(component: Component) -> Invoke:
    """Runs the component, within the time that the entry of the settings gives it."""

    async def run(arguments: Mapping[str, Any]) -> Any:
        seconds = arguments["request"]["api_provider"]["timeout"]
        invoked = await component.invoke(arguments, timeout_ms=max(_SHORTEST_MS, int(seconds * 1000)))
        if not invoked.success:
            raise RuntimeError(invoked.result)
        return invoked.result

    return run
