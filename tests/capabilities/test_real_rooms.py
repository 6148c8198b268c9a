"""The rooms that stand-ins stand for fit in: chats and messages in a database file, and the built-in offline model."""

from collections.abc import Callable
from pathlib import Path

from host.bot import GroupInfo, SessionMessage, UserInfo
from host.bot.identity import session_id
from host.bot.stored_messages import StoredMessages, message_of
from host.capabilities import ChatFamily, ChatTarget, LLMFamily, MessageFamily, Readable, model_request
from host.capabilities.chat import CHAT
from host.capabilities.llm import LLM
from host.capabilities.message import MESSAGE
from host.models import ModelError, Models, ModelSettings
from host.offered import PluginModels
from host.storage import ChatSession, Storage
from tests.capabilities.house import NOW, House, all_of

CHAT_ID = session_id("qq", group_id="123456", account_id="10001")


async def test_chats_and_messages_of_a_database(bare_house: Callable[[], House], tmp_path: Path) -> None:
    here = bare_house()
    async with Storage.open(tmp_path / "maibot.db") as storage:

        async def opening(target: ChatTarget) -> tuple[ChatSession, bool]:
            name = session_id(target.platform, group_id=target.group_id, user_id=target.user_id)
            chat = ChatSession(session_id=name, platform=target.platform, user_id=target.user_id, created_timestamp=NOW)
            return await storage.sessions.open(chat)

        readable = Readable(lambda: "10001", lambda: NOW)
        here.capabilities.add(
            ChatFamily(storage.sessions, opening),
            MessageFamily(storage.messages, lambda row: message_of(row).to_dict(), readable, lambda: NOW),
        )
        await here.load("team.asker", *all_of(CHAT), *all_of(MESSAGE))
        await StoredMessages(storage.messages, "10001").add(_hello())
        assert (await here.ask("ctx.chat.get_stream_by_group_id('123456')"))["group_name"] == "Tea room"
        assert [each["session_id"] for each in await here.ask("ctx.chat.get_all_streams()")] == [CHAT_ID]
        assert (await here.ask("ctx.chat.open_session(user_id='555')"))["created"] is True
        assert (await here.ask("ctx.chat.open_session(user_id='555')"))["created"] is False
        [message] = await here.ask(f"ctx.message.get_recent('{CHAT_ID}')")
        assert message == await here.ask("ctx.message.get_by_id('771')")
        assert message == {**_hello().to_dict(), "raw_message": [{"type": "text", "data": "hi"}]}
        assert await here.ask(f"ctx.message.count_new('{CHAT_ID}', {NOW - 61})") == 1
        written = f"ctx.message.build_readable(None, chat_id='{CHAT_ID}', end_time={NOW})"
        assert await here.ask(written) == "[1 min ago] Lin: hi"


async def test_models_without_any_account(bare_house: Callable[[], House]) -> None:
    here = bare_house()
    models = Models(ModelSettings())
    here.capabilities.add(LLMFamily(PluginModels(models), model_request, ModelError))
    await here.load("team.asker", *all_of(LLM))
    answer = await here.ask("ctx.llm.generate('hello', task_name='replyer')")
    assert answer["success"] is True
    assert answer["response"]
    assert len((await here.ask("ctx.llm.embed('tea')"))["embedding"]) > 1
    assert await here.ask("ctx.llm.get_available_models()") == sorted(models.tasks)
    for call in ("generate([{'role': 'nobody'}])", "generate('hello', model_name='no-such')"):
        failed = await here.ask(f"ctx.llm.{call}")
        assert (failed["success"], failed["model_name"], failed["response"]) == (False, "", failed["error"])
        assert " / " in failed["error"]
    await models.aclose()


def _hello() -> SessionMessage:
    return SessionMessage(
        message_id="771",
        timestamp=NOW - 60,
        platform="qq",
        user_info=UserInfo("555", "Lin"),
        group_info=GroupInfo("123456", "Tea room"),
        raw_message=[{"type": "text", "data": "hi"}],
        session_id=CHAT_ID,
        processed_plain_text="hi",
        account_id="10001",
    )
