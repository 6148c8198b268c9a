"""`ctx.maisaka`: the planner that decides when and what the bot says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from maibot_sdk.context import PluginContext


class MaisakaContextCapability:
    """`ctx.maisaka.context`: what the planner has before it."""

    def __init__(self, ctx: PluginContext) -> None:
        self._ctx = ctx

    async def append(
        self,
        stream_id: str,
        segments: list[dict[str, Any]],
        *,
        visible_text: str = "",
        source_kind: str = "",
        message_id: str = "",
        replyable: bool = False,
        user_info: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> Any:
        """Put a message into the context of a running chat, without sending it.

        Args:
            stream_id: the chat, as session id.
            segments: the content, shaped as `maibot_sdk.hooks.MessageSegment`.
            visible_text: the content as text; made of the segments when empty.
            source_kind: where it comes from; named after the plugin when empty.
            message_id: the id it has; one is made up when empty.
            replyable: whether the bot can reply to it; needs `message_id` and `user_info`.
            user_info: who said it.
            kwargs: sent along; `timeout_ms` is the deadline.
        """
        return await self._ctx.call_capability(
            "maisaka.context.append",
            stream_id=stream_id,
            segments=segments,
            visible_text=visible_text,
            source_kind=source_kind,
            message_id=message_id,
            replyable=replyable,
            user_info=user_info,
            **kwargs,
        )

    async def resolve_image(self, stream_id: str, source_id: str, index: int = 0) -> Any:
        """A picture of the context, under `image` in the answer.

        Args:
            stream_id: the chat, as session id.
            source_id: the message or tool result that it is in.
            index: which of its pictures, from 0.
        """
        return await self._ctx.call_capability(
            "maisaka.context.resolve_image", stream_id=stream_id, source_id=source_id, index=index
        )


class MaisakaProactiveCapability:
    """`ctx.maisaka.proactive`: getting the bot to speak first."""

    def __init__(self, ctx: PluginContext) -> None:
        self._ctx = ctx

    async def trigger(
        self,
        stream_id: str,
        intent: str,
        *,
        reason: str = "",
        priority: str = "",
        metadata: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> Any:
        """Have the planner of a chat consider saying something.

        Args:
            stream_id: the chat, as session id.
            intent: what the bot should be about, in words for the model.
            reason: why.
            priority: how urgent it is.
            metadata: further data.
            kwargs: sent along; `timeout_ms` is the deadline.

        Returns:
            The answer of the host, with `task_id` and `queued`.
        """
        return await self._ctx.call_capability(
            "maisaka.proactive.trigger",
            stream_id=stream_id,
            intent=intent,
            reason=reason,
            priority=priority,
            metadata=metadata or {},
            **kwargs,
        )


class MaisakaReplyCapability:
    """`ctx.maisaka.reply`: text in the voice of the bot."""

    def __init__(self, ctx: PluginContext) -> None:
        self._ctx = ctx

    async def generate(
        self,
        stream_id: str,
        reference: str,
        *,
        format_instruction: str = "",
        model_name: str = "",
        timeout_ms: int | None = None,
    ) -> Any:
        """Have the replyer word something; nothing is sent.

        Args:
            stream_id: the chat, as session id.
            reference: what to say.
            format_instruction: what form the text should have.
            model_name: one model, instead of those of the replyer.
            timeout_ms: deadline in milliseconds; the host's own when not given.

        Returns:
            The answer of the host, with `text`.
        """
        return await self._ctx.call_capability(
            "maisaka.reply.generate",
            timeout_ms=timeout_ms,
            stream_id=stream_id,
            reference=reference,
            format_instruction=format_instruction,
            model_name=model_name,
        )


class MaisakaCapability:
    """Reaches the planner: `reply`, `context` and `proactive`, with a shortcut to the main method of the last two."""

    def __init__(self, ctx: PluginContext) -> None:
        self._ctx = ctx
        self.reply = MaisakaReplyCapability(ctx)
        self.context = MaisakaContextCapability(ctx)
        self.proactive = MaisakaProactiveCapability(ctx)

    async def append_context(self, stream_id: str, segments: list[dict[str, Any]], **kwargs: Any) -> Any:
        """`context.append`."""
        return await self.context.append(stream_id, segments, **kwargs)

    async def trigger_proactive(self, stream_id: str, intent: str, **kwargs: Any) -> Any:
        """`proactive.trigger`."""
        return await self.proactive.trigger(stream_id, intent, **kwargs)
