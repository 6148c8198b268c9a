"""The planner sends an emoji: which one, with both hooks; each key that is read back, each abort."""

from base64 import b64decode
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from host.bot import Status, session_id
from host.bot.emoji.picture import hash_of
from host.models import ModelSettings
from tests.bot.chat import Chat, hooks_of_the_bot, message_dict
from tests.bot.components import components_of
from tests.bot.emoji.pictures import picture
from tests.bot.emoji.rooms import Emojis, emojis
from tests.bot.talk import Talk, calls, talk, words
from tests.models.asking import asking, provider, settings
from tests.models.endpoint import Endpoint, Told, endpoint, says, told

BEFORE = "emoji.maisaka.before_select"
AFTER = "emoji.maisaka.after_select"
WAVE = calls("send_emoji", emotion="happy", reason="to be kind")
DONE = says("Done.")
TEA_ROOM = session_id("qq", account_id="10001", group_id="123456")
FILES = {"happy": picture("red"), "sad": picture("blue"), "angry": picture("green")}


@dataclass(slots=True)
class Sending:
    """A talk whose bot has emoji for happy, sad and angry."""

    talk: Talk
    emojis: Emojis
    choosing: Endpoint

    @property
    def chat(self) -> Chat:
        """The chat."""
        return self.talk.chat

    async def sent(self) -> list[str]:
        """The emoji that are sent to a message, by what they show."""
        await self.talk.said("Is there tea?")
        segments = [part for each in self.chat.gateway.deliveries for part in each.message.raw_message]
        return [part["data"] for part in segments if part["type"] == "emoji"]

    def asked(self) -> str:
        """All words of the last request to choose one."""
        return words(self.choosing, -1)

    def told(self) -> str:
        """What the planner was told of its call."""
        [message] = [each for each in self.talk.planner.asked[-1].json["messages"] if each["role"] == "tool"]
        text: str = message["content"]
        return text


@asynccontextmanager
async def sending(
    folder: Path, *answers: Told, plan: Sequence[Told] = (WAVE, DONE), **bot: Any
) -> AsyncIterator[Sending]:
    """A talk with emoji, which a model chooses where there are answers of one.

    Args:
        folder: for the library.
        answers: of the model that chooses.
        plan: of the model that plans.
        bot: further arguments of the bot.
    """
    hooks = hooks_of_the_bot()
    async with emojis(folder, collects=False) as library:
        for name, content in FILES.items():
            library.put(f"{name}.png", content)
        await library.room.settle()
    async with (
        endpoint(*answers or (DONE,)) as choosing,
        asking(settings(provider("choosing", choosing.url)) if answers else ModelSettings()) as models,
        emojis(folder, models=models, hooks=hooks, collects=False) as library,
        talk(plan=plan, emoji=library.room, hooks=hooks, **bot) as here,
    ):
        yield Sending(here, library, choosing)


async def test_the_planner_is_offered_the_tool_and_its_emoji_is_sent_and_counted(tmp_path: Path) -> None:
    async with sending(tmp_path) as here:
        outcome = await here.chat.bot.receive(message_dict("Is there tea?"))
        assert here.talk.tools(0) == ["reply", "wait", "no_reply", "send_emoji"]
        [delivery] = here.chat.gateway.deliveries
        [segment] = delivery.message.raw_message
        assert (segment["type"], segment["data"], segment["hash"]) == ("emoji", "happy", hash_of(FILES["happy"]))
        assert b64decode(segment["binary_data_base64"]) == FILES["happy"]
        assert (delivery.message.is_emoji, delivery.message.text) == (True, "[sticker: happy]")
        assert (outcome.status, outcome.reply_text) == (Status.REPLIED, "[sticker: happy]")
        assert here.told() == "Sent a sticker for 'happy': happy (matched: happy)."
        used = {row.description: row.query_count for row in await here.emojis.storage.emojis.registered()}
        assert used == {"happy": 1, "sad": 0, "angry": 0}


async def test_a_bot_without_emoji_is_offered_no_such_tool(tmp_path: Path) -> None:
    async with emojis(tmp_path, collects=False) as library, talk(emoji=library.room) as here:
        await here.said()
        assert "send_emoji" not in here.tools(0)


async def test_a_tool_of_a_plugin_keeps_its_name_as_long_as_there_is_no_emoji(tmp_path: Path) -> None:
    source = """
        from maibot_sdk import MaiBotPlugin, Tool

        class Own(MaiBotPlugin):
            async def on_load(self): ...

            @Tool("send_emoji", description="Sends one of its own.", visibility="visible")
            async def send(self, **kwargs):
                return "sent its own"

        create_plugin = Own
    """
    async with components_of(tmp_path / "plugins", tea=source) as components:
        async with talk(components=components, plan=[WAVE, DONE]) as here:
            await here.said()
            assert here.tools(0)[-1] == "send_emoji"
        async with sending(tmp_path, components=components) as with_emoji:
            assert await with_emoji.sent() == ["happy"]
            assert with_emoji.talk.tools(0)[-2] == "send_emoji"


async def test_offline_it_is_the_one_whose_tag_fits_and_where_none_does_the_planner_is_told(tmp_path: Path) -> None:
    plan = [calls("send_emoji", emotion="开心"), DONE, calls("send_emoji", emotion="hungry"), DONE]
    async with sending(tmp_path, plan=plan) as here:
        assert await here.sent() == ["happy"]
        assert await here.sent() == ["happy"]  # That one still.
        assert here.told() == "No sticker fits 'hungry'. There are some for: angry, happy, sad."


