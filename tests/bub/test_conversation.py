"""A recorded conversation: plugins of both families act on the same messages, each by its own rules."""

import json
from pathlib import Path
from shutil import copytree
from typing import Any

from host.app import Host
from host.bub.settings import BubSettings
from host.runtime.code import Isolation
from host.settings import PluginSettings, Settings
from tests.bot.chat import MemoryGateway, at_once, message_dict

RECORDED = Path(__file__).parents[1] / "data" / "bub" / "conversation"
INLINE: Isolation = "inline"


async def test_both_families_act_on_the_same_messages(tmp_path: Path) -> None:
    folders = copytree(RECORDED / "plugins", tmp_path / "plugins")
    gateway = MemoryGateway()
    settings = Settings(
        plugin_dirs=(folders,),
        data_dir=tmp_path / "data",
        bundled_plugins=False,
        plugins=PluginSettings(isolation=INLINE),
        bub=BubSettings(installed=False),
    )
    happened: list[dict[str, Any]] = []
    wanted = [json.loads(line) for line in (RECORDED / "conversation.jsonl").read_text("utf-8").splitlines()]
    async with Host(settings, gateways=(gateway,), pause=at_once) as host:
        assert host.bub is not None
        log = dict(host.bub.plugins.in_order())["answers"].log  # type: ignore[attr-defined]
        for number, line in enumerate(wanted):
            sent, logged = len(gateway.deliveries), len(log)
            outcome = await host.bot.receive(message_dict(line["said"], message_id=f"m{number}"))
            happened.append(
                {
                    "said": line["said"],
                    "status": outcome.status.value,
                    "sent": gateway.texts()[sent:],
                    "log": log[logged:],
                }
            )
    assert happened == wanted
