"""``ctx.message``: what was said, found by id and by time, and written as text."""

from host.capabilities.message import MESSAGE
from tests.capabilities.house import NOW, MakeHouse, all_of


async def test_a_message_is_found_by_its_id(house: MakeHouse) -> None:
    here = await house(*all_of(MESSAGE))
    message = await here.ask("ctx.message.get_by_id('2')")
    assert (message["processed_plain_text"], message["session_id"]) == ("hi", "g1")
    assert message["raw_message"][1] == {"type": "image", "data": "a cat", "hash": "0f"}
    assert await here.ask("ctx.message.get_by_id('2', chat_id='p1')") is None
    assert await here.ask("ctx.message.get_by_id('2', stream_id='p1')") is None
    whole = await here.ask(
        "ctx.call_capability('message.get_by_id', msg_id=2, stream_id='g1', include_binary_data=True)"
    )
    assert whole["raw_message"][1]["binary_data_base64"] == "aGk="


TIMES = [
    (f"get_by_time('{NOW - 200}', {NOW})", "2345"),
    ("get_by_time(0, 0)", ""),
    (f"get_by_time(0, {NOW}, limit=2)", "45"),
    (f"get_by_time(0, {NOW}, limit='2', limit_mode='earliest')", "12"),
    (f"get_by_time(0, {NOW}, filter_mai=True)", "1245"),
    (f"get_by_time_in_chat('g1', {NOW - 200}, {NOW}, filter_command='true')", "23"),
    ("get_recent('g1')", "1234"),
    ("get_recent('g1', 2)", "34"),
    ("get_recent('g1', 0)", "1234"),
]


async def test_messages_of_a_time(house: MakeHouse) -> None:
    here = await house(*all_of(MESSAGE))
    for call, ids in TIMES:
        assert "".join(each["message_id"] for each in await here.ask(f"ctx.message.{call}")) == ids


async def test_recent_is_of_the_last_hours(house: MakeHouse) -> None:
    here = await house(*all_of(MESSAGE))
    found = await here.ask("ctx.call_capability('message.get_recent', chat_id='g1', hours=1)")
    assert "".join(each["message_id"] for each in found) == "234"


async def test_new_messages_are_counted(house: MakeHouse) -> None:
    here = await house(*all_of(MESSAGE))
    assert await here.ask(f"ctx.message.count_new('g1', '{NOW - 180}')") == 2
    count = "ctx.call_capability('message.count_new', chat_id='g1',"
    assert await here.ask(f"{count} start_time=0, end_time={NOW - 60})") == 3
    assert await here.ask(f"{count} since={NOW - 61}, start_time=0)") == 2


async def test_messages_are_written_as_text(house: MakeHouse) -> None:
    here = await house(*all_of(MESSAGE))
    assert await here.ask("ctx.message.build_readable(None, chat_id='g1', end_time=2e9, limit=3)") == (
        "[3 min ago] Lin: hi\n[1 min ago] you: hello\n[just now] Lin: /help"
    )
    given = [
        {"message_info": {"user_info": {"user_id": "7", "user_cardname": "Li"}}, "processed_plain_text": "x" * 201}
    ]
    written = await here.ask(
        f"ctx.message.build_readable({given}, timestamp_mode='', truncate=True, replace_bot_name=False)"
    )
    assert written == f"Li: {'x' * 200}…"
    bare = [{"timestamp": "nonsense", "raw_message": [{"type": "text", "data": "hi"}]}]
    assert await here.ask(f"ctx.message.build_readable({bare})") == ": hi"


UNASKABLE = [
    ("get_by_id('')", "'message_id' is missing"),
    ("get_by_time('soon', 0)", "'start_time' is 'soon'; allowed is float"),
    ("get_by_time(0, 1, limit=-1)", "'limit' is -1; allowed is int"),
    ("get_recent('')", "'chat_id' is missing"),
    ("build_readable(None)", "'messages' is missing"),
    ("build_readable([], timestamp_mode='odd')", "allowed are 'relative'"),
]


async def test_what_cannot_be_asked_is_told(house: MakeHouse) -> None:
    here = await house(*all_of(MESSAGE))
    for call, why in UNASKABLE:
        answer = await here.ask(f"ctx.message.{call}")
        assert answer["success"] is False
        assert why in answer["error"]
