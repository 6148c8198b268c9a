"""Configuration, models, messages and the database, as public plugins use them."""
from maibot_sdk import MaiBotPlugin


class Plugin(MaiBotPlugin):
    pass


def create_plugin():
    return Plugin()


ANSWERS = {
    "config.get": {"success": True, "value": None},
    "config.get_plugin": {"success": False, "value": None, "error": "x"},
    "llm.generate": {"success": True, "response": "yes", "model_name": "m"},
    "llm.generate_with_tools": "text",
    "llm.embed": {"success": True, "embedding": [0.5]},
    "message.get_by_id": {"success": True, "message": {"message_id": "m"}},
    "message.get_recent": {"success": True, "messages": [1, 2]},
    "chat.get_stream_by_group_id": {"success": True, "stream": None},
    "database.count": {"success": True, "count": "4"},
    "database.query": [{"id": 1}],
    "api.call": {"success": True, "result": [1]},
    "maisaka.proactive.trigger": {"success": True, "queued": True},
}


async def story(plugin):
    ctx = plugin.ctx
    return [
        await ctx.config.get("bot.nickname", "Mai"),
        await ctx.config.get_plugin(),
        await ctx.llm.generate("q", model="replyer", temperature=0, max_tokens=0, request_type="x", timeout_ms=1),
        await ctx.llm.generate([{"role": "user", "content": "q"}], task_name=" ", model_name="m"),
        await ctx.llm.generate_with_tools("q", [{"name": "t"}]),
        await ctx.llm.embed("text", request_type="x"),
        await ctx.message.get_by_id("m", stream_id="s", include_binary_data=True),
        await ctx.message.get_recent("s"),
        await ctx.chat.get_stream_by_group_id("1"),
        await ctx.chat.open_session("qq", "group", group_id="1", timeout_ms=3),
        await ctx.db.count("Messages"),
        await ctx.db.query("Messages", filters={"id": 1}),
        await ctx.api.call("other.say", version="2", text="x"),
        await ctx.maisaka.trigger_proactive("s", "greet", reason="r", timeout_ms=5),
        await ctx.maisaka.reply.generate("s", "r", timeout_ms=0),
        await ctx.render.html2png("<p>", viewport={"width": 1}, allow_network=True),
    ]
