"""Takes names from wherever they can be had."""
from maibot_sdk import *
from maibot_sdk.capabilities import send as send_module
from maibot_sdk.capabilities.api import builtins_list
from maibot_sdk.capabilities.llm import Dict, List, base64
from maibot_sdk.capabilities.logging import __name__ as logging_name
from maibot_sdk.components import _COMPONENT_INFO_ATTR, Callable, HookMode, HookOrder, warnings
from maibot_sdk.config import ClassVar, FieldInfo, TypeVar, cast, get_args, get_origin, inspect
from maibot_sdk.context import APICapability, Path, RpcCallFn, dataclass, stdlib_logging
from maibot_sdk.messages import MaiMessages, ModifyFlag, deepcopy
from maibot_sdk.plugin import Iterable, Mapping, isawaitable, iscoroutinefunction, logging
from maibot_sdk.types import BaseModel, Enum, ErrorPolicy, Literal


class Plugin(MaiBotPlugin):
    @HookHandler("chat.receive.before_process", mode=HookMode.BLOCKING, order=HookOrder.EARLY, error_policy=ErrorPolicy.LOG)
    async def watch(self, **kwargs): ...


def create_plugin():
    return Plugin()


async def story(plugin):
    return [
        builtins_list is list,
        stdlib_logging is logging,
        iscoroutinefunction(plugin.watch),
        get_args(Literal["a"]),
        send_module.SendResult is SendResult,
        logging_name,
        Field().default is not None,
        sorted(name for name in globals() if name in ("API", "Action", "SendResult", "LLMProviderBase", "PluginPaths")),
    ]
