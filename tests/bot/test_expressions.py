"""Which ways of speaking a reply gets: from the storage, chosen by a model where there are many, between two hooks."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from host.bot import session_id
from host.bot.bounds import AnsweringSettings
from host.models import Models, ModelSettings
from host.storage import Storage
from tests.bot.chat import NOW, Chat, message_dict
from tests.bot.talk import talk
from tests.models.endpoint import Told, says, told

BEFORE, AFTER = "expression.select.before_select", "expression.select.after_selection"
REQUEST = "maisaka.replyer.before_request"
TEA_ROOM = session_id("qq", account_id="10001", group_id="123456")
TWO = AnsweringSettings(max_expressions=2)
STYLES = {1: "lovely", 2: "cheers", 3: "there is none", 4: "for all"}


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[Storage]:
    async with Storage.open(tmp_path / "database.sqlite3") as opened:
        learn = opened.expressions.learn
        for number, (situation, chat) in enumerate(
            [("praising tea", TEA_ROOM), ("leaving", TEA_ROOM), ("is there tea", TEA_ROOM), ("anywhere", None)], 1
        ):
            await learn(chat, situation, STYLES[number], now=NOW + number)
        await learn("another chat", "elsewhere", "never", now=NOW)
        await learn(TEA_ROOM, "leaving", "cheers", now=NOW)
        yield opened


async def test_a_choice_is_told_the_chat_the_message_and_what_the_bot_learned_there(storage: Storage) -> None:
    async with talk(expressions=storage.expressions) as here:
        before, after = here.chat.watching(BEFORE), here.chat.watching(AFTER, plugin="test.watcher.after")
        await here.said("Is there tea?")
    (payload,) = before
    assert payload.pop("chat_info").endswith("Lin (user 555, msg_id 771): Is there tea?")
    (row,) = payload.pop("chat_history")
    assert (row["role"], row["text"], row["source_kind"]) == ("user", "Is there tea?", "user")
    candidates = payload["candidates"]
    assert candidates[0] == {"id": 2, "situation": "leaving", "style": "cheers", "count": 2}
    assert {each["style"] for each in candidates} == {*STYLES.values()}
    assert {key: value for key, value in payload.items() if key != "candidates"} == {
        "chat_id": TEA_ROOM,
        "session_id": TEA_ROOM,
        "reply_message": {"message_id": "771", "text": "Is there tea?"},
        "reply_tool_args": {},
        "target_message": "Is there tea?",
        "reply_reason": "",
        "max_num": 5,
        "think_level": 0,
    }
    assert after[0]["selected_expressions"] == candidates
    assert after[0]["selected_expression_ids"] == [each["id"] for each in candidates]


@pytest.mark.parametrize(
    ("answer", "chosen"),
    [
        (says('{"ids": [4, 1, 3]}'), [4, 1]),
        (says('{"ids": [4, 4711, 4]}'), [4]),
        (says('{"ids": []}'), []),
        # Nothing that can be used: then those that share most with the message, and the ones met most often.
        (says('{"ids": [4711]}'), [3, 1]),
        (says('{"ids": "4"}'), [3, 1]),
        (says("the first two"), [3, 1]),
        (says("[1]"), [3, 1]),
        (told({"error": "down"}, 500), [3, 1]),
    ],
)
async def test_a_model_chooses_where_there_are_more_than_a_reply_may_have(
    storage: Storage, answer: Told, chosen: list[int]
) -> None:
    async with talk(answer, says("Plenty."), expressions=storage.expressions, answering=TWO) as here:
        later = here.chat.watching(REQUEST)
        assert await here.said("Is there tea?") == ["Plenty."]
        assert "3: is there tea -> there is none" in here.asked(0)
        told_of = [number for number, style in STYLES.items() if f": {style}" in here.asked(1)]
    assert later[0]["selected_expression_ids"] == chosen
    assert told_of == sorted(chosen)


async def test_no_model_is_asked_where_a_reply_may_have_them_all(storage: Storage) -> None:
    async with talk(expressions=storage.expressions) as here:
        await here.said()
        assert len(here.endpoint.asked) == 1


async def test_the_offline_model_needs_none_to_choose(storage: Storage) -> None:
    chat = Chat(models=Models(ModelSettings()), expressions=storage.expressions, answering=TWO)
    after = chat.watching(AFTER)
    await chat.bot.receive(message_dict("Mai, is there tea?", is_at=True))
    assert after[0]["selected_expression_ids"] == [3, 1]


async def test_a_choice_that_takes_the_limit_away_leaves_them_all(storage: Storage) -> None:
    async with talk(expressions=storage.expressions, answering=TWO) as here:
        here.chat.changing(BEFORE, max_num=-1)
        after = here.chat.watching(AFTER)
        await here.said()
    assert len(after[0]["selected_expression_ids"]) == 4


@pytest.mark.parametrize(
    ("returned", "candidates"), [([{"id": "x", "situation": "a", "style": "b"}], 4), ([], 0), (None, 4)]
)
async def test_candidates_that_are_none_leave_those_that_were_there(
    storage: Storage, returned: Any, candidates: int
) -> None:
    async with talk(expressions=storage.expressions) as here:
        here.chat.changing(BEFORE, candidates=returned)
        after = here.chat.watching(AFTER)
        await here.said()
    assert len(after[0]["candidates"]) == candidates


@pytest.mark.parametrize(
    ("changes", "ids"),
    [
        ({"selected_expression_ids": []}, []),
        ({"selected_expression_ids": [3, 2]}, [3, 2]),
        ({"selected_expression_ids": [4711]}, [2, 4, 3, 1]),
        ({"selected_expressions": []}, [2, 4, 3, 1]),
        ({"selected_expressions": [{"id": 1, "situation": "a", "style": "b"}], "selected_expression_ids": [2]}, [1]),
        ({"selected_expressions": [{"situation": "a", "style": "b"}]}, []),
    ],
)
async def test_a_changed_choice_counts_as_dicts_first_and_then_as_ids(
    storage: Storage, changes: dict[str, Any], ids: list[int]
) -> None:
    async with talk(expressions=storage.expressions) as here:
        here.chat.changing(AFTER, **changes)
        later = here.chat.watching(REQUEST)
        await here.said()
    assert later[0]["selected_expression_ids"] == ids


@pytest.mark.parametrize("hook", [BEFORE, AFTER])
async def test_arguments_of_the_reply_tool_travel_on_from_the_choice(hook: str) -> None:
    async with talk() as here:
        here.chat.changing(hook, reply_tool_args={"mood": "merry"})
        later = here.chat.watching(REQUEST)
        await here.said()
    assert later[0]["reply_tool_args"] == {"mood": "merry"}


async def test_a_plugin_may_bring_expressions_where_nothing_is_kept() -> None:
    async with talk() as here:
        here.chat.changing(BEFORE, candidates=[{"id": 90, "situation": "thirsty", "style": "gasping"}])
        await here.said()
        assert "- thirsty: gasping" in here.asked()


async def test_one_choice_is_made_for_all_attempts_of_a_reply() -> None:
    async with talk() as here:
        here.chat.changing("maisaka.replyer.after_response", retry=True)
        before = here.chat.watching(BEFORE)
        await here.said()
    assert (len(before), len(here.endpoint.asked)) == (1, 4)
