"""Changed settings and kinds that come and go count from the next call on; running calls end as they began."""

import asyncio

import pytest

from host.models import (
    KindTakenError,
    ModelEntry,
    ModelRequest,
    ModelSettings,
    NoAnswerError,
    ProviderEntry,
    plugin_provider,
)
from host.models.offline.provider import OfflineProvider
from tests.models.asking import HELLO, asking, provider, settings
from tests.models.endpoint import LIMIT_S, Told, endpoint, says


async def test_a_running_call_ends_with_what_it_began_with_and_the_next_one_is_by_the_new_settings() -> None:
    gate = asyncio.Event()
    waits = Told([gate, says("Old.").pieces[0]], headers={"content-type": "application/json"})
    async with (
        endpoint(waits) as old,
        endpoint(says("New.")) as new,
        asking(settings(provider("main", old.url))) as models,
    ):
        running = asyncio.create_task(models.generate("replyer", HELLO))
        await old.arrived.wait()
        models.reconfigure(settings(provider("main", new.url)))
        assert (await models.generate("replyer", HELLO)).text == "New."
        gate.set()
        assert (await running).text == "Old."
        assert models.settings.providers[0].base_url == new.url


async def test_a_running_call_still_falls_back_within_its_old_pool() -> None:
    gate = asyncio.Event()
    async with (
        endpoint(Told([gate, b"<html>"])) as first,
        endpoint(says("Old second.")) as second,
        asking(settings(provider("a", first.url), provider("b", second.url))) as models,
    ):
        running = asyncio.create_task(models.generate("replyer", HELLO))
        await first.arrived.wait()
        models.reconfigure(ModelSettings())
        gate.set()
        assert (await running).text == "Old second."
        assert [entry.name for entry in models.pool("replyer")] == ["offline"]


class Closing(OfflineProvider):
    """Tells when it is closed, and can be held up."""

    def __init__(self) -> None:
        self.closed = asyncio.Event()
        self.gate = asyncio.Event()
        self.gate.set()
        self.asked = asyncio.Event()

    async def generate(self, model: ModelEntry, request: ModelRequest):  # type: ignore[no-untyped-def]
        self.asked.set()
        await self.gate.wait()
        assert not self.closed.is_set()
        return await super().generate(model, request)

    async def aclose(self) -> None:
        self.closed.set()


async def test_a_provider_that_did_not_change_stays_and_one_that_did_is_closed_after_its_last_call() -> None:
    made: list[Closing] = []

    async def make(entry: ProviderEntry, key: str | None) -> Closing:
        made.append(Closing())
        return made[-1]

    first, other = provider("a", "http://x", kind="mine"), provider("b", "http://x", kind="mine")
    async with asking(settings(first)) as models:
        models.provide("mine", make)
        await models.generate("replyer", HELLO)
        models.reconfigure(settings(first, other))
        await models.generate("replyer", HELLO)
        assert len(made) == 1
        made[0].gate.clear()
        made[0].asked.clear()
        running = asyncio.create_task(models.generate("replyer", HELLO))
        await made[0].asked.wait()
        models.reconfigure(settings({**first, "timeout_seconds": 9.0}, other))
        await models.generate("replyer", HELLO)
        assert len(made) == 2
        assert not made[0].closed.is_set()
        made[0].gate.set()
        await running
        async with asyncio.timeout(LIMIT_S):
            await made[0].closed.wait()
        assert not made[1].closed.is_set()
    assert made[1].closed.is_set()


async def test_a_kind_of_a_plugin_comes_and_goes() -> None:
    async def invoke(arguments: object) -> dict[str, str]:
        return {"content": "From a plugin."}

    async with asking(settings(provider("a", "http://x", kind="mine"))) as models:
        with pytest.raises(NoAnswerError, match=r"nobody provides it.*'mine'"):
            await models.generate("replyer", HELLO)
        withdraw = models.provide("mine", plugin_provider(invoke))
        with pytest.raises(KindTakenError):
            models.provide("mine", plugin_provider(invoke))
        assert (await models.generate("replyer", HELLO)).text == "From a plugin."
        withdraw()
        withdraw()
        with pytest.raises(NoAnswerError, match="nobody provides it"):
            await models.generate("replyer", HELLO)
        models.provide("mine", plugin_provider(invoke))
        assert (await models.generate("replyer", HELLO)).text == "From a plugin."


@pytest.mark.parametrize("kind", ["openai", "offline"])
async def test_the_built_in_kinds_are_taken(kind: str) -> None:
    async with asking(ModelSettings()) as models:
        with pytest.raises(KindTakenError, match=kind):
            models.provide(kind, plugin_provider(lambda arguments: asyncio.sleep(0)))
