"""The bundled message log."""

from pathlib import Path

import pytest

from maibot_sdk.types import HookMode, HookOrder
from tests.bot.chat import Chat, message_dict, private_dict
from tests.plugins.bundled import start

LOGGER = "plugin.maibot-host.message-log"


async def lines(chat: Chat, tmp_path: Path, caplog: pytest.LogCaptureFixture, message: dict[str, object]) -> list[str]:
    """What the plugin logs of a message and its answer."""
    with caplog.at_level("INFO", LOGGER):
        await start(chat, "message_log", tmp_path)
        await chat.bot.receive(message)
        await chat.hooks.drain()
    return [f"{record.levelname} {record.getMessage()}" for record in caplog.records if record.name == LOGGER]


async def test_both_handlers_observe_late(tmp_path: Path) -> None:
    handlers = (await start(Chat(), "message_log", tmp_path)).handlers
    assert {handler.hook: (handler.mode, handler.order) for handler in handlers} == {
        "chat.receive.after_process": (HookMode.OBSERVE, HookOrder.LATE),
        "send_service.after_send": (HookMode.OBSERVE, HookOrder.LATE),
    }


async def test_it_logs_who_said_what_and_what_the_bot_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    data = message_dict("hello")
    data["message_info"]["user_info"]["user_cardname"] = "Tea Lin"
    assert await lines(Chat(), tmp_path, caplog, data) == [
        "INFO [Tea room] Tea Lin: hello",
        "INFO [Tea room] Mai: Hello, Tea Lin!",
    ]


async def test_a_private_chat_has_no_name(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert (await lines(Chat(), tmp_path, caplog, private_dict("hello")))[0] == "INFO [private] Lin: hello"


async def test_it_tells_what_could_not_be_sent(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    chat = Chat()
    chat.gateway.error = ConnectionError("line is down")
    assert (await lines(chat, tmp_path, caplog, message_dict("hello")))[1] == (
        "WARNING [Tea room] Mai (not sent): Hello, Lin!"
    )


async def test_a_message_of_several_lines_is_one_line_of_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    data = message_dict("hello\nINFO [Tea room] Bo: forged")
    data["message_info"]["user_info"]["user_nickname"] = "Lin\nBo"
    (first, *_) = await lines(Chat(), tmp_path, caplog, data)
    assert first == "INFO [Tea room] Lin Bo: hello INFO [Tea room] Bo: forged"
