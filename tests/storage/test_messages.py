"""Messages: what is kept of them, and finding them again."""

import math
from typing import Any

from host.storage import Direction, Handling, Message, Storage
from tests.storage.rows import message

EVERYTHING: dict[str, Any] = {
    "message_id": "772",
    "timestamp": 1790000000.1234567,
    "received_at": 1790000001.5,
    "platform": "qq",
    "account_id": "10001",
    "scope": "left",
    "session_id": "tea",
    "user_id": "555",
    "user_nickname": "林",
    "user_cardname": "Lin of the tea",
    "group_id": "123456",
    "group_name": "Tea room",
    "direction": Direction.IN,
    "handling": Handling.RECEIVED,
    "is_mentioned": True,
    "is_at": True,
    "is_emoji": True,
    "is_picture": True,
    "is_command": True,
    "is_notify": True,
    "reply_to": "771",
    "processed_plain_text": "hello 🍵",
    "additional_config": {"platform_io_account_id": "10001", "nested": {"numbers": [1, 2.5, None, True]}},
    "raw_message": [{"type": "text", "data": "hello 🍵"}, {"type": "dict", "data": {"deep": [{}]}}],
}


async def said(storage: Storage, *times: float, **columns: Any) -> None:
    """Store a message for each time, its text the time."""
    for time in times:
        await storage.messages.add(message(f"{time:g}", timestamp=time, message_id=f"m{time:g}", **columns))


def texts(messages: list[Message]) -> list[str | None]:
    return [each.processed_plain_text for each in messages]


async def test_a_message_is_read_as_it_was_stored(storage: Storage) -> None:
    await storage.messages.add(Message(**EVERYTHING))
    found = await storage.messages.get("772")
    assert found is not None
    assert {name: getattr(found, name) for name in EVERYTHING} == EVERYTHING


async def test_numbers_rise_in_the_order_of_storing_even_where_the_clock_goes_back(where: str) -> None:
    times = iter([2000.0, 2000.0, 1000.0])
    async with Storage.open(where, clock=lambda: next(times)) as storage:
        numbers = [await storage.messages.add(message()) for _ in range(3)]
    async with Storage.open(where, clock=lambda: 500.0) as storage:
        numbers.append(await storage.messages.add(message()))
    assert numbers == [2000000000, 2000000001, 2000000002, 2000000003]


async def test_bytes_and_nan_in_segments_are_kept_as_json_can_say_them(storage: Storage) -> None:
    data = {"bytes": b"tea", "nan": math.nan}
    await storage.messages.add(message(raw_message=[{"type": "dict", "data": data}]))
    found = await storage.messages.get("771")
    assert found is not None
    assert found.raw_message == [{"type": "dict", "data": {"bytes": "dGVh", "nan": None}}]


async def test_a_null_character_keeps_no_message_from_being_stored(storage: Storage) -> None:
    await storage.messages.add(message("a\x00b"))
    found = await storage.messages.get("771")
    assert found is not None
    assert found.processed_plain_text == "a\ufffdb"
    assert found.raw_message == [{"type": "text", "data": "a\x00b"}]


async def test_the_bytes_of_pictures_are_kept_only_while_the_message_is_open(where: str) -> None:
    picture = {"type": "image", "data": "", "hash": "ab", "binary_data_base64": "AAAA"}
    bare = {"type": "image", "data": "", "hash": "ab"}
    forward = {"type": "forward", "data": [{"message_id": "1", "content": [picture, {"type": "text", "data": "x"}]}]}
    bare_forward = {"type": "forward", "data": [{"message_id": "1", "content": [bare, {"type": "text", "data": "x"}]}]}
    async with Storage.open(where) as storage:
        await storage.messages.add(message(raw_message=[picture, forward]))
        done = await storage.messages.add(message(message_id="done", raw_message=[picture]))
        await storage.messages.settle(done, Handling.ANSWERED)
        own = message(message_id="own", raw_message=[picture], handling=Handling.KEPT, direction=Direction.OUT)
        await storage.messages.add(own)
        found = await storage.messages.recent("tea", 10)
        assert [each.raw_message for each in found] == [[bare, bare_forward], [bare], [bare]]
    async with Storage.open(where) as storage:
        taken = await storage.messages.take_up()
        assert [each.raw_message for each in taken.messages] == [[picture, forward]]


