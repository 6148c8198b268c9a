"""``ctx.maisaka``: notes in the bot's context, speaking up unasked, wording texts, pictures; over real models."""

import asyncio
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from host.capabilities.maisaka import MAISAKA
from host.storage import Handling
from tests.bot.chat import message_dict, private_dict
from tests.bot.talk import calls, words
from tests.capabilities.home import Home, home
from tests.capabilities.house import all_of
from tests.models.asking import provider, settings
from tests.models.endpoint import Endpoint, endpoint, says

ALL = all_of(MAISAKA)
TRIGGER = "ctx.maisaka.proactive.trigger"


@dataclass(slots=True)
class Thinking:
    """A host whose planner and replyer are asked over HTTP."""

    home: Home
    planner: Endpoint
    replyer: Endpoint


@asynccontextmanager
async def thinking(folder: Path, *granted: str, more: str = "") -> AsyncIterator[Thinking]:
    """The planner is silent about the first message, and replies to what comes then."""
    silent, reply = calls("no_reply"), calls("reply", msg_id="none", set_quote=True)
    async with endpoint(silent, reply) as planner, endpoint(says("Tea time!")) as replyer:
        models = settings(
            provider("planner", planner.url),
            provider("replyer", replyer.url),
            tasks={"planner": {"models": ["planner-model"]}, "replyer": {"models": ["replyer-model"]}},
        )
        async with home(folder, *granted, more=more, models=models) as here:
            yield Thinking(here, planner, replyer)


async def spoken(here: Home) -> None:
    """Wait until the bot said something."""
    async with asyncio.timeout(10):
        await here.gateway.delivered.wait()


async def test_a_trigger_makes_the_planner_think_and_the_bot_may_speak(tmp_path: Path) -> None:
    async with thinking(tmp_path, *ALL) as talk:
        here = talk.home
        chat = await here.hear("quiet please")
        answer = await here.ask(f"{TRIGGER}('{chat}', 'the kettle boils', reason='it is five', metadata={{'a': 1}})")
        assert answer.pop("task_id").startswith("proactive:team.asker:")
        assert answer == {"success": True, "stream_id": chat, "queued": True}
        await spoken(here)
        planned = words(talk.planner, -1)
        assert "The plugin team.asker suggests" in planned
        assert "What about: the kettle boils\n  Why: it is five" in planned
        [said] = here.gateway.deliveries
        assert (said.message.text, said.message.session_id, said.reply_message_id) == ("Tea time!", chat, None)
        group = said.message.group_info
        assert group is not None
        assert group.group_id == "123456"


async def test_in_a_private_chat_the_bot_speaks_to_its_partner(tmp_path: Path) -> None:
    async with thinking(tmp_path, *ALL, "person.get_id_by_name") as talk:
        here = talk.home
        chat = (await here.host.bot.receive(private_dict("hi"))).session_id
        await here.ask(f"ctx.maisaka.trigger_proactive('{chat}', 'say hello')")
        await spoken(here)
        [said] = here.gateway.deliveries
        assert said.message.group_info is None
        assert said.message.additional_config["platform_io_target_user_id"] == "555"


async def test_the_planner_may_stay_silent(tmp_path: Path) -> None:
    async with thinking(tmp_path, *ALL) as talk:
        here = talk.home
        chat = await here.hear("first")
        talk.planner.answers[:] = [calls("no_reply")]
        talk.planner.arrived.clear()
        await here.ask(f"{TRIGGER}('{chat}', 'nothing much')")
        async with asyncio.timeout(10):
            await talk.planner.arrived.wait()
        await here.hear("next", message_id="772")
        assert here.gateway.deliveries == []


async def test_a_note_is_in_the_context_from_then_on(tmp_path: Path) -> None:
    async with thinking(tmp_path, *ALL, "message.get_by_id") as talk:
        here = talk.home
        chat = await here.hear("first")
        segments = "[{'type': 'text', 'content': 'The kettle is empty'}, {'type': 'image', 'image_base64': 'aGk='}]"
        noted = await here.ask(f"ctx.maisaka.append_context('{chat}', {segments})")
        assert noted == {
            "success": True,
            "index": 1,
            "stream_id": chat,
            "visible_text": "The kettle is empty [image]",
            "source_kind": "plugin:team.asker",
            "replyable": False,
        }
        assert len(talk.planner.asked) == 1
        user = "{'user_id': '9', 'user_nickname': 'Wu'}"
        noted = await here.ask(
            f"ctx.maisaka.context.append('{chat}', {segments}, visible_text='kettle!', message_id='55', "
            f"replyable=True, user_info={user})"
        )
        assert (noted["index"], noted["visible_text"], noted["replyable"]) == (2, "kettle!", True)
        await here.hear("second", message_id="772")
        planned = words(talk.planner, -1)
        assert "notice: The kettle is empty [image]" in planned
        assert "Wu (user 9, msg_id 55): kettle!" in planned
        async with here.stored() as storage:
            assert await storage.messages.open() == []
            kept = await storage.messages.get("55")
            assert kept is not None
            assert kept.handling is Handling.KEPT
            assert await storage.persons.by_name("plugin:team.asker") is None


