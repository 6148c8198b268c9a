"""What became of a message, in one line, in English and Chinese."""

from typing import Any

import pytest

from tests.bot.chat import Chat, message_dict


async def line_of(chat: Chat, data: dict[str, Any], locale: str) -> str:
    return (await chat.bot.receive(data)).line(locale)


@pytest.mark.parametrize(
    ("locale", "line"),
    [
        ("en", "replied | Lin: thanks a lot -> You are welcome, Lin."),
        ("zh", "已回复 | Lin：thanks a lot -> You are welcome, Lin."),
    ],
)
async def test_replied(locale: str, line: str) -> None:
    assert await line_of(Chat(), message_dict("thanks\na lot"), locale) == line


@pytest.mark.parametrize(
    ("locale", "line"),
    [
        ("en", "stopped at chat.receive.before_process by handler of test.plugin | Lin: hello"),
        ("zh", "已拦截，chat.receive.before_process 处由 test.plugin 的 handler 中止 | Lin：hello"),
    ],
)
async def test_stopped_names_the_hook_the_plugin_and_the_handler(locale: str, line: str) -> None:
    chat = Chat()
    chat.returning("chat.receive.before_process", {"action": "abort"})
    assert await line_of(chat, message_dict("hello"), locale) == line


@pytest.mark.parametrize(
    ("locale", "line"),
    [
        ("en", "not sent, stopped at send_service.before_send by handler of test.plugin | Lin: hello"),
        ("zh", "未发送，send_service.before_send 处由 test.plugin 的 handler 中止 | Lin：hello"),
    ],
)
async def test_not_sent_names_who_stopped_it(locale: str, line: str) -> None:
    chat = Chat()
    chat.returning("send_service.before_send", {"action": "abort"})
    assert await line_of(chat, message_dict("hello"), locale) == line


@pytest.mark.parametrize(
    ("locale", "begin"), [("en", "not sent, the gateway of 'qq' failed: "), ("zh", "未发送，平台 'qq' 的网关")]
)
async def test_not_sent_says_why_the_gateway_failed(locale: str, begin: str) -> None:
    chat = Chat()
    chat.gateway.error = ConnectionError("line is\ndown")
    line = await line_of(chat, message_dict("hello"), locale)
    assert line.startswith(begin)
    assert "ConnectionError: line is down" in line


@pytest.mark.parametrize(("locale", "begin"), [("en", "invalid | this is no"), ("zh", "无效 | 消息无效")])
async def test_invalid_says_what_is_wrong(locale: str, begin: str) -> None:
    line = await line_of(Chat(), {}, locale)
    assert line.startswith(begin)
    assert "message_info.user_info" not in line
    assert "raw_message" in line


@pytest.mark.parametrize(("locale", "line"), [("en", "no reply | Lin: hello"), ("zh", "不回复 | Lin：hello")])
async def test_no_reply(locale: str, line: str) -> None:
    assert await line_of(Chat(), message_dict("hello", is_notify=True), locale) == line


@pytest.mark.parametrize(
    ("locale", "errors", "ignored"),
    [
        ("en", "(1 handler error(s): a.broken/handler)", "(unusable message ignored after chat.receive.after_process)"),
        ("zh", "（1 个处理器错误：a.broken/handler）", "（已忽略 chat.receive.after_process 返回的不可用消息）"),
    ],
)
async def test_troubles_on_the_way_are_told_at_the_end(locale: str, errors: str, ignored: str) -> None:
    chat = Chat()
    chat.returning("chat.receive.before_process", {"action": "fail"}, plugin="a.broken")
    chat.changing_message("chat.receive.after_process", message_id=" ")
    line = await line_of(chat, message_dict("hello"), locale)
    assert errors in line
    assert line.endswith(ignored)
