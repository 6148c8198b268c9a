"""``api.*``: what plugins offer one another."""

from collections.abc import Iterable
from typing import Any

from pydantic import Field
from typing_extensions import TypedDict

from host.capabilities.api_table import ApiEntry, ApiTable
from host.capabilities.arguments import Arguments, Id, also
from host.capabilities.capability import Capability, CapabilitySpec
from host.capabilities.errors import RefusalError
from host.runtime import Plugin
from host.runtime.components import ComponentGoneError
from maibot_sdk.hooks import Text

DEFAULT_OFFLINE_REASON = "动态 API 已下线"


class ApiInfo(TypedDict):
    """An API as plugins know it."""

    name: str
    full_name: str
    plugin_id: str
    description: str
    version: str
    public: bool
    enabled: bool
    dynamic: bool
    offline_reason: str
    metadata: dict[str, Any]


class Returned(TypedDict):
    """What an API returned."""

    success: bool
    result: Any


class MaybeApi(TypedDict):
    """An API, or None."""

    success: bool
    api: ApiInfo | None


class ManyApis(TypedDict):
    """Some APIs."""

    success: bool
    apis: list[ApiInfo]


class Replaced(TypedDict):
    """How many there are now, and how many went."""

    success: bool
    count: int
    offlined: int


class _Get(Arguments):
    api_name: Id
    version: str = ""


class _Call(_Get):
    args: dict[str, Any] = Field(default_factory=dict)


class _List(Arguments):
    plugin_id: str = ""
    api_name: str = also("api_name", "name", default="")
    version: str = ""


class _ReplaceDynamic(Arguments):
    apis: list[dict[str, Any]] = Field(default_factory=list)
    offline_reason: str = DEFAULT_OFFLINE_REASON


CALL = CapabilitySpec("api.call", _Call, Returned, Text("Calls an API of a plugin.", "调用某个插件的 API。"))
GET = CapabilitySpec("api.get", _Get, MaybeApi, Text("Describes an API that can be called.", "描述一个可调用的 API。"))
LIST = CapabilitySpec("api.list", _List, ManyApis, Text("The APIs that the plugin can call.", "该插件可调用的 API。"))
REPLACE_DYNAMIC = CapabilitySpec(
    "api.replace_dynamic",
    _ReplaceDynamic,
    Replaced,
    Text("Says which dynamic APIs the plugin has; needs no grant.", "声明该插件的全部动态 API；无需授权。"),
)
APIS = (CALL, GET, LIST, REPLACE_DYNAMIC)


class ApiFamily:
    """What plugins offer one another.

    Args:
        table: finds APIs.
    """

    def __init__(self, table: ApiTable) -> None:
        self._table = table

    def offers(self) -> Iterable[Capability]:
        """``api.*``."""
        return CALL.by(self._call), GET.by(self._get), LIST.by(self._list), REPLACE_DYNAMIC.by(self._replace_dynamic)

    async def _call(self, plugin: Plugin, asked: _Call) -> Returned:
        entry = self._table.find(plugin, asked.api_name, asked.version)
        component = entry.component
        arguments = dict(asked.args)
        if entry.dynamic:
            arguments |= {
                "__maibot_api_name__": component.name,
                "__maibot_api_full_name__": component.full_name,
                "__maibot_api_version__": component.version,
            }
        try:
            invoked = await component.invoke(arguments)
        except ComponentGoneError as error:
            raise RefusalError("api_failed", name=component.full_name, why=str(error)) from None
        if not invoked.success:
            raise RefusalError("api_failed", name=component.full_name, why=str(invoked.result))
        return {"success": True, "result": invoked.result}

    async def _get(self, plugin: Plugin, asked: _Get) -> MaybeApi:
        try:
            return {"success": True, "api": _info(self._table.find(plugin, asked.api_name, asked.version))}
        except RefusalError:
            return {"success": True, "api": None}

    async def _list(self, plugin: Plugin, asked: _List) -> ManyApis:
        name, _, version = asked.api_name.partition("@")
        wanted = asked.version or version
        found = [
            _info(each)
            for each in self._table.entries()
            if each.enabled
            and each.visible_to(plugin)
            and asked.plugin_id in ("", each.component.plugin_id)
            and (not name or each.is_called(name))
            and wanted in ("", each.component.version)
        ]
        return {"success": True, "apis": found}

    async def _replace_dynamic(self, plugin: Plugin, asked: _ReplaceDynamic) -> Replaced:
        count, offlined = self._table.replace_dynamic(plugin, asked.apis, asked.offline_reason)
        return {"success": True, "count": count, "offlined": offlined}


def _info(entry: ApiEntry) -> ApiInfo:
    component = entry.component
    return {
        "name": component.name,
        "full_name": component.full_name,
        "plugin_id": component.plugin_id,
        "description": str(component.metadata.get("description") or ""),
        "version": component.version,
        "public": component.metadata.get("public") is True,
        "enabled": entry.enabled,
        "dynamic": entry.dynamic,
        "offline_reason": entry.offline_reason,
        "metadata": dict(component.metadata),
    }
