"""``ctx.db``: rows by models and columns, over the real storage."""

from datetime import datetime
from pathlib import Path

import pytest

from host.capabilities.database import DATABASE, MOST_ROWS
from host.storage import person_id
from tests.capabilities.home import home
from tests.capabilities.house import all_of

ALL = all_of(DATABASE)


async def test_rows_are_found_by_what_they_equal(tmp_path: Path) -> None:
    async with home(tmp_path, *ALL) as here:
        chat = await here.hear(is_mentioned=False)
        await here.hear("more", message_id="772", timestamp="1790000000.0", is_mentioned=True)
        [message] = await here.ask("ctx.db.get('Messages', {'message_id': '771'})")
        assert (message["session_id"], message["processed_plain_text"], message["user_id"]) == (chat, "hello", "555")
        assert message["timestamp"] == datetime.fromtimestamp(1789999999.25).isoformat()
        assert isinstance(message["raw_content"], bytes)
        newest = await here.ask("ctx.db.get('Messages', {'user_id': 555}, order_by='-timestamp', limit=1)")
        assert [each["message_id"] for each in newest] == ["772"]
        for filters in (
            "{'is_mentioned': True}",
            "{'timestamp': '2026-09-21T14:13:20+00:00'}",
            "{'timestamp': 1790000000}",
        ):
            found = await here.ask(f"ctx.db.get('Messages', {filters}, single_result=True)")
            assert found["message_id"] == "772"
        assert await here.ask("ctx.db.get('ChatSession', {'group_id': None})") == []
        assert await here.ask("ctx.db.get('PersonInfo', {'person_name': 'Nobody'}, single_result=True)") is None
        assert await here.ask("ctx.db.count('Messages', {'user_id': '555'})") == 2
        assert await here.ask("ctx.db.query('Messages', 'count')") == 4
        assert await here.ask("ctx.db.count('PersonInfo')") == 1


async def test_rows_are_changed_and_added(tmp_path: Path) -> None:
    async with home(tmp_path, *ALL) as here:
        await here.hear()
        saved = await here.ask(
            "ctx.db.save('PersonInfo', {'person_name': 'Tea Lin', 'memory_points': '[\"likes tea\"]'}, "
            "'user_id', '555')"
        )
        assert (saved["person_name"], saved["memory_points"]) == ("Tea Lin", '["likes tea"]')
        new = await here.ask(
            "ctx.db.save('PersonInfo', {'person_id': 'ab', 'platform': 'qq', 'user_id': 9, 'user_nickname': 'Wu', "
            "'x': 1})"
        )
        assert (new["person_name"], new["user_id"], new["know_counts"]) == (None, "9", 0)
        assert await here.ask("ctx.db.query('PersonInfo', 'update', {'know_counts': 7}, {'user_id': '9'})") == 1
        assert await here.ask("ctx.db.query('PersonInfo', 'update', {'is_known': False})") == 2
        rows = await here.ask("ctx.db.query('PersonInfo', order_by=['-know_counts'])")
        assert [(each["user_nickname"], each["is_known"]) for each in rows] == [("Wu", False), ("Lin", False)]
        assert await here.ask("ctx.db.delete('PersonInfo', {'person_id': 'ab'})") == 1
        assert await here.ask("ctx.db.query('PersonInfo', 'delete')") == 1


async def test_a_message_that_is_added_is_part_of_its_chat(tmp_path: Path) -> None:
    async with home(tmp_path, *ALL, "message.get_recent", "chat.get_all_streams") as here:
        made = await here.ask(
            "ctx.db.query('Messages', 'create', {'message_id': '5', 'timestamp': __import__('time').time() - 5, "
            "'platform': 'qq', 'user_id': '555', 'user_nickname': 'Lin', 'session_id': 'tea', "
            "'raw_content': [{'type': 'text', 'data': 'hi'}], 'processed_plain_text': 'hi'})"
        )
        assert made["id"] > 0
        [message] = await here.ask("ctx.message.get_recent('tea')")
        assert message["raw_message"] == [{"type": "text", "data": "hi"}]
        assert [each["session_id"] for each in await here.ask("ctx.chat.get_all_streams()")] == ["tea"]
        again = await here.ask(
            f"ctx.db.save('Messages', {{'raw_content': {made['raw_content']!r}, 'is_at': 1}}, 'id', {made['id']})"
        )
        assert (again["is_at"], again["raw_content"]) == (True, made["raw_content"])


WRONG = {
    "ctx.db.get('ActionRecord')": "no model 'ActionRecord'; there are: ChatSession, ",
    "ctx.db.get('Messages', {'nickname': 'Lin'})": "no column 'nickname'",
    "ctx.db.get('Messages', {'raw_with_bytes': None})": "no column 'raw_with_bytes'",
    "ctx.db.get('Messages', {'user_id': ['1', '2']})": "'user_id' cannot hold ['1', '2']; allowed is str",
    "ctx.db.get('Messages', {'timestamp': 'noon'})": "'timestamp' cannot hold 'noon'",
    "ctx.db.get('Messages', {'raw_content': b'x'})": "cannot be filtered",
    "ctx.db.get('Messages', order_by='-1; DROP TABLE messages')": "no column '1; DROP TABLE messages'",
    "ctx.db.get('Messages', limit=-1)": "argument 'limit' is -1",
    "ctx.db.get('')": "'model_name' is missing",
    "ctx.db.delete('PersonInfo', {})": "needs filters",
    "ctx.db.query('PersonInfo', 'drop')": "query_type is 'drop'",
    "ctx.db.query('PersonInfo', 'create')": "'data' is missing",
    "ctx.db.query('PersonInfo', 'create', {'user_id': '9'})": "needs these columns too: person_id, platform",
    "ctx.db.query('PersonInfo', 'update', {'user_id': '9', 'age': 5})": "no column 'age'",
    "ctx.db.save('PersonInfo', {'user_id': None}, 'user_id', '555')": "'user_id' cannot hold None",
    "ctx.db.save('PersonInfo', {'memory_points': 'tea'}, 'user_id', '555')": "'memory_points' cannot hold 'tea'",
    "ctx.db.query('PersonInfo', 'update', {'person_id': 'ab'})": "The database refused: ",
}


async def test_what_cannot_be_done_is_told_and_changes_nothing(tmp_path: Path) -> None:
    async with home(tmp_path, *ALL) as here:
        await here.hear()
        for number in ("9", "10"):
            person = {"person_id": number, "platform": "qq", "user_id": number, "user_nickname": "Wu"}
            await here.ask(f"ctx.db.save('PersonInfo', {person})")
        before = await here.ask("ctx.db.get('PersonInfo')")
        for call, why in WRONG.items():
            assert why in await here.refused(call), call
        assert await here.ask("ctx.db.get('PersonInfo')") == before
        assert before[0]["person_id"] == person_id("qq", "555")


async def test_the_rows_of_one_call_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_ROWS == 5000
    monkeypatch.setattr("host.capabilities.database.MOST_ROWS", 3)
    async with home(tmp_path, *ALL) as here:
        for number in range(4):
            await here.hear(message_id=str(number))
        for limit in ("None", "0", "10"):
            assert len(await here.ask(f"ctx.db.get('Messages', limit={limit})")) == 3
