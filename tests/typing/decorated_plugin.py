"""A method is to a type checker what it was before it was decorated, whichever the decorator, async or not."""

from typing import Any, Unpack, assert_type

from maibot_sdk import (
    API,
    Action,
    Command,
    EventHandler,
    HomeCard,
    HookHandler,
    LLMProvider,
    LLMProviderBase,
    MaiBotPlugin,
    MessageGateway,
    ReplyExtension,
    Tool,
    hooks,
)
from maibot_sdk.types import EventType, ToolParameterInfo


class Decorated(MaiBotPlugin):
    """Each decorator twice: on a method that is async, and on one that is not."""

    @HookHandler("chat.receive.before_process")
    async def hook(self, **kwargs: Unpack[hooks.ChatReceiveBeforeProcess]) -> hooks.HookReturn:
        """Awaited, it is a HookReturn."""
        assert_type(kwargs["message"], hooks.SessionMessage)
        assert_type(kwargs["message"]["raw_message"], list[hooks.MessageSegment])
        assert_type(kwargs["message"]["raw_message"][0]["type"], str)
        assert_type(kwargs["message"]["message_info"]["user_info"]["user_id"], str)
        return {"modified_kwargs": kwargs}

    @HookHandler(hooks.CustomHook("x.y"))
    def plain_hook(self, text: str) -> bytes:
        """Called, it is bytes."""
        return text.encode()

    @Tool("tool", parameters=[ToolParameterInfo(name="text")])
    async def tool(self, text: str) -> bytes:
        """Awaited, it is bytes."""
        return text.encode()

    @Tool("plain tool", parameters={"text": {"type": "string"}})
    def plain_tool(self, text: str) -> bytes:
        """Called, it is bytes."""
        return text.encode()

    @Action("action")
    async def action(self, text: str) -> bytes:
        """Awaited, it is bytes."""
        return text.encode()

    @Action("plain action")
    def plain_action(self, text: str) -> bytes:
        """Called, it is bytes."""
        return text.encode()

    @Command("command", pattern="^/x")
    async def command(self, text: str) -> bytes:
        """Awaited, it is bytes."""
        return text.encode()

    @Command("plain command", aliases=["/x"])
    def plain_command(self, text: str) -> bytes:
        """Called, it is bytes."""
        return text.encode()

    @API("api", public=True)
    async def api(self, text: str) -> bytes:
        """Awaited, it is bytes."""
        return text.encode()

    @API("plain api")
    def plain_api(self, text: str) -> bytes:
        """Called, it is bytes."""
        return text.encode()

    @EventHandler("event", event_type=EventType.ON_START)
    async def event(self, text: str) -> bytes:
        """Awaited, it is bytes."""
        return text.encode()

    @EventHandler("plain event")
    def plain_event(self, text: str) -> bytes:
        """Called, it is bytes."""
        return text.encode()

    @HomeCard("card", "Title")
    async def card(self, text: str) -> bytes:
        """Awaited, it is bytes."""
        return text.encode()

    @HomeCard("plain card", "Title")
    def plain_card(self, text: str) -> bytes:
        """Called, it is bytes."""
        return text.encode()

    @MessageGateway("send", platform="qq")
    async def gateway(self, text: str) -> bytes:
        """Awaited, it is bytes."""
        return text.encode()

    @MessageGateway("receive", platform="qq")
    def plain_gateway(self, text: str) -> bytes:
        """Called, it is bytes."""
        return text.encode()

    @ReplyExtension("extension", parameters={"text": {"type": "string"}})
    async def extension(self, text: str) -> bytes:
        """Awaited, it is bytes."""
        return text.encode()

    @ReplyExtension("plain extension")
    def plain_extension(self, text: str) -> bytes:
        """Called, it is bytes."""
        return text.encode()

    @LLMProvider("provider")
    async def provider(self, text: str) -> bytes:
        """Awaited, it is bytes."""
        return text.encode()

    @LLMProvider("plain provider")
    def plain_provider(self) -> LLMProviderBase:
        """Called, it is a provider."""
        raise NotImplementedError


async def kept(plugin: Decorated, payload: hooks.ChatReceiveBeforeProcess, anything: Any) -> None:
    """Nothing here is Any."""
    assert_type(await plugin.hook(**payload), hooks.HookReturn)
    assert_type(plugin.plain_hook("t"), bytes)
    assert_type(await plugin.tool("t"), bytes)
    assert_type(plugin.plain_tool("t"), bytes)
    assert_type(await plugin.action("t"), bytes)
    assert_type(plugin.plain_action("t"), bytes)
    assert_type(await plugin.command("t"), bytes)
    assert_type(plugin.plain_command("t"), bytes)
    assert_type(await plugin.api("t"), bytes)
    assert_type(plugin.plain_api("t"), bytes)
    assert_type(await plugin.event("t"), bytes)
    assert_type(plugin.plain_event("t"), bytes)
    assert_type(await plugin.card("t"), bytes)
    assert_type(plugin.plain_card("t"), bytes)
    assert_type(await plugin.gateway("t"), bytes)
    assert_type(plugin.plain_gateway("t"), bytes)
    assert_type(await plugin.extension("t"), bytes)
    assert_type(plugin.plain_extension("t"), bytes)
    assert_type(await plugin.provider("t"), bytes)
    assert_type(plugin.plain_provider(), LLMProviderBase)
    # If it told Any from bytes no better, all of this would say nothing.
    assert_type(anything, Any)
