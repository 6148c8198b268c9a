"""How pictures come into the library, with its two hooks: each key that is read back, each abort."""

from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

from host.bot.emoji import EmojiRefusedError
from host.bot.emoji.picture import hash_of
from host.models import ModelError
from host.storage import EmojiState
from tests.bot.emoji.pictures import animation, picture
from tests.bot.emoji.rooms import DESCRIPTION, EMOTION, emojis
from tests.models.asking import asking, provider, settings
from tests.models.endpoint import Endpoint, endpoint, says, told

RED = picture("red")
BLUE = picture("blue")


def seeing(here: Endpoint) -> Any:
    """Models of which one sees."""
    return settings(provider("main", here.url), capabilities=["vision"])


async def test_a_model_that_sees_describes_and_its_tags_are_what_it_stands_for(tmp_path: Path) -> None:
    async with (
        endpoint(says("happy, waving\n")) as model,
        asking(seeing(model)) as models,
        emojis(tmp_path, models=models) as here,
    ):
        row = await here.registered(animation())
    assert (row.description, row.emotions, row.image_format) == ("happy, waving", ["happy", "waving"], "gif")
    [text, image] = model.asked[0].json["messages"][0]["content"]
    assert "frames stand side by side" in text["text"]
    assert image["image_url"]["url"].startswith("data:image/png;base64,")


async def test_offline_the_name_tells_what_it_shows(tmp_path: Path) -> None:
    async with emojis(tmp_path) as here:
        here.put("happy_cat_red.png")
        await here.hear(picture("green"), name="[动画表情] 微笑")
        assert sorted(await here.described()) == ["happy, cat, red", "微笑"]


async def test_both_hooks_get_the_emoji_and_what_is_said_of_it(tmp_path: Path) -> None:
    seen: list[dict[str, Any]] = []

    async def watch(**kwargs: Any) -> None:
        seen.append(kwargs)

    async with emojis(tmp_path) as here:
        here.on(DESCRIPTION, watch)
        here.on(EMOTION, watch, "test.other")
        here.put("happy_red.png")
        await here.room.settle()
        path = here.folder / "registered" / f"{hash_of(RED)}.png"
        assert path.read_bytes() == RED
    about = {"file_hash": hash_of(RED), "file_name": path.name, "full_path": str(path), "query_count": 0}
    common = {"description": "happy, red"}
    assert seen[0] == {
        "hook_name": DESCRIPTION,
        "image_format": "png",
        **common,
        "emoji": {**about, **common, "emotions": []},
    }
    emotions = ["happy", "red"]
    assert seen[1] == {
        "hook_name": EMOTION,
        "emotions": emotions,
        **common,
        "emoji": {**about, **common, "emotions": emotions},
    }


@pytest.mark.parametrize("separator", [",", "，", ";", "；", "\n"])
async def test_a_changed_description_is_stored_and_split_into_tags(tmp_path: Path, separator: str) -> None:
    async with emojis(tmp_path) as here:
        here.changing(DESCRIPTION, description=f" sad {separator} crying cat{separator}")
        row = await here.registered(RED)
    assert row.description == f"sad {separator} crying cat{separator}".strip()
    assert row.emotions == ["sad", "crying cat"]


@pytest.mark.parametrize("emotions", [["smug", " ", "cool", "smug"], "smug, cool", "smug；cool"])
async def test_changed_emotions_are_stored(tmp_path: Path, emotions: Any) -> None:
    async with emojis(tmp_path) as here:
        here.put("happy_red.png")
        here.changing(EMOTION, emotions=emotions)
        await here.room.settle()
        [row] = await here.storage.emojis.registered()
        assert (row.description, row.emotions) == ("happy, red", ["smug", "cool"])
        assert here.room.emotions() == ["cool", "smug"]


REFUSING = {
    "no description": (DESCRIPTION, {"modified_kwargs": {"description": " ,; "}}, "no_description"),
    "None for a description": (DESCRIPTION, {"modified_kwargs": {"description": None}}, "no_description"),
    "an abort at the description": (DESCRIPTION, {"action": "abort"}, "aborted"),
    "no emotions": (EMOTION, {"modified_kwargs": {"emotions": []}}, "no_emotions"),
    "no emotions, as text": (EMOTION, {"modified_kwargs": {"emotions": " , "}}, "no_emotions"),
    "an abort at the emotions": (EMOTION, {"action": "abort"}, "aborted"),
}


