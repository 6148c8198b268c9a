"""``ctx.chat``: the chats that are known, and making one known."""

from host.capabilities.chat import CHAT
from tests.capabilities.house import MakeHouse, all_of

GROUP = {
    "session_id": "g1",
    "stream_id": "g1",
    "platform": "qq",
    "user_id": None,
    "user_nickname": None,
    "user_cardname": None,
    "group_id": "123456",
    "group_name": "Tea room",
    "account_id": "10001",
    "scope": None,
    "is_group_session": True,
    "chat_type": "group",
}


async def test_chats_are_found_by_platform_and_type(house: MakeHouse) -> None:
    here = await house(*all_of(CHAT))

    async def found(call: str) -> list[str]:
        return [each["session_id"] for each in await here.ask(f"ctx.chat.{call}")]

    assert (await here.ask("ctx.chat.get_group_streams()")) == [GROUP]
    assert await found("get_all_streams()") == ["g1", "p1"]
    assert await found("get_private_streams()") == ["p1"]
    assert await found("get_all_streams('all_platforms')") == ["g1", "p1", "t1"]
    assert await found("get_private_streams('telegram')") == ["t1"]


async def test_a_chat_is_found_by_its_group_or_its_partner(house: MakeHouse) -> None:
    here = await house(*all_of(CHAT))
    assert await here.ask("ctx.chat.get_stream_by_group_id(123456)") == GROUP
    assert (await here.ask("ctx.chat.get_stream_by_user_id('555')"))["chat_type"] == "private"
    assert await here.ask("ctx.chat.get_stream_by_group_id('9')") is None
    assert await here.ask("ctx.chat.get_stream_by_user_id('555', 'nowhere')") is None
    assert (await here.ask("ctx.chat.get_stream_by_group_id('')"))["success"] is False


async def test_a_chat_is_opened_once(house: MakeHouse) -> None:
    here = await house(*all_of(CHAT), "send.text")
    opened = await here.ask("ctx.chat.open_session('qq', user_id='9')")
    assert (opened["success"], opened["created"], opened["stream"]["user_id"]) == (True, True, "9")
    assert opened["stream_id"] == opened["stream"]["session_id"]
    again = await here.ask("ctx.chat.open_session('qq', user_id='9')")
    assert (again["created"], again["stream_id"]) == (False, opened["stream_id"])
    assert await here.ask(f"ctx.send.text('hi', '{opened['stream_id']}')") is True


async def test_the_type_of_a_chat_to_open_goes_by_what_is_given(house: MakeHouse) -> None:
    here = await house(*all_of(CHAT))
    call = "ctx.call_capability('chat.open_session',"
    assert (await here.ask(f"{call} group_id='7', user_id='9')"))["chat_type"] == "group"
    assert (await here.ask(f"{call} type='private', group_id='7', user_id='9')"))["chat_type"] == "private"
    for missing in ("chat_type='group', user_id='9'", "chat_type='private', group_id='7'", ""):
        answer = await here.ask(f"{call} {missing})")
        assert answer["success"] is False
        assert "is missing or empty" in answer["error"]
