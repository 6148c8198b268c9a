"""Chats: known from their messages, and found again."""

from host.storage import ChatSession, Direction, Storage
from tests.storage.rows import message, private


async def test_a_message_makes_its_group_known(storage: Storage) -> None:
    await storage.messages.add(message(timestamp=5.0, account_id="10001", scope="left"))
    await storage.messages.add(message(timestamp=7.0))
    found = await storage.sessions.get("tea")
    assert found is not None
    assert (found.platform, found.account_id, found.scope) == ("qq", "10001", "left")
    assert (found.group_id, found.group_name, found.user_id, found.user_nickname) == ("123456", "Tea room", None, None)
    assert (found.created_timestamp, found.last_active_timestamp) == (5.0, 7.0)


async def test_the_partner_of_a_private_chat_is_whoever_is_not_the_bot(storage: Storage) -> None:
    await storage.messages.add(private(timestamp=5.0))
    await storage.messages.add(private(timestamp=6.0, user_id="10001", user_nickname="Mai", direction=Direction.OUT))
    found = await storage.sessions.get("lin")
    assert found is not None
    assert (found.user_id, found.user_nickname, found.group_id) == ("555", "Lin", None)
    assert found.last_active_timestamp == 6.0


async def test_a_changed_name_is_taken_over_and_a_missing_one_is_not(storage: Storage) -> None:
    for name in ("Tea room", "Tea house", None, "123456"):
        await storage.messages.add(message(group_name=name))
    found = await storage.sessions.get("tea")
    assert found is not None
    assert found.group_name == "Tea house"


async def test_opening_a_chat_says_whether_it_is_new(storage: Storage) -> None:
    opened = ChatSession(session_id="tea", platform="qq", group_id="123456", created_timestamp=5.0)
    stored, created = await storage.sessions.open(opened)
    assert created
    assert (stored.session_id, stored.group_id, stored.last_active_timestamp) == ("tea", "123456", None)
    await storage.messages.add(message())
    again, created = await storage.sessions.open(opened)
    assert not created
    assert (again.id, again.group_name) == (stored.id, "Tea room")


async def test_chats_by_kind_platform_and_target(storage: Storage) -> None:
    await storage.messages.add(message())
    await storage.messages.add(private())
    await storage.messages.add(private(session_id="console", platform="console", user_id="operator"))
    await storage.messages.add(message(session_id="tea of another account"))

    def names(found: list[ChatSession]) -> list[str]:
        return [each.session_id for each in found]

    assert names(await storage.sessions.all()) == ["tea", "lin", "console", "tea of another account"]
    assert names(await storage.sessions.all(platform="qq", chat_type="private")) == ["lin"]
    assert names(await storage.sessions.all(chat_type="group")) == ["tea", "tea of another account"]
    of_group = await storage.sessions.of_group("123456", platform="qq")
    of_user = await storage.sessions.of_user("555", platform="qq")
    assert of_group is not None
    assert of_user is not None
    assert (of_group.session_id, of_user.session_id) == ("tea", "lin")
    assert await storage.sessions.of_user("555", platform="console") is None
    assert await storage.sessions.of_group("555") is None