@pytest.mark.parametrize(("hook", "returned", "code"), REFUSING.values(), ids=REFUSING)
async def test_plugins_can_refuse_a_picture_and_it_is_not_tried_again(
    tmp_path: Path, hook: str, returned: dict[str, Any], code: str
) -> None:
    asked: list[str] = []

    async def handler(hook_name: str, **kwargs: Any) -> dict[str, Any]:
        asked.append(hook_name)
        return returned

    async with emojis(tmp_path) as here:
        here.on(hook, handler)
        if hook == EMOTION:
            here.on(DESCRIPTION, lambda **kwargs: {"modified_kwargs": {"description": "happy"}}, "test.other")
        with pytest.raises(EmojiRefusedError) as caught:
            await here.registered(BLUE)
        assert caught.value.code == code
        asked.clear()
        for _ in range(2):
            await here.hear(RED, name="happy")
        assert asked == [hook]
        known = await here.storage.emojis.get(hash_of(RED))
        assert known is not None
        assert known.state == EmojiState.REFUSED
        assert (here.room.count, here.files(), here.files("new")) == (0, [], [])


async def test_of_what_nothing_is_known_that_is_refused(tmp_path: Path) -> None:
    async with emojis(tmp_path) as here:
        with pytest.raises(EmojiRefusedError, match="Nothing is known of what it shows"):
            await here.registered(RED)


async def test_one_picture_is_there_once(tmp_path: Path) -> None:
    async with emojis(tmp_path) as here:
        here.put("happy_red.png")
        await here.room.settle()
        here.put("sad.png", RED)
        await here.hear(RED, name="sad")
        assert (await here.described(), here.files("new")) == (["happy, red"], [])
        again = await here.room.register(b64encode(RED).decode())
        assert again.known


async def test_the_least_used_makes_room(tmp_path: Path) -> None:
    async with emojis(tmp_path, max_count=2) as here:
        here.changing(DESCRIPTION, description="happy")
        first, second = [await here.registered(picture(colour)) for colour in ("red", "green")]
        await here.storage.emojis.use(first.image_hash, now=1.0)
    async with emojis(tmp_path, max_count=2) as here:  # Uses count across restarts.
        here.changing(DESCRIPTION, description="happy")
        third = await here.room.register(b64encode(BLUE).decode())
        assert (third.replaced, here.room.count) == (True, 2)
        assert here.files() == sorted(f"{each}.png" for each in (first.image_hash, third.hash))
        left = await here.storage.emojis.get(second.image_hash)
        assert left is not None
        assert left.state == EmojiState.REMOVED
        # What made room does not come back by itself.
        await here.hear(picture("green"))
        assert here.room.count == 2


async def test_a_full_library_refuses_where_nothing_is_to_make_room(tmp_path: Path) -> None:
    async with emojis(tmp_path, max_count=1, replace=False) as here:
        here.changing(DESCRIPTION, description="happy")
        await here.registered(RED)
        with pytest.raises(EmojiRefusedError, match="is full"):
            await here.registered(BLUE)
        assert len(here.files()) == 1


async def test_what_was_removed_is_known_again_without_a_model(tmp_path: Path) -> None:
    async with (
        endpoint(says("happy"), says("other")) as model,
        asking(seeing(model)) as models,
        emojis(tmp_path, models=models) as here,
    ):
        for keeps, description in ((True, "happy"), (False, "other")):
            row = await here.registered(RED)
            assert await here.room.delete(row.image_hash, keeps) is keeps
            assert (await here.registered(RED)).description == description
            await here.room.delete(row.image_hash, False)
    assert len(model.asked) == 3


async def test_a_model_that_fails_refuses_nothing(tmp_path: Path) -> None:
    async with (
        endpoint(told({}, 400), says("happy")) as model,
        asking(seeing(model)) as models,
        emojis(tmp_path, models=models) as here,
    ):
        with pytest.raises(ModelError):
            await here.registered(RED)
        assert await here.storage.emojis.get(hash_of(RED)) is None
        assert (await here.registered(RED)).description == "happy"
