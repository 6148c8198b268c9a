"""What the bot knows, found by its words, in any script."""

import pytest

from host.storage import Direction, Handling, Known, Person, Storage, Where
from tests.storage.rows import message

SAID = (
    "我昨天喝了绿茶，很好喝",
    "The teapot is on the table",
    "tea time at five?",
    "绿色的杯子",
    "ＴＥＡ　ＰＡＲＴＹ",
    "お茶をください",
)
EVERYWHERE = Where()


async def found(storage: Storage, query: str, where: Where = EVERYWHERE, limit: int = 5) -> list[str]:
    return [each.text for each in await storage.knowledge.search(query, limit, where)]


@pytest.fixture
async def talked(storage: Storage) -> Storage:
    """A storage in which something was said."""
    for number, text in enumerate(SAID):
        said = message(message_id=str(number), timestamp=float(number), processed_plain_text=text)
        await storage.messages.add(said)
    return storage


async def test_words_are_found_by_their_beginnings_and_the_latest_first(talked: Storage) -> None:
    assert await found(talked, "tea") == [SAID[4], SAID[2], SAID[1]]
    assert await found(talked, "Tea time") == [SAID[2], SAID[4]]
    assert await found(talked, "TEA table") == [SAID[1], SAID[4], SAID[2]]
    assert await found(talked, "tea", limit=1) == [SAID[4]]
    for nothing in ("coffee", "", "?!", "'; DROP TABLE knowledge; --", '"tea" NOT', "eapot"):
        assert SAID[0] not in await found(talked, nothing)
    assert await found(talked, "coffee & cake | 'x'") == []


async def test_chinese_is_found_by_any_part_of_it(talked: Storage) -> None:
    for query in ("绿茶", "喝了绿茶", "昨天", "昨"):
        assert await found(talked, query) == [SAID[0]], query
    assert await found(talked, "茶") == [SAID[5], SAID[0]]
    assert await found(talked, "绿") == [SAID[3], SAID[0]]
    assert await found(talked, "喝") == [SAID[0]]
    assert await found(talked, "谁喝绿茶？") == [SAID[0]]
    assert await found(talked, "绿茶 杯子") == [SAID[3], SAID[0]]
    assert await found(talked, "茶色") == []


async def test_what_is_looked_for_may_be_narrowed(talked: Storage) -> None:
    await talked.messages.add(message(session_id="other", user_id="9", group_id="7", processed_plain_text="tea?"))
    [known] = await talked.knowledge.search("tea", 5, Where(session_id="other"))
    for where in (Where(user_id="9"), Where(group_id="7"), Where(person_id=known.person_id)):
        assert await found(talked, "tea", where) == ["tea?"]
    assert await found(talked, "tea", Where(since=1.0, until=2.0)) == [SAID[2], SAID[1]]


async def test_what_a_message_becomes_is_what_is_known(storage: Storage) -> None:
    number = await storage.messages.add(message(processed_plain_text="teapot", handling=Handling.RECEIVED))
    await storage.messages.revise(number, message(processed_plain_text="kettle"))
    assert (await found(storage, "teapot"), await found(storage, "kettle")) == ([], ["kettle"])
    await storage.messages.revise(number, message(processed_plain_text="kettle", is_command=True))
    assert await found(storage, "kettle") == []
    await storage.messages.add(message(processed_plain_text="kettle", is_notify=True))
    await storage.messages.add(message(processed_plain_text="kettle", direction=Direction.OUT))
    assert await found(storage, "kettle") == []


async def test_what_is_remembered_of_somebody_is_known(storage: Storage) -> None:
    person = Person(
        person_id="ab", platform="qq", user_id="555", user_nickname="Lin", memory_points=["喜欢绿茶", "早起"]
    )
    await storage.knowledge.remember(person)
    [known] = await storage.knowledge.search("绿茶", 5, Where(person_id="ab"))
    assert (known.kind, known.speaker, known.text) == ("person", "Lin", "喜欢绿茶; 早起")
    person.memory_points = ["早起"]
    await storage.knowledge.remember(person)
    assert await found(storage, "绿茶") == []
    assert isinstance(known, Known)
