"""The rows of emoji: one a picture, whatever becomes of it."""

from typing import Any

from host.storage import Emoji, Emojis, EmojiState, Storage


def emoji(image_hash: str, **changes: Any) -> Emoji:
    """A registered emoji."""
    values: dict[str, Any] = {
        "image_hash": image_hash,
        "file_name": f"{image_hash}.png",
        "image_format": "png",
        "description": "happy, waving",
        "emotions": ["happy", "waving"],
        "state": EmojiState.REGISTERED,
        "record_time": 1.0,
        "register_time": 1.0,
    }
    return Emoji(**{**values, **changes})


async def hashes(storage: Storage) -> list[str]:
    return [each.image_hash for each in await storage.emojis.registered()]


async def test_a_picture_has_one_row_and_its_uses_count_on(storage: Storage) -> None:
    await storage.emojis.put(emoji("aa"))
    await storage.emojis.use("aa", now=5.0)
    again = emoji("aa", description="sad", emotions=["sad"], record_time=9.0, register_time=9.0)
    kept = await storage.emojis.put(again)
    assert (kept.description, kept.emotions, kept.register_time) == ("sad", ["sad"], 9.0)
    assert (kept.query_count, kept.last_used_time, kept.record_time) == (1, 5.0, 1.0)
    assert await hashes(storage) == ["aa"]


async def test_one_makes_room_for_another_and_stays_known(storage: Storage) -> None:
    await storage.emojis.put(emoji("aa"))
    await storage.emojis.put(emoji("bb"), removed=["aa"])
    assert await hashes(storage) == ["bb"]
    left = await storage.emojis.get("aa")
    assert left is not None
    assert (left.state, left.file_name, left.emotions) == (EmojiState.REMOVED, "", ["happy", "waving"])
    assert await storage.emojis.get("cc") is None


async def test_what_is_removed_can_be_forgotten(storage: Storage) -> None:
    await storage.emojis.put(emoji("aa"))
    await storage.emojis.remove("aa", forget=True)
    left = await storage.emojis.get("aa")
    assert left is not None
    assert (left.state, left.description, left.emotions) == (EmojiState.REMOVED, "", [])
    await storage.emojis.remove("nobody")


async def test_of_what_is_not_in_the_library_the_latest_are_remembered(storage: Storage) -> None:
    emojis = Emojis(storage.database, remembered=2)
    await emojis.put(emoji("in"))
    for name in ("r1", "r2", "r3"):
        await emojis.put(emoji(name, state=EmojiState.REFUSED))
    for name in ("l1", "l2", "l3"):
        await emojis.put(emoji(name))
        await emojis.remove(name)
    known = [name for name in ("in", "r1", "r2", "r3", "l1", "l2", "l3") if await emojis.get(name)]
    assert known == ["in", "r2", "r3", "l2", "l3"]
