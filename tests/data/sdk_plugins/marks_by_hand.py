"""Makes the description of a component itself, as tests of public plugins do."""
from maibot_sdk import MaiBotPlugin
from maibot_sdk.components import _COMPONENT_INFO_ATTR, _LLM_PROVIDER_INFO_ATTR, APIComponentInfo, HookHandlerComponentInfo
from maibot_sdk.types import ActionComponentInfo, ComponentInfo, ComponentType, LLMProviderInfo


async def hook(self, **kwargs): ...


async def api(self, **kwargs): ...


async def action(self, **kwargs): ...


async def provider(self): ...


setattr(hook, _COMPONENT_INFO_ATTR, HookHandlerComponentInfo(name="h", hook="x.y", mode="observe", metadata={"k": 1}))
setattr(api, _COMPONENT_INFO_ATTR, APIComponentInfo(name="a", public=True, metadata={"version": "overwritten"}))
setattr(action, _COMPONENT_INFO_ATTR, ActionComponentInfo(name="act", activation_keywords=["x"]))
setattr(provider, _LLM_PROVIDER_INFO_ATTR, LLMProviderInfo(client_type="c"))


class Plugin(MaiBotPlugin):
    hook, api, action, provider = hook, api, action, provider


def create_plugin():
    return Plugin()


async def story(plugin):
    return [
        getattr(plugin.hook, _COMPONENT_INFO_ATTR).hook,
        ComponentInfo(name="n", type="TOOL", unknown=1).model_dump(mode="json"),
        ComponentType("TOOL") is ComponentType.TOOL,
        str(ComponentType.TOOL),
    ]
