"""The plugins over HTTP: where each stands, what it brings, who needs whom; moving one to a state, removing one."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, Final, NoReturn

from fastapi import APIRouter, Depends, HTTPException, Response, status
from fastapi.responses import JSONResponse

from host.hooks.texts import Locale
from host.runtime import Plugin, PluginError, PluginState, UnknownPluginError
from host.runtime.dependencies.drawing import graph_svg, graph_text
from webui_api.gate import Refusal
from webui_api.home_cards import HomeCardList
from webui_api.language import caller_locale
from webui_api.plugin_components import CommandList, ComponentList
from webui_api.plugin_views import Graph, PluginAnswer, PluginDetails, PluginList, PluginView, RemovedPlugin, sendable
from webui_api.texts import WEB_TEXTS

if TYPE_CHECKING:
    from host.app import Host

Reader = Annotated[Locale, Depends(caller_locale)]

_UNKNOWN: Final[dict[int | str, dict[str, Any]]] = {
    404: {"model": Refusal, "description": "There is no plugin of this id; the answer names those that there are."}
}
_NOT_KEPT: Final = {"Cache-Control": "no-store"}
# A picture is opened as a page of its own, where the session cookie is: no script may run in it.
_ONLY_A_PICTURE: Final = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "X-Content-Type-Options": "nosniff",
}


class PluginAction(str, Enum):
    """What can be done with a plugin."""

    ENABLE = "enable"
    DISABLE = "disable"
    RELOAD = "reload"
    LOAD = "load"
    UNLOAD = "unload"

    @property
    def makes_active(self) -> bool:
        """Whether the plugin is to be active afterwards; else nothing of it is to run."""
        return self not in (PluginAction.DISABLE, PluginAction.UNLOAD)


class Conflict(Refusal):
    """A plugin could not be brought to the state that was asked for."""

    plugin: PluginDetails


def plugin_routes(host: Host) -> APIRouter:
    """The routes under ``/plugins/runtime`` that show the plugins of `host`, change their states, and remove them."""
    # Every answer is of this moment.
    router = APIRouter(prefix="/plugins/runtime", tags=["plugins"], dependencies=[Depends(_no_store)])
    _add_list_routes(router, host)
    _add_plugin_routes(router, host)
    _add_graph_routes(router, host)
    return router


def _add_list_routes(router: APIRouter, host: Host) -> None:
    # Coroutines, here and below, so that they run in the event loop that owns the plugins, and not in a thread.
    @router.get("/plugins", summary="All plugins")
    async def list_plugins(locale: Reader) -> PluginList:
        """Every plugin that was found, with its state, and what is the matter with it."""
        return PluginList(plugins=[PluginView.of(plugin, locale) for plugin in host.plugins])

    @router.get("/commands", summary="The commands of all plugins", response_model_exclude_none=True)
    async def list_commands() -> CommandList:
        """The commands of active plugins, and those that the host itself answers to."""
        return CommandList.of(host.plugins)

    @router.get("/home-cards", summary="The cards of the front page")
    async def list_home_cards() -> HomeCardList:
        """The cards of active plugins that are switched on, cut to size and with safe links."""
        return HomeCardList.of(host.plugins)


def _add_plugin_routes(router: APIRouter, host: Host) -> None:
    def details(plugin: Plugin, locale: Locale) -> PluginDetails:
        plugins = host.plugins
        return PluginDetails.among(plugin, list(plugins), plugins.graph(), plugins.isolation(plugin), locale)

    def conflict(plugin: Plugin, refusal: str, locale: Locale) -> JSONResponse:
        answer = Conflict(detail=sendable(refusal), plugin=details(plugin, locale))
        return JSONResponse(answer.model_dump(mode="json"), status_code=status.HTTP_409_CONFLICT)

    @router.get("/plugins/{plugin_id}", summary="One plugin", responses=_UNKNOWN)
    async def show_plugin(plugin_id: str, locale: Reader) -> PluginAnswer:
        """Everything about one plugin: problems with their tracebacks, hook handlers, components, dependencies."""
        return PluginAnswer(plugin=details(_find(host, plugin_id, locale), locale))

    @router.get(
        "/plugins/{plugin_id}/components",
        summary="The commands and tools of one plugin",
        responses={**_UNKNOWN, 400: {"model": Refusal, "description": "No plugin can have this id."}},
    )
    async def list_components(plugin_id: str, locale: Reader) -> ComponentList:
        """What one plugin brings for people and for the model; nothing unless it is active."""
        if not _can_be_id(plugin_id):
            detail = WEB_TEXTS.render("impossible_id", {"found": plugin_id}, locale)
            raise HTTPException(status.HTTP_400_BAD_REQUEST, detail=detail)
        return ComponentList.of(_find(host, plugin_id, locale))

    @router.post(
        "/plugins/{plugin_id}/{action}",
        summary="Move one plugin to another state",
        response_model=PluginAnswer,
        responses={**_UNKNOWN, 409: {"model": Conflict, "description": "It cannot be brought to that state."}},
    )
    async def act(plugin_id: str, action: PluginAction, locale: Reader) -> PluginAnswer | JSONResponse:
        """What is done, by `action`:

        - **enable**: switch the plugin on in its configuration file, and load it.
        - **disable**: switch it off there, and unload it.
        - **reload**: take over what changed in its folder. Where that fails, the old version serves on.
        - **load**: look at its folder again, and load it unless it is active.
        - **unload**: end it until it is loaded again or the host starts anew.

        The answer comes when it is done; life-cycle methods of the plugin that hang are cut off.
        """
        try:
            plugin = await _do(host, action, plugin_id)
            refusal = _shortfall(plugin, action, locale)
        except UnknownPluginError as problem:
            _refuse_unknown(problem, locale)
        except PluginError as problem:
            plugin, refusal = host.plugins[plugin_id], problem.text(locale)
        return conflict(plugin, refusal, locale) if refusal else PluginAnswer(plugin=details(plugin, locale))

    @router.delete(
        "/plugins/{plugin_id}",
        summary="Remove one plugin",
        response_model=RemovedPlugin,
        responses={**_UNKNOWN, 409: {"model": Conflict, "description": "It cannot be removed, and is as it was."}},
    )
    async def remove(plugin_id: str, locale: Reader) -> RemovedPlugin | JSONResponse:
        """Unload the plugin, those that need it before it, and move its folder into the trash of the data folder.

        Its data stays. Plugins that come with the host cannot be removed.
        """
        try:
            return RemovedPlugin.of(await host.plugins.remove(plugin_id))
        except UnknownPluginError as problem:
            _refuse_unknown(problem, locale)
        except PluginError as problem:
            return conflict(host.plugins[plugin_id], problem.text(locale), locale)


def _add_graph_routes(router: APIRouter, host: Host) -> None:
    @router.get("/graph", summary="Which plugin needs which")
    async def show_graph() -> Graph:
        """The plugins and their dependencies, those among them that are not there."""
        return Graph.of(host.plugins, host.plugins.graph())

    @router.get(
        "/graph.txt",
        summary="Which plugin needs which, as a tree of text",
        response_class=Response,
        responses={200: {"content": {"text/plain": {}}, "description": "The tree."}},
    )
    async def write_graph(locale: Reader) -> Response:
        """The graph for a terminal: each plugin that no other needs, and below it what it needs."""
        tree = sendable(graph_text(host.plugins.plan(), locale))
        return Response(tree, media_type="text/plain", headers=_NOT_KEPT)

    @router.get(
        "/graph.svg",
        summary="Which plugin needs which, drawn",
        response_class=Response,
        responses={200: {"content": {"image/svg+xml": {}}, "description": "The drawing."}},
    )
    async def draw_graph(locale: Reader) -> Response:
        """The graph as a picture for light and dark backgrounds."""
        picture = sendable(graph_svg(host.plugins.plan(), locale))
        return Response(picture, media_type="image/svg+xml", headers=_NOT_KEPT | _ONLY_A_PICTURE)


async def _no_store(response: Response) -> None:
    response.headers.update(_NOT_KEPT)


def _find(host: Host, plugin_id: str, locale: Locale) -> Plugin:
    try:
        return host.plugins[plugin_id]
    except UnknownPluginError as problem:
        _refuse_unknown(problem, locale)


def _refuse_unknown(problem: UnknownPluginError, locale: Locale) -> NoReturn:
    raise HTTPException(status.HTTP_404_NOT_FOUND, detail=sendable(problem.text(locale))) from problem


def _can_be_id(text: str) -> bool:
    return bool(text) and text.strip(".") == text and text.isprintable() and "\\" not in text


async def _do(host: Host, action: PluginAction, plugin_id: str) -> Plugin:
    match action:
        case PluginAction.ENABLE:
            return await host.plugins.enable(plugin_id)
        case PluginAction.DISABLE:
            return await host.plugins.disable(plugin_id)
        case PluginAction.RELOAD:
            return await host.plugins.reload(plugin_id)
        case PluginAction.LOAD:
            return await host.plugins.load(plugin_id)
        case PluginAction.UNLOAD:
            return await host.plugins.unload(plugin_id)


def _shortfall(plugin: Plugin, action: PluginAction, locale: Locale) -> str:
    """Why the plugin is not where `action` was to bring it; empty when it is."""
    if action is PluginAction.RELOAD and plugin.reload_problem is not None:
        return WEB_TEXTS.render("reload_refused", {"problem": plugin.reload_problem.text(locale)}, locale)
    if (plugin.state is PluginState.ACTIVE) is action.makes_active:
        return ""
    if plugin.problem is not None:
        return plugin.problem.text(locale)
    fields = {"plugin_id": plugin.id, "state": plugin.state.value, "action": action.value}
    return WEB_TEXTS.render("not_reached", fields, locale)
