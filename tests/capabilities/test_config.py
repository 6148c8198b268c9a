"""``ctx.config``: the bot's configuration under its published names, and plugins' files."""

import json
from pathlib import Path

import pytest

from host.capabilities import published
from host.capabilities.config import CONFIG
from host.runtime.config.file import CONFIG_FILE
from tests.capabilities.house import MakeHouse, all_of

KEYS = json.loads((Path(__file__).parents[1] / "data" / "config_keys.json").read_text(encoding="utf-8"))


async def test_values_of_the_bot_are_found_by_dotted_key(house: MakeHouse) -> None:
    here = await house(*all_of(CONFIG))
    assert await here.ask("ctx.config.get('bot.qq_account')") == "10001"
    assert (await here.ask("ctx.config.get('bot')"))["nickname"] == "Mai"
    assert await here.ask("ctx.config.get('personality.personality')") == ""
    assert await here.ask("ctx.config.get('personality.visual_style', 'plain')") == "plain"
    assert await here.ask("ctx.config.get('bot.nickname.x', 'none')") == "none"
    here.bot_config = {"bot": {"nickname": "Rei"}}
    assert await here.ask("ctx.config.get('bot.nickname')") == "Rei"


async def test_a_key_that_is_not_given_is_a_failure_that_reads_as_no_value(house: MakeHouse) -> None:
    here = await house(*all_of(CONFIG))
    assert await here.ask("ctx.config.get('', 'default')") == "default"


@pytest.mark.parametrize("key", sorted(KEYS))
def test_every_key_that_public_plugins_read_is_there_with_its_type(key: str) -> None:
    value: object = published({})
    for step in key.split("."):
        assert isinstance(value, dict)
        value = value[step]
    assert type(value).__name__ == KEYS[key]


def test_what_the_owner_sets_goes_over_the_defaults_at_every_depth() -> None:
    whole = published({"personality": {"personality": "kind"}, "own": {"a": 1}})
    assert (whole["personality"]["personality"], whole["personality"]["reply_style"]) == ("kind", "")
    assert whole["own"] == {"a": 1}
    assert published({})["personality"]["personality"] == ""


async def test_the_files_of_plugins_are_read(house: MakeHouse) -> None:
    here = await house(*all_of(CONFIG))
    here.write("team.other")
    (here.folder / "team.other" / CONFIG_FILE).write_text('[words]\nmode = "on"\n', encoding="utf-8")
    (here.folder / "team.asker" / CONFIG_FILE).write_text("[own]\na = 1\n", encoding="utf-8")
    await here.plugins.load("team.other")
    assert await here.ask("ctx.config.get_plugin('team.other')") == {"words": {"mode": "on"}}
    assert await here.ask("ctx.config.get_plugin()") == {"own": {"a": 1}}
    assert await here.ask("ctx.config.get_all()") == {"own": {"a": 1}}
    assert (
        await here.ask("ctx.call_capability('config.get_plugin', plugin_name='team.other', key='words.mode')") == "on"
    )


async def test_a_plugin_that_is_not_there_or_whose_file_is_broken_reads_as_empty(house: MakeHouse) -> None:
    here = await house(*all_of(CONFIG))
    (here.folder / "team.asker" / CONFIG_FILE).write_text("[own\n", encoding="utf-8")
    for call in ("get_plugin('no.such')", "get_plugin()", "get_all()"):
        assert await here.ask(f"ctx.config.{call}") == {}
    answer = await here.ask(
        "ctx.call_host_method('cap.call', payload={'capability': 'config.get_plugin', "
        "'args': {'plugin_name': 'no.such', 'default': 5}})"
    )
    assert (answer["success"], answer["value"]) == (False, 5)
    assert "there is no plugin 'no.such'" in answer["error"]
