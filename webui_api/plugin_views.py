"""Plugins as the web shows them: what each is, where it stands and why, what it does, and what it needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field

from host.hooks import Handler, RegistrationError, Source
from host.hooks.texts import Locale
from host.runtime import Isolation, Plugin, PluginError, PluginState, Removed
from maibot_sdk.types import ErrorPolicy, HookMode, HookOrder
from webui_api.plugin_components import components_of

Needs = Mapping[str, Sequence[str]]
"""Plugin id -> ids that it depends on, there or not."""


def sendable(text: str) -> str:
    """Text of a plugin, or one that names folders, as an answer can hold it: lone surrogates are spelled out."""
    return text.encode("utf-8", "backslashreplace").decode()


Text = Annotated[str, BeforeValidator(sendable)]


class ProblemView(BaseModel):
    """What is the matter with a plugin."""

    code: str = Field(description="Which reason, stable across releases.")
    text: Text = Field(description="English or Chinese, by Accept-Language; may have several lines.")
    traceback: Text = Field(description="Where the plugin's code raised, in short; empty where it did not.")

    @classmethod
    def of(cls, problem: PluginError | RegistrationError | None, locale: Locale) -> ProblemView | None:
        """The view of `problem`, where there is one."""
        if problem is None:
            return None
        if isinstance(problem, RegistrationError):
            return cls(code="registration_refused", text=problem.text(locale), traceback="")
        return cls(code=problem.code, text=problem.text(locale), traceback=problem.traceback)


class PluginView(BaseModel):
    """A plugin in the list of them."""

    id: Text = Field(description="Where the manifest is refused, the name of the plugin's folder.")
    name: Text
    version: Text = Field(description="X.Y.Z; empty where the manifest is refused.")
    description: Text
    path: Text = Field(description="Its folder.")
    source: Source = Field(description="Decided by where the plugin lies, never by what it says of itself.")
    state: PluginState
    problem: ProblemView | None = Field(description="Why it is blocked or failed, or did not end cleanly.")
    reload_problem: ProblemView | None = Field(description="Why a newer version of it was not taken; this one serves.")
    config_problem: ProblemView | None = Field(
        description="Why what its configuration file says now was not taken; the last good configuration counts on."
    )
    handlers: int = Field(ge=0, description="How many hook handlers it has registered.")

    @classmethod
    def of(cls, plugin: Plugin, locale: Locale) -> PluginView:
        """The view of `plugin` for a reader of `locale`."""
        return cls(
            id=plugin.id,
            name=plugin.name,
            version=plugin.version,
            description=plugin.manifest.description if plugin.manifest else "",
            path=str(plugin.path),
            source=plugin.source,
            state=plugin.state,
            problem=ProblemView.of(plugin.problem, locale),
            reload_problem=ProblemView.of(plugin.reload_problem, locale),
            config_problem=ProblemView.of(plugin.config_problem, locale),
            handlers=len(plugin.registration.handlers) if plugin.registration else 0,
        )


class PluginList(BaseModel):
    """All plugins that were found, by id, then by path."""

    success: bool = True
    plugins: list[PluginView]


class PluginHandlerView(BaseModel):
    """A hook handler, as seen from its plugin. Its place in the order of dispatch is in the hook table."""

    hook: str
    name: Text
    description: Text
    mode: HookMode
    order: HookOrder
    timeout_ms: int = Field(gt=0, description="The deadline in effect, in milliseconds.")
    error_policy: ErrorPolicy

    @classmethod
    def of(cls, handler: Handler) -> PluginHandlerView:
        """The view of `handler`."""
        return cls(
            hook=handler.hook,
            name=handler.name,
            description=handler.description,
            mode=handler.mode,
            order=handler.order,
            timeout_ms=handler.timeout_ms,
            error_policy=handler.policy,
        )


class NeighbourView(BaseModel):
    """A plugin that another one needs, or that needs it."""

    id: Text
    state: PluginState | None = Field(description="null where there is no plugin of this id.")


class PluginDetails(PluginView):
    """Everything about one plugin."""

    isolation: Isolation = Field(description="process: in a process of its own; inline: in the host's. Or it would be.")
    pid: int | None = Field(description="Its own process; null while it has none.")
    warnings: list[Text] = Field(description="What its author should look at; it works all the same.")
    hook_handlers: list[PluginHandlerView] = Field(description="By hook, then by name.")
    components: dict[str, int] = Field(description="How many components it has of each type.")
    dependencies: list[NeighbourView] = Field(description="The plugins that it needs, by id.")
    dependents: list[NeighbourView] = Field(description="The plugins that need it, by id.")

    @classmethod
    def among(
        cls, plugin: Plugin, plugins: Sequence[Plugin], needs: Needs, isolation: Isolation, locale: Locale
    ) -> PluginDetails:
        """The view of `plugin` among all `plugins` for a reader of `locale`.

        Args:
            plugin: one of them.
            plugins: all that were found.
            needs: what each depends on, by id.
            isolation: where `plugin` runs, or would.
            locale: of the texts.
        """
        registration = plugin.registration
        handlers = sorted(registration.handlers, key=lambda each: (each.hook, each.name)) if registration else []
        counts = Counter(component.type for component in components_of(plugin))
        states = {each.id: each.state for each in _claimants(plugins)}
        dependents = [other for other, needed in needs.items() if plugin.id in needed]
        vitals = plugin.code.vitals() if plugin.code is not None else None
        return cls(
            **dict(PluginView.of(plugin, locale)),
            isolation=isolation,
            pid=vitals.pid if vitals else None,
            warnings=[warning.text(locale) for warning in registration.warnings] if registration else [],
            hook_handlers=[PluginHandlerView.of(handler) for handler in handlers],
            components=dict(sorted(counts.items())),
            dependencies=_neighbours(needs.get(plugin.id, ()), states),
            dependents=_neighbours(dependents, states),
        )


class PluginAnswer(BaseModel):
    """One plugin."""

    success: bool = True
    plugin: PluginDetails


class RemovedPlugin(BaseModel):
    """A plugin that was removed."""

    success: bool = True
    id: Text
    trash: Text = Field(description="Where its folder lies now; it is not deleted.")
    data: Text | None = Field(description="The folder of its data, which stays; null where it has none.")
    unloaded: list[Text] = Field(description="Ids of the plugins that were unloaded before it since they need it.")

    @classmethod
    def of(cls, removed: Removed) -> RemovedPlugin:
        """The view of `removed`."""
        data = None if removed.data is None else str(removed.data)
        return cls(id=removed.id, trash=str(removed.trash), data=data, unloaded=list(removed.unloaded))


class GraphNode(BaseModel):
    """A plugin that was found, or one that only is asked for."""

    id: Text
    name: Text
    version: Text
    state: PluginState | None = Field(description="null where there is no plugin of this id.")


class GraphEdge(BaseModel):
    """One plugin needs another."""

    dependent: str
    dependency: str


class Graph(BaseModel):
    """Who needs whom, both parts sorted by id."""

    success: bool = True
    nodes: list[GraphNode]
    edges: list[GraphEdge]

    @classmethod
    def of(cls, plugins: Iterable[Plugin], needs: Needs) -> Graph:
        """The graph of `plugins` and of what they need, there or not."""
        edges = [
            GraphEdge(dependent=each, dependency=needed) for each in sorted(needs) for needed in sorted(needs[each])
        ]
        missing = {edge.dependency: GraphNode(id=edge.dependency, name="", version="", state=None) for edge in edges}
        found = {
            each.id: GraphNode(id=each.id, name=each.name, version=each.version, state=each.state)
            for each in _claimants(plugins)
        }
        return cls(nodes=[node for _, node in sorted((missing | found).items())], edges=edges)


def _claimants(plugins: Iterable[Plugin]) -> list[Plugin]:
    """The plugins so that of several with one id, the last is one that is not blocked, where there is one."""
    return sorted(plugins, key=lambda plugin: plugin.state is not PluginState.BLOCKED)


def _neighbours(ids: Iterable[str], states: Mapping[str, PluginState]) -> list[NeighbourView]:
    return [NeighbourView(id=each, state=states.get(each)) for each in sorted(ids)]
