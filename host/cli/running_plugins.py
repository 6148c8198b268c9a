"""The plugins of a host that runs, asked through its web interface."""

from contextlib import closing
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote, urlsplit

from pydantic import BaseModel, ValidationError

from host.cli.plugin_source import NotDoneError
from host.cli.texts import CLI_TEXTS
from host.hooks.texts import Locale
from host.running_file import RunningHost
from webui_api import AccessToken, TokenFileError
from webui_api.gate import Refusal
from webui_api.plugin_capabilities import CapabilityList, Decision
from webui_api.plugin_views import PluginAnswer, PluginDetails, PluginList, RemovedPlugin
from webui_api.plugins import Conflict, PluginAction
from webui_api.processes import ProcessList

_LOOK_SECONDS = 30.0
_ACT_SECONDS = 600.0
_PLUGINS = "/plugins/runtime/plugins"

M = TypeVar("M", bound=BaseModel)


class RunningPlugins:
    """A `PluginSource` over the web interface of a host.

    Args:
        host: where it is reached.
        token: what opens it.
        locale: of its answers.
    """

    runs = True

    def __init__(self, host: RunningHost, token: AccessToken, locale: Locale) -> None:
        self._host = host
        self._token = token
        self._locale = locale

    @classmethod
    def of(cls, host: RunningHost, token_file: Path, locale: Locale) -> "RunningPlugins":
        """The plugins of `host`, with the token that lies in a file.

        Raises:
            NotDoneError: there is no token to be had.
        """
        # A token made here would not be the one that the host knows.
        if not token_file.exists():
            raise NotDoneError(CLI_TEXTS.render("no_token", {"path": token_file, "pid": host.pid}, locale), 2)
        try:
            return cls(host, AccessToken.load_or_create(token_file), locale)
        except TokenFileError as error:
            raise NotDoneError(error.text(locale), 2) from error

    def plugins(self) -> PluginList:
        """All plugins."""
        return self._read(PluginList, self._ask("GET", _PLUGINS))

    def plugin(self, plugin_id: str) -> PluginDetails:
        """One plugin."""
        return self._read(PluginAnswer, self._ask("GET", _path(plugin_id))).plugin

    def processes(self) -> ProcessList:
        """The processes of the plugins as they are now."""
        return self._read(ProcessList, self._ask("GET", "/plugins/runtime/processes"))

    def act(self, action: PluginAction, plugin_id: str) -> PluginDetails:
        """Have the host move one plugin to another state; wait until it has."""
        answer = self._ask("POST", f"{_path(plugin_id)}/{action.value}", seconds=_ACT_SECONDS)
        return self._read(PluginAnswer, answer).plugin

    def remove(self, plugin_id: str) -> RemovedPlugin:
        """Have the host unload one plugin and move its folder into the trash; wait until it has."""
        return self._read(RemovedPlugin, self._ask("DELETE", _path(plugin_id), seconds=_ACT_SECONDS))

    def capabilities(self, plugin_id: str) -> CapabilityList:
        """What one plugin may ask of the host."""
        return self._read(CapabilityList, self._ask("GET", f"{_path(plugin_id)}/capabilities"))

    def decide(self, plugin_id: str, capability: str, decision: Decision) -> CapabilityList:
        """Have the host take a capability away from one plugin, or give it back."""
        path = f"{_path(plugin_id)}/capabilities/{quote(capability, safe='', errors='surrogateescape')}"
        return self._read(CapabilityList, self._ask("POST", f"{path}/{decision.value}"))

    def graph_text(self) -> str:
        """Which plugin needs which, as a tree."""
        return self._ask("GET", "/plugins/runtime/graph.txt").decode()

    def graph_svg(self) -> str:
        """The same as a picture."""
        return self._ask("GET", "/plugins/runtime/graph.svg").decode()

    def _ask(self, method: str, path: str, seconds: float = _LOOK_SECONDS) -> bytes:
        headers = {"Authorization": f"Bearer {self._token.secret}", "Accept-Language": self._locale}
        address = urlsplit(self._host.address)
        try:
            # Follows no redirection and knows no proxy: the token goes to the host and nowhere else.
            with closing(HTTPConnection(address.hostname or "", address.port, timeout=seconds)) as connection:
                connection.request(method, path, headers=headers)
                answer = connection.getresponse()
                status, body = answer.status, answer.read()
        except (OSError, HTTPException) as error:
            fields = {"address": self._host.address, "why": str(error) or type(error).__name__}
            raise NotDoneError(CLI_TEXTS.render("host_silent", fields, self._locale), 2) from error
        if status == 409:
            raise NotDoneError(_conflict_text(self._read(Conflict, body)), 1)
        if status != 200:
            raise NotDoneError(self._read(Refusal, body).detail, 2)
        return body

    def _read(self, model: type[M], body: bytes) -> M:
        try:
            return model.model_validate_json(body)
        except ValidationError as error:
            fields = {"address": self._host.address}
            raise NotDoneError(CLI_TEXTS.render("host_foreign", fields, self._locale), 2) from error


def _path(plugin_id: str) -> str:
    return f"{_PLUGINS}/{quote(plugin_id, safe='', errors='surrogateescape')}"


def _conflict_text(conflict: Conflict) -> str:
    problem = conflict.plugin.reload_problem or conflict.plugin.problem
    return "\n".join(filter(None, [conflict.detail, problem.traceback.rstrip() if problem else ""]))
