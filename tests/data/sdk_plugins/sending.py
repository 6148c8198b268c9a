"""What public plugins send, with the keywords they use."""
from maibot_sdk import MaiBotPlugin


class Plugin(MaiBotPlugin):
    pass


def create_plugin():
    return Plugin()


ANSWERS = {
    "send.text": {"success": True, "sent": False, "message_id": "m1"},
    "send.image": {"success": False, "error": "no"},
    "send.custom": {"success": True},
    "send.forward": None,
}


async def story(plugin):
    send = plugin.ctx.send
    return [
        await send.text("hi", "s"),
        await send.text(text="hi", stream_id="s", return_details=True, typing=True, timeout_ms=9000),
        await send.text("hi", "s", storage_message=False, sync_to_maisaka_history=True, maisaka_source_kind="plugin"),
        await send.image("aGk=", "s", processed_plain_text="[picture]"),
        await send.image("aGk=", "s", return_details=True),
        await send.custom("music", {"id": 1}, "s", display_message="song"),
        await send.forward([{"segments": []}], "s"),
        await plugin.ctx.call_capability("send.text", text="hi", stream_id="s", return_details=1),
        await plugin.ctx.call_capability("frequency.set_adjust", 50, chat_id="s", value=2),
    ]