async def test_the_replyer_words_a_text_and_nothing_is_sent(tmp_path: Path) -> None:
    more = """
        @HookHandler("maisaka.replyer.before_request")
        async def seen(self, extra_prompt, model_name, **kwargs):
            return {"modified_kwargs": {"extra_prompt": f"{extra_prompt}, {model_name or 'no model'}!"}}
    """
    async with thinking(tmp_path, *ALL, more=more) as talk:
        here = talk.home
        chat = await here.hear("first")
        answer = await here.ask(
            f"ctx.maisaka.reply.generate('{chat}', 'The kettle boils.', format_instruction='haiku')"
        )
        assert answer == {"success": True, "text": "Tea time!", "selected_expression_ids": []}
        asked = words(talk.replyer, -1)
        assert "For reference:\nThe kettle boils." in asked
        assert "Further demands:\nhaiku, no model!" in asked
        assert here.gateway.deliveries == []
        await here.ask(f"ctx.maisaka.reply.generate('{chat}', 'x', model_name='planner-model')")
        assert "Further demands:\n, planner-model!" in words(talk.planner, -1)
        assert "reference" in await here.refused(f"ctx.maisaka.reply.generate('{chat}', 'x' * 500_001)")
        assert "no-such" in await here.refused(f"ctx.maisaka.reply.generate('{chat}', 'x', model_name='no-such')")


async def test_a_picture_is_to_be_had_while_the_bot_is_at_work_on_its_message(tmp_path: Path) -> None:
    more = """
        @Command("look", pattern="^/look")
        async def look(self, stream_id, **kwargs):
            self.seen = await self.ctx.maisaka.context.resolve_image(stream_id, "771", 1)
            return True, "", 2
    """
    pictures = [{"type": "image", "data": "", "binary_data_base64": b64encode(each).decode()} for each in (b"a", b"b")]
    content = [{"type": "text", "data": "/look"}, *pictures]
    async with home(tmp_path, *ALL, more=more) as here:
        chat = (await here.host.bot.receive({**message_dict(), "raw_message": content})).session_id
        seen = await here.ask("asyncio.sleep(0, plugin.seen)")
        assert seen["image"] == {
            "binary_data_base64": b64encode(b"b").decode(),
            "binary_hash": sha256(b"b").hexdigest(),
        }
        resolve = "ctx.maisaka.context.resolve_image"
        assert "no longer kept" in await here.refused(f"{resolve}('{chat}', '771')")
        assert "has 2 picture(s)" in await here.refused(f"{resolve}('{chat}', '771', 2)")
        assert "no message 'x'" in await here.refused(f"{resolve}('{chat}', 'x')")
        assert "argument 'index' is -1" in await here.refused(f"{resolve}('{chat}', '771', -1)")


WRONG = {
    f"{TRIGGER}('nowhere', 'x')": "no chat 'nowhere'",
    f"{TRIGGER}('CHAT', '')": "'intent' is missing",
    "ctx.maisaka.append_context('nowhere', [{'type': 'text', 'data': 'x'}])": "no chat 'nowhere'",
    "ctx.maisaka.append_context('CHAT', [])": "'segments' is missing",
    "ctx.maisaka.append_context('CHAT', [{'type': 'image', 'data': '?'}])": "is no base64",
    "ctx.maisaka.append_context('CHAT', [{'type': 'reply', 'data': []}])": "segments[0].data",
    "ctx.maisaka.append_context('CHAT', [{'type': 'text', 'data': 'x'}], replyable=True)": "user_id' is missing",
    "ctx.maisaka.reply.generate('nowhere', 'x')": "no chat 'nowhere'",
    "ctx.maisaka.reply.generate('CHAT', '')": "'reference' is missing",
}


async def test_what_cannot_be_done_is_told_and_leaves_no_trace(tmp_path: Path) -> None:
    async with thinking(tmp_path, *ALL) as talk:
        here = talk.home
        chat = await here.hear("first")
        for call, why in WRONG.items():
            assert why in await here.refused(call.replace("CHAT", chat)), call
        async with here.stored() as storage:
            assert len(await storage.messages.recent(chat, 10)) == 1
        assert len(talk.planner.asked) == 1
