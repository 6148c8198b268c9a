"""The console as a platform."""

from host.bot import Bot, ConsoleGateway, Gateways, SessionMessage, session_id
from tests.bot.chat import NOW, Chat, message_dict


def console(written: list[str], locale: str = "en") -> ConsoleGateway:
    return ConsoleGateway(written.append, locale=locale, clock=lambda: NOW)


def test_a_typed_line_is_a_private_message_of_the_local_operator() -> None:
    data = console([]).message("hello")
    message = SessionMessage.from_dict(data)
    assert message.to_dict() == data
    assert (message.platform, message.group_info, message.timestamp) == ("bot_console", None, NOW)
    assert message.user_info.shown_name == "Operator"
    assert message.raw_message == [{"type": "text", "data": "hello"}]


def test_two_typed_lines_are_two_messages_of_one_chat() -> None:
    gateway = console([])
    first, second = (SessionMessage.from_dict(gateway.message("hello")).identified() for _ in range(2))
    assert first.message_id != second.message_id
    assert first.session_id == second.session_id == session_id("bot_console", user_id="operator")


def bot_at(gateway: ConsoleGateway) -> Bot:
    return Bot(Chat().hooks, Gateways(gateway), clock=lambda: NOW)


async def test_what_the_bot_says_is_written_after_a_line_that_it_is_typing() -> None:
    written: list[str] = []
    gateway = console(written)
    await bot_at(gateway).receive(gateway.message("hello"))
    assert written == ["Mai is typing…", "Mai: Hello, Operator!"]


async def test_a_quote_is_told_by_the_id_of_the_message() -> None:
    written: list[str] = []
    gateway = console(written, "zh")
    data = gateway.message("谢谢")
    info = {**data["message_info"], "group_info": {"group_id": "1", "group_name": "茶室"}}
    await bot_at(gateway).receive({**data, "message_info": info, "is_at": True})
    assert written == ["Mai 正在输入…", f"Mai（回复消息 {data['message_id']}）：不客气，操作员。"]


async def test_whoever_types_at_it_may_call_the_commands_of_operators() -> None:
    written: list[str] = []
    gateway = console(written)
    outcome = await bot_at(gateway).receive(gateway.message("/clear"))
    assert outcome.command == "core.clear"
    assert written[-1] == "Mai: All right, I start afresh from here."


async def test_as_a_fallback_it_shows_what_goes_to_other_platforms() -> None:
    written: list[str] = []
    chat = Chat()
    bot = Bot(chat.hooks, Gateways(chat.gateway, fallback=console(written)))
    await bot.receive(message_dict("hello", platform="elsewhere"))
    await bot.receive(message_dict("hello"))
    assert written[-1:] == ["Mai (to message 771): Hello, Lin!"]
    assert len(written) == 2
    assert len(chat.gateway.deliveries) == 1