async def test_what_hooks_made_of_a_message_replaces_it(storage: Storage) -> None:
    number = await storage.messages.add(message("before", received_at=5.0))
    await storage.messages.revise(number, message("after", session_id="garden", is_command=True))
    assert await storage.messages.recent("tea", 5) == []
    [found] = await storage.messages.recent("garden", 5)
    assert (found.id, found.processed_plain_text, found.is_command) == (number, "after", True)
    assert (found.received_at, found.handling) == (5.0, Handling.RECEIVED)
    assert await storage.sessions.get("garden") is not None


async def test_recent_messages_of_a_chat_come_the_oldest_first(storage: Storage) -> None:
    await said(storage, 1, 3, 2, 4)
    await said(storage, 5, session_id="garden")
    assert texts(await storage.messages.recent("tea", 3)) == ["2", "3", "4"]
    assert texts(await storage.messages.recent("tea", 3, before=4)) == ["1", "2", "3"]
    assert texts(await storage.messages.recent("nowhere", 3)) == []


async def test_pages_before_a_message_miss_none_of_the_same_moment(storage: Storage) -> None:
    for text in "abcd":
        await storage.messages.add(message(text))
    [middle, last] = await storage.messages.recent("tea", 2)
    assert texts([middle, last]) == ["c", "d"]
    assert texts(await storage.messages.recent("tea", 2, before=middle)) == ["a", "b"]


async def test_own_messages_and_commands_can_be_left_out(storage: Storage) -> None:
    await said(storage, 1, 4)
    await said(storage, 2, direction=Direction.OUT)
    await said(storage, 3, is_command=True)
    assert texts(await storage.messages.recent("tea", 2, own=False)) == ["3", "4"]
    assert texts(await storage.messages.recent("tea", 9, own=False, commands=False)) == ["1", "4"]
    assert texts(await storage.messages.between(0, 9, session_id="tea", commands=False)) == ["1", "2", "4"]


async def test_messages_of_a_time_with_both_ends_of_one_chat_or_all(storage: Storage) -> None:
    await said(storage, 1, 2, 4)
    await said(storage, 3, session_id="garden")
    assert texts(await storage.messages.between(2, 4)) == ["2", "3", "4"]
    assert texts(await storage.messages.between(1, 4, session_id="tea", limit=2)) == ["2", "4"]
    assert texts(await storage.messages.between(1, 4, limit=2, earliest=True)) == ["1", "2"]


async def test_counting_starts_after_a_moment(storage: Storage) -> None:
    await said(storage, 1, 2, 3, 4)
    assert await storage.messages.count("tea", after=2) == 2
    assert await storage.messages.count("tea", after=1, until=3) == 2
    assert await storage.messages.count("garden", after=0) == 0


async def test_messages_of_a_user_in_all_chats(storage: Storage) -> None:
    await said(storage, 1)
    await said(storage, 2, session_id="garden")
    await said(storage, 3, user_id="777")
    await said(storage, 4, platform="console")
    assert texts(await storage.messages.by_user("555", 9)) == ["1", "2", "4"]
    assert texts(await storage.messages.by_user("555", 1, platform="qq")) == ["2"]
    assert texts(await storage.messages.by_user("555", 9, before=2)) == ["1"]


async def test_the_latest_of_messages_with_one_id_is_found_in_any_chat_or_one(storage: Storage) -> None:
    for session in ("tea", "tea", "garden"):
        number = await storage.messages.add(message(session, message_id="notice", session_id=session))
    found = await storage.messages.get("notice")
    assert found is not None
    assert found.id == number
    of_tea = await storage.messages.get("notice", session_id="tea")
    assert of_tea is not None
    assert of_tea.session_id == "tea"
    assert await storage.messages.get("notice", session_id="nowhere") is None
