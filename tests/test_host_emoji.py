"""A host with all its rooms: the owner's pictures become emoji, the bot sends one, and settings are followed."""

from pathlib import Path

from host import Host
from host.bot import EmojiSettings
from tests.bot.chat import MemoryGateway
from tests.bot.emoji.pictures import picture, segment
from tests.test_sections import OFFLINE, settings_of, typed


async def test_a_picture_of_the_owner_is_sent_where_it_fits(tmp_path: Path) -> None:
    gateway = MemoryGateway("test")
    settings = settings_of(tmp_path, models=OFFLINE)
    new = settings.data_dir / "emoji" / "new"
    new.mkdir(parents=True)
    (new / "happy.png").write_bytes(picture())
    async with Host(settings, gateways=(gateway,)) as host:
        assert host.emoji is not None
        await host.emoji.settle()
        await host.bot.receive(typed("send_emoji happy"))
        [delivery] = gateway.deliveries
        assert delivery.message.raw_message[0]["type"] == "emoji"
        assert host.emoji.emotions() == ["happy"]

        changed = settings.model_copy(update={"emoji": EmojiSettings(collect="nothing", max_count=7)})
        assert await host.take_over(changed) == []
        assert host.emoji.most == 7
        await host.bot.receive({**typed("hello"), "raw_message": [segment(picture("blue"), name="sad")]})
        await host.emoji.settle()
        assert host.emoji.count == 1
    async with Host(settings) as host:
        assert host.emoji is not None
        assert host.emoji.count == 1
