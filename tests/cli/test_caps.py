"""``maibot-host plugins caps``: what a plugin may ask is shown, taken away and given back, with and without a host."""

import json
import re
from pathlib import Path
from typing import Any

from tests.cli.running import GOOD, Finished, finished, host_over, write_plugin

ASKS = """
from maibot_sdk import MaiBotPlugin

class Asks(MaiBotPlugin):
    async def on_load(self):
        await self.ctx.config.get("bot.nickname")
        try:
            await self.ctx.llm.generate("x")
        except RuntimeError:
            pass

def create_plugin():
    return Asks()
"""


async def caps(*arguments: str, cwd: Path) -> Finished:
    return await finished("plugins", "caps", "a.asks", *arguments, cwd=cwd)


def rows(told: Finished) -> dict[str, list[str]]:
    """The cells after each capability."""
    lines = [re.split(r"  +", line.strip()) for line in told.out.splitlines()]
    return {cells[0]: cells[1:] for cells in lines if len(cells) == 4 and "." in cells[0]}


async def test_capabilities_are_shown_taken_away_and_given_back(tmp_path: Path) -> None:
    folder = tmp_path / "plugins"
    write_plugin(folder, "a.asks", ASKS, capabilities=["config.get", "send.text", "db.count", "emoji.register"])
    write_plugin(folder, "b.none", GOOD)
    told = await caps("--plugins", str(folder), cwd=tmp_path)
    assert "No host" in told.out
    assert rows(told)["config.get"] == ["yes", "0", "0"]
    assert list(rows(told)) == ["config.get", "database.count", "emoji.register", "send.text"]
    taken = await caps("--plugins", str(folder), "--revoke", "send.text", cwd=tmp_path)
    assert rows(taken)["send.text"] == ["no, revoked", "0", "0"]
    wrong = await caps("--plugins", str(folder), "--revoke", "send.image", cwd=tmp_path)
    assert (wrong.code, "lists no capability 'send.image'" in wrong.err) == (2, True)

    async with host_over(folder):
        told = await caps(cwd=tmp_path)
        assert rows(told)["config.get"] == ["yes", "1", "0"]
        assert rows(told)["llm.generate"] == ["no, not in its manifest", "0", "1"]
        assert rows(told)["send.text"] == ["no, revoked", "0", "0"]
        changed = await caps("--revoke", "config.get", "--grant", "send.text", "--json", cwd=tmp_path)
        found: list[dict[str, Any]] = json.loads(changed.out)["capabilities"]
        assert {each["name"]: each["revoked"] for each in found if each["listed"]} == {
            "config.get": True,
            "database.count": False,
            "emoji.register": False,
            "send.text": False,
        }
        wrong = await caps("--revoke", "llm.generate", cwd=tmp_path)
        assert (wrong.code, "lists no capability 'llm.generate'" in wrong.err) == (2, True)
    kept = json.loads((tmp_path / "data" / "revoked-capabilities.json").read_text())
    assert kept == {"a.asks": ["config.get"]}
