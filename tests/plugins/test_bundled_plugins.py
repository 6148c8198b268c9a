"""What is true of every bundled plugin."""

import json
import re
from pathlib import Path

import pytest

from host.bot import RecordedMessage, Status, read_recording, sample_chat
from tests.bot.chat import Chat, message_dict
from tests.plugins.bundled import FOLDERS, ODD_SEGMENTS, PLUGINS, start


def test_these_are_all() -> None:
    assert sorted(path.parent.name for path in PLUGINS.glob("*/_manifest.json")) == FOLDERS


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_manifest_is_version_2_and_named_after_the_folder(folder: str) -> None:
    manifest = json.loads((PLUGINS / folder / "_manifest.json").read_text(encoding="utf-8"))
    assert manifest["manifest_version"] == 2
    assert manifest["id"] == f"maibot-host.{folder.replace('_', '-')}"
    assert re.fullmatch(r"\d+\.\d+\.\d+", manifest["version"])
    assert manifest["name"]
    assert manifest["description"]


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_readme_speaks_english_and_chinese(folder: str) -> None:
    readme = (PLUGINS / folder / "README.md").read_text(encoding="utf-8")
    assert re.search(r"[a-z]{3,} [a-z]{3,}", readme)
    assert re.search(r"[\u4e00-\u9fff]{4,}", readme)


@pytest.mark.parametrize("folder", FOLDERS)
def test_it_imports_the_plugin_interface_alone(folder: str) -> None:
    source = (PLUGINS / folder / "plugin.py").read_text(encoding="utf-8")
    assert not re.search(r"^\s*(from|import) (host|webui_api)\b", source, re.MULTILINE)


@pytest.mark.parametrize("folder", FOLDERS)
async def test_it_registers_without_a_warning(folder: str, tmp_path: Path) -> None:
    assert (await start(Chat(), folder, tmp_path)).warnings == ()


@pytest.mark.parametrize("folder", FOLDERS)
async def test_odd_messages_do_it_no_harm(folder: str, tmp_path: Path, logged: list[str]) -> None:
    chat = Chat()
    await start(chat, folder, tmp_path)
    for segments in ([], ODD_SEGMENTS, ODD_SEGMENTS[::-1]):
        message = message_dict(raw_message=segments, is_at=True)
        message["message_info"].pop("additional_config")
        message["message_info"]["user_info"].pop("user_cardname")
        outcome = await chat.bot.receive(message)
        assert (outcome.status, outcome.failures) == (Status.REPLIED, ())
    await chat.hooks.drain()
    assert not [line for line in logged if line.startswith(("WARNING", "ERROR"))]


async def test_the_sample_chat_runs_through_all_of_them(tmp_path: Path) -> None:
    chat = Chat()
    chat.gateway.platform = "sample"
    chat.gateways.add(chat.gateway)
    for folder in FOLDERS:
        await start(chat, folder, tmp_path)
    stopped = []
    with sample_chat().open("rb") as file:
        for line in read_recording(file):
            assert isinstance(line, RecordedMessage)
            outcome = await chat.bot.receive(line.message)
            assert (outcome.failures, outcome.ignored, outcome.reason) == ((), (), None)
            if outcome.stopped:
                stopped.append((outcome.text, outcome.stopped.plugin_id))
    await chat.hooks.drain()
    assert [plugin_id for _, plugin_id in stopped] == ["maibot-host.word-filter"] * 2
    assert all("forbiddenword" in text or "违禁词" in text for text, _ in stopped)
    assert not any(delivery.typing for delivery in chat.gateway.deliveries)