async def test_a_model_chooses_among_numbered_ones_those_that_fit_first(tmp_path: Path) -> None:
    async with sending(tmp_path, says("The 2."), plan=[calls("send_emoji", emotion="sad"), DONE]) as here:
        [chosen] = await here.sent()
        asked = here.asked()
        assert "Emotion: sad" in asked
        assert "Lin: Is there tea?" in asked
        assert "1. sad\n2. " in asked
        assert f"2. {chosen}" in asked
        assert chosen != "sad"


async def test_a_model_may_find_none_and_one_that_fails_is_not_needed(tmp_path: Path) -> None:
    async with sending(tmp_path, says("0")) as here:
        assert await here.sent() == []
        assert here.told().startswith("No sticker fits 'happy'.")
    async with sending(tmp_path, told({}, 400)) as here:
        assert await here.sent() == ["happy"]


async def test_both_hooks_get_what_is_wanted_and_what_was_chosen(tmp_path: Path) -> None:
    async with sending(tmp_path) as here:
        before, after = here.chat.watching(BEFORE), here.chat.watching(AFTER, plugin="test.watcher.after")
        await here.sent()
    wanted = {
        "stream_id": TEA_ROOM,
        "requested_emotion": "happy",
        "reasoning": "to be kind",
        "context_texts": ["Lin: Is there tea?"],
        "sample_size": 20,
        "abort_message": "",
    }
    assert before == [wanted]
    file_hash = hash_of(FILES["happy"])
    assert after[0]["selected_emoji"].items() >= {"file_hash": file_hash, "emotions": ["happy"]}.items()
    del after[0]["selected_emoji"]
    assert after == [{**wanted, "selected_emoji_hash": file_hash, "matched_emotion": "happy"}]


async def test_a_changed_request_is_what_the_model_is_asked(tmp_path: Path) -> None:
    async with sending(tmp_path, says("1")) as here:
        here.chat.changing(
            BEFORE, requested_emotion="sad", reasoning="it rains", context_texts=["Lin: rain"], sample_size=1
        )
        assert await here.sent() == ["sad"]
        for words in ("Emotion: sad", "Why: it rains", "Said last:\nLin: rain\n"):
            assert words in here.asked()
        assert "2. " not in here.asked()


async def test_a_sample_of_none_changes_nothing(tmp_path: Path) -> None:
    async with sending(tmp_path, plan=[WAVE, DONE] * 2) as here:
        after = here.chat.watching(AFTER)
        for size in (0, -3):
            here.chat.changing(BEFORE, sample_size=size)
            assert (await here.sent())[-1] == "happy"
        assert [each["sample_size"] for each in after] == [20, 20]


ANGRY, SAD = hash_of(FILES["angry"]), hash_of(FILES["sad"])
SWAPS: list[tuple[dict[str, Any], str]] = [
    ({"selected_emoji_hash": SAD}, "sad"),
    ({"selected_emoji_hash": f" {SAD.upper()} "}, "sad"),
    ({"selected_emoji": {"file_hash": ANGRY}}, "angry"),
    ({"selected_emoji": {"hash": ANGRY}}, "angry"),
    ({"selected_emoji": {"file_hash": ANGRY}, "selected_emoji_hash": SAD}, "sad"),
    ({"selected_emoji": {"file_hash": ANGRY}, "selected_emoji_hash": "unknown"}, "angry"),
    ({"selected_emoji": {"file_hash": "unknown"}}, "happy"),
    ({"selected_emoji": None, "selected_emoji_hash": None}, "happy"),
]


async def test_another_registered_one_can_be_put_in_its_place(tmp_path: Path) -> None:
    async with sending(tmp_path, plan=[WAVE, DONE] * len(SWAPS)) as here:
        for changed, expected in SWAPS:
            here.chat.changing(AFTER, **changed)
            assert (await here.sent())[-1] == expected, changed


async def test_one_can_be_put_where_none_was_found_and_the_planner_is_told_in_the_words_of_the_plugin(
    tmp_path: Path,
) -> None:
    async with sending(tmp_path, plan=[calls("send_emoji", emotion="hungry"), DONE]) as here:
        here.chat.changing(AFTER, selected_emoji_hash=SAD, requested_emotion="starving", matched_emotion="grief")
        assert await here.sent() == ["sad"]
        assert here.told() == "Sent a sticker for 'starving': sad (matched: grief)."


async def test_an_abort_fails_the_tool_with_its_message(tmp_path: Path) -> None:
    aborts = [
        (hook, message, told)
        for hook in (BEFORE, AFTER)
        for message, told in (("not now", "not now"), (None, "A plugin decided that no sticker is sent."))
    ]
    async with sending(tmp_path, plan=[WAVE, DONE] * len(aborts)) as here:
        for hook, message, expected in aborts:
            returned = {"action": "abort", "modified_kwargs": {"abort_message": message}}
            here.chat.returning(hook, returned, plugin="test.plugin")
            assert await here.sent() == []
            assert here.told() == expected


async def test_what_a_send_hook_stops_is_told_and_not_counted(tmp_path: Path) -> None:
    async with sending(tmp_path) as here:
        here.chat.returning("send_service.before_send", {"action": "abort"})
        assert await here.sent() == []
        assert here.told().startswith("The sticker was not sent: ")
        assert all(row.query_count == 0 for row in await here.emojis.storage.emojis.registered())


async def test_a_file_that_is_gone_is_told(tmp_path: Path) -> None:
    async with sending(tmp_path) as here:
        for file in (tmp_path / "emoji" / "registered").iterdir():
            file.unlink()
        assert await here.sent() == []
        assert here.told().startswith("Its file cannot be read: ")
