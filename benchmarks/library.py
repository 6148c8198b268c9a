"""What a full library costs: ten thousand emoji, against a hundred."""

import os
from base64 import b64encode
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from PIL import Image

from benchmarks.harness import Effort, Samples, paired
from host.bot import EmojiRoom, EmojiSettings
from host.bot.emoji.choosing import EmojiWanted
from host.bot.hook_site import Journal
from host.capabilities import EmojiFamily
from host.catalogue.emoji import EMOJI_HOOKS
from host.hooks import Declaration, Hooks
from host.models import Models, ModelSettings
from host.runtime import Plugin
from host.storage import Emoji, EmojiState, Storage

FEW, MANY = 100, 10_000
_TAGS = 60
_FILE_BYTES = 64 * 1024
_NOBODY = cast("Plugin", None)
"""Who asks does not matter to these capabilities."""


@dataclass(frozen=True, slots=True)
class _Library:
    """A library of so many emoji, each of 64 KiB, with two of sixty tags."""

    room: EmojiRoom
    calls: Mapping[str, Callable[[Plugin, Mapping[str, Any]], Awaitable[Any]]]

    async def call(self, name: str, **arguments: Any) -> None:
        """Ask for something as a plugin does."""
        answer = await self.calls[f"emoji.{name}"](_NOBODY, arguments)
        assert answer["success"], answer

    async def choose(self) -> None:
        """Choose one as the planner has it done, by its tags."""
        await self.room.chooser.choose(EmojiWanted("chat", "tag 7", "", ("Lin: hello",)), Journal())

    async def add_and_delete(self) -> None:
        """Register a picture, and delete it."""
        registered = await self.room.register(_picture())
        await self.call("delete", emoji_hash=registered.hash)


@asynccontextmanager
async def _library(folder: Path, count: int) -> AsyncIterator[_Library]:
    hooks, models = Hooks(), Models(ModelSettings())
    for spec in EMOJI_HOOKS:
        hooks.register_spec(spec)
    described = Declaration(hook="emoji.register.after_build_description", handler=_describe, name="describe")
    hooks.register("bench.plugin", [described])
    files = folder / "registered"
    files.mkdir(parents=True)
    (folder / "file").write_bytes(os.urandom(_FILE_BYTES))
    async with AsyncExitStack() as stack:
        stack.push_async_callback(models.aclose)
        stack.push_async_callback(hooks.aclose)
        storage = await stack.enter_async_context(Storage.open(folder / "maibot.db"))
        rows = [_row(number) for number in range(count)]
        for row in rows:
            os.link(folder / "file", files / row.file_name)

        async def fill(session: Any) -> None:
            session.add_all(rows)

        await storage.database.run(fill)
        settings = EmojiSettings(max_count=2 * MANY)
        room = await EmojiRoom.open(folder, storage.emojis, hooks, models, settings=settings)
        stack.push_async_callback(room.aclose)
        yield _Library(room, {each.name: each.call for each in EmojiFamily(room).offers()})


def _row(number: int) -> Emoji:
    tags = [f"tag {number % _TAGS}", f"tag {number * 7 % _TAGS}"]
    return Emoji(
        image_hash=f"{number:064x}",
        file_name=f"{number:064x}.png",
        image_format="png",
        description=", ".join(tags),
        emotions=tags,
        state=EmojiState.REGISTERED,
        record_time=float(number),
        register_time=float(number),
    )


@cache
def _picture() -> str:
    """A small picture, in base64."""
    written = BytesIO()
    Image.new("RGB", (64, 64), "red").save(written, "PNG")
    return b64encode(written.getvalue()).decode()


async def _describe(**kwargs: Any) -> dict[str, Any]:
    return {"modified_kwargs": {"description": "tag 1"}}


async def _many_beside_few(action: Callable[[_Library], Awaitable[None]], effort: Effort, share: int = 1) -> Samples:
    """The one library against the other, in a share of the rounds where a single call is slow."""
    effort = replace(effort, rounds=-(-effort.rounds // share))
    with TemporaryDirectory() as folder:
        async with _library(Path(folder, "few"), FEW) as few, _library(Path(folder, "many"), MANY) as many:
            return await paired(partial(action, many), partial(action, few), effort)


LIBRARY: Mapping[str, Callable[[Effort], Awaitable[Samples]]] = {
    "emoji-choose": partial(_many_beside_few, _Library.choose),
    "emoji-like": partial(_many_beside_few, partial(_Library.call, name="get_by_description", description="tag 7")),
    "emoji-random": partial(_many_beside_few, partial(_Library.call, name="get_random", count=5)),
    "emoji-emotions": partial(_many_beside_few, partial(_Library.call, name="get_emotions")),
    "emoji-info": partial(_many_beside_few, partial(_Library.call, name="get_info")),
    "emoji-all": partial(_many_beside_few, partial(_Library.call, name="get_all"), share=5),
    "emoji-register": partial(_many_beside_few, _Library.add_and_delete, share=5),
}
"""By the keys of their cases."""
