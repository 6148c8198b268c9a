"""A plugin with all its types, which strict type checkers have nothing to say about.

A comment that begins with `not:` holds a mistake that could stand in place of the code before it. The tests make a
second plugin, with all of these mistakes, and want each of them found in its line.
"""

from typing import Any, Unpack

from maibot_sdk import Command, Field, HookHandler, MaiBotPlugin, PluginConfigBase, hooks
from maibot_sdk.types import ErrorPolicy, HookMode, HookOrder


class Section(PluginConfigBase):
    """Defaults are given by keyword: type checkers take a field with a positional one for required."""

    config_version: str = Field(default="1.0.0", description="Version")
    greeting: str = Field(default="Yes.", description="What is answered")


class Config(PluginConfigBase):
    """A configuration of one section."""

    plugin: Section = Field(default_factory=Section)  # not: plugin: Section = Field(default_factory=list)


class Sample(MaiBotPlugin):
    """Uses what authors misspell."""

    config_model = Config  # not: config_model = "Config"

    @HookHandler("chat.receive.before_process")  # not: @HookHandler("chat.recieve.before_process")
    async def by_its_name(self, **kwargs: Unpack[hooks.ChatReceiveBeforeProcess]) -> hooks.HookReturn | None:
        """Reads a payload, deep down."""
        sender = kwargs["message"]["message_info"]["user_info"]["user_id"]  # not: sender = kwargs["mesage"]["user_id"]
        group = kwargs["message"]["message_info"].get("group_info")
        name: str = group["group_name"] if group else ""  # not: name: str = group["name"] if group else ""
        pieces: list[hooks.MessageSegment] = kwargs["message"]["raw_message"]  # not: pieces: str = kwargs["message"]
        await self.answer(sender, times=len(pieces))  # not: await self.answer(sender, times=pieces)
        if name == "quiet":
            return {"action": "abort"}  # not: return {"action": "stop"}
        return None

    @HookHandler(
        hooks.SEND_SERVICE_BEFORE_SEND,  # not: hooks.SEND_SERVICE_BEFOR_SEND,
        mode=HookMode.BLOCKING,  # not: mode=HookOrder.LATE,
        order="late",  # not: order="last",
        timeout_ms=2000,  # not: timeout_ms="2s",
        error_policy=ErrorPolicy.LOG,  # not: error_policy=ErrorPolicy,
    )
    async def by_its_constant(self, **kwargs: Unpack[hooks.SendServiceBeforeSend]) -> hooks.HookReturn:
        """Changes a payload."""
        kwargs["typing"] = False  # not: kwargs["typing"] = "no"
        changed: hooks.SendServiceBeforeSend = {
            **kwargs,
            "show_log": True,  # not: "show_log": "yes",
        }
        return {"modified_kwargs": changed}  # not: return {"modified_kwargs": changed["typing"]}

    @HookHandler(hooks.MAISAKA_PLANNER_BEFORE_REQUEST, mode=HookMode.BLOCKING, order=HookOrder.EARLY)
    async def by_keys(self, messages: list[hooks.PromptMessage], **_: Any) -> hooks.HookReturn:
        """Takes one key of a payload by name."""
        messages.append({"role": "system", "content": "Be brief."})  # not: messages.append({"rolle": "system"})
        return {"modified_kwargs": {"messages": messages}}  # not: return {"changed_kwargs": {"messages": messages}}

    @HookHandler(hooks.CustomHook("shop.order.paid"))  # not: @HookHandler("shop.order.paid")
    async def not_built_in(self, **_: Any) -> None:
        """Handles a hook that the bot does not have."""

    @Command("answer", pattern="^/answer$")  # not: @Command(pattern="^/answer$")
    async def answer(self, stream_id: str, times: int = 1) -> None:
        """Is called by the host, and by a handler above."""
        await self.ctx.send.text("Yes." * times, stream_id)  # not: await self.ctx.send.text(times, stream_id)


def create_plugin() -> Sample:
    """What the host calls to get the plugin."""
    return Sample()
