"""A plugin that gathers lines: it parks the first message of a chat until later ones come, and stops those."""

import asyncio
from pathlib import Path

import pytest

from host import Host, Settings
from host.bot import Status
from host.hooks import Declaration
from host.runtime.code import Isolation
from host.storage import DATABASE_FILE, Handling, Storage
from tests.bot.chat import MemoryGateway, message_dict
from tests.runtime.plugin_folders import write_plugin

GATHERS = """
    import asyncio
    from maibot_sdk import HookHandler, MaiBotPlugin
    from maibot_sdk.types import HookMode

    class Gathers(MaiBotPlugin):
        async def on_load(self):
            self.lines, self.whole = [], asyncio.Event()

        @HookHandler("chat.receive.before_process", mode=HookMode.BLOCKING, timeout_ms=35_000)
        async def gather(self, message, **kwargs):
            self.lines.append(message["raw_message"][0]["data"])
            if len(self.lines) == 3:
                self.whole.set()
            if len(self.lines) > 1:
                return {"action": "abort"}
            await self.whole.wait()
            message["raw_message"][0]["data"] = " ".join(self.lines)
            return {"action": "continue", "modified_kwargs": {"message": message}}

    create_plugin = Gathers
"""


@pytest.mark.parametrize("isolation", ["process", "inline"])
async def test_the_first_line_waits_for_the_others_and_all_are_answered_as_one(
    tmp_path: Path, isolation: Isolation
) -> None:
    write_plugin(tmp_path / "plugins", "team.gathers", GATHERS)
    settings = Settings.model_validate(
        {
            "data_dir": tmp_path / "data",
            "plugin_dirs": [tmp_path / "plugins"],
            "bundled_plugins": False,
            "plugins": {"isolation": isolation},
        }
    )
    arrived = asyncio.Event()

    async def tell(**kwargs: object) -> None:
        arrived.set()

    gateway = MemoryGateway()
    async with Host(settings, gateways=(gateway,)) as host:
        host.hooks.register(
            "a.watcher", [Declaration(hook="chat.receive.before_process", handler=tell, name="tell", order="early")]
        )
        first = asyncio.create_task(host.bot.receive(message_dict("I had", message_id="1")))
        await arrived.wait()
        later = [await host.bot.receive(message_dict(text, message_id=text)) for text in ("tea", "today")]
        outcome = await first
    assert [each.status for each in later] == [Status.STOPPED, Status.STOPPED]
    assert (outcome.status, outcome.text) == (Status.REPLIED, "I had tea today")
    assert gateway.texts() == ['I hear you: "I had tea today".']
    async with Storage.open(settings.data_dir / DATABASE_FILE) as storage:
        heard, _ = await storage.messages.recent(outcome.session_id, 9)
        assert (heard.processed_plain_text, heard.handling) == ("I had tea today", Handling.ANSWERED)
        # What was stopped is not taken up at a start either.
        assert (await storage.messages.take_up()).arrivals == ()
