"""What the send hooks do to a message on its way out: every key that is read back counts, and an abort keeps it in."""

from dataclasses import replace
from typing import Any

import pytest

from host.bot import SendReport, SessionMessage, Status, Stop
from host.hooks import ChainDepthError
from maibot_sdk.types import HookMode
from tests.bot.chat import Chat, message_dict, parsed, private_dict

BUILT = "send_service.after_build_message"
BEFORE = "send_service.before_send"
AFTER = "send_service.after_send"
CHANGEABLE = [BUILT, BEFORE]


def text(data: str) -> list[dict[str, Any]]:
    return [{"type": "text", "data": data}]


def outbound(said: str = "tea is ready") -> SessionMessage:
    """A message to send."""
    return replace(parsed(said), message_id="send_api_1")


async def send(chat: Chat, message: SessionMessage | None = None, **options: Any) -> SendReport:
    """Send a message to its own chat."""
    message = message or outbound()
    return await chat.bot.sender.send(message, stream_id=message.session_id, **options)


async def test_the_hooks_get_what_is_sent_and_how() -> None:
    chat = Chat()
    built, before, after = (chat.watching(hook, plugin=f"watch.{hook}") for hook in (BUILT, BEFORE, AFTER))
    message = outbound()
    how = {"typing": True, "set_reply": False, "storage_message": True, "show_log": False}
    await send(chat, message, typing=True, show_log=False)
    assert built == [
        {"message": message.to_dict(), "stream_id": message.session_id, "processed_plain_text": "tea is ready", **how}
    ]
    assert before == [{"message": message.to_dict(), "reply_message_id": None, **how}]
    sent = replace(message, message_id="platform_1")
    assert after == [{"message": sent.to_dict(), "reply_message_id": None, "sent": True, **how}]


@pytest.mark.parametrize("hook", CHANGEABLE)
async def test_segments_that_a_hook_changed_are_delivered_logged_kept_and_reported(
    hook: str, logged: list[str]
) -> None:
    chat = Chat()
    chat.changing_message(hook, raw_message=text("coffee"))
    report = await send(chat)
    (delivery,) = chat.gateway.deliveries
    assert delivery.message.raw_message == text("coffee")
    assert [message.text for message in (await chat.store.of(delivery.message.session_id))] == ["coffee"]
    assert report.message.text == "coffee"
    assert any(line.startswith("INFO Sent") and line.endswith("coffee") for line in logged)


@pytest.mark.parametrize("hook", CHANGEABLE)
async def test_a_plain_text_that_a_hook_set_itself_is_kept(hook: str) -> None:
    chat = Chat()
    chat.changing_message(hook, raw_message=text("coffee"), processed_plain_text="a hot drink")
    assert (await send(chat)).message.text == "a hot drink"


@pytest.mark.parametrize("hook", CHANGEABLE)
async def test_a_platform_that_a_hook_changed_is_where_the_message_goes(hook: str) -> None:
    chat = Chat()
    chat.changing_message(hook, platform="elsewhere")
    report = await send(chat)
    assert (report.sent, chat.gateway.deliveries) == (False, [])
    assert report.failure is not None
    assert report.failure.platform == "elsewhere"


@pytest.mark.parametrize("hook", CHANGEABLE)
@pytest.mark.parametrize(
    ("returned", "typing"), [(False, False), (0, False), ("no", False), (True, True), ("yes", True)]
)
async def test_typing_is_read_back(hook: str, returned: object, typing: bool) -> None:
    chat = Chat()
    chat.changing(hook, typing=returned)
    await send(chat, typing=not typing)
    assert chat.gateway.deliveries[0].typing is typing


@pytest.mark.parametrize("hook", CHANGEABLE)
@pytest.mark.parametrize("quotes", [True, False])
async def test_set_reply_is_read_back(hook: str, quotes: bool) -> None:
    chat = Chat()
    chat.changing(hook, set_reply=quotes)
    await send(chat, set_reply=not quotes, reply_message_id="771")
    (delivery,) = chat.gateway.deliveries
    assert delivery.reply_message_id == ("771" if quotes else None)
    assert delivery.message.reply_to == ("771" if quotes else None)
    assert [segment["type"] for segment in delivery.message.raw_message] == (["reply"] if quotes else []) + ["text"]


@pytest.mark.parametrize("hook", CHANGEABLE)
@pytest.mark.parametrize("stored", [True, False])
async def test_storage_message_is_read_back(hook: str, stored: bool) -> None:
    chat = Chat()
    chat.changing(hook, storage_message=stored)
    report = await send(chat, storage_message=not stored)
    assert (await chat.store.of(report.message.session_id)) == ([report.message] if stored else [])


@pytest.mark.parametrize("hook", CHANGEABLE)
@pytest.mark.parametrize("shown", [True, False])
async def test_show_log_is_read_back(hook: str, shown: bool, logged: list[str]) -> None:
    chat = Chat()
    chat.changing(hook, show_log=shown)
    await send(chat, show_log=not shown)
    assert any("tea is ready" in line for line in logged) is shown


@pytest.mark.parametrize(("returned", "quoted"), [("772", "772"), (772, "772"), ("", None), (None, None)])
async def test_reply_message_id_is_read_back_from_before_send(returned: object, quoted: str | None) -> None:
    chat = Chat()
    chat.changing(BEFORE, reply_message_id=returned)
    after = chat.watching(AFTER)
    await send(chat, set_reply=True, reply_message_id="771")
    (delivery,) = chat.gateway.deliveries
    assert (delivery.reply_message_id, delivery.message.reply_to) == (quoted, quoted)
    assert after[0]["reply_message_id"] == quoted
    assert [segment["type"] for segment in delivery.message.raw_message] == (["reply"] if quoted else []) + ["text"]


async def test_a_message_that_quotes_already_gets_no_second_quote() -> None:
    chat = Chat()
    quote = {"type": "reply", "data": "700"}
    message = parsed(raw_message=[quote, *text("hi")])
    await send(chat, message, set_reply=True, reply_message_id="771")
    assert chat.gateway.deliveries[0].message.raw_message == message.raw_message


async def test_the_changes_of_one_hook_reach_the_next() -> None:
    chat = Chat()
    chat.changing(BUILT, typing=True, storage_message=False)
    before = chat.watching(BEFORE, plugin="watch.before")
    after = chat.watching(AFTER, plugin="watch.after")
    await send(chat)
    for payload in (before[0], after[0]):
        assert (payload["typing"], payload["storage_message"], payload["show_log"]) == (True, False, True)


@pytest.mark.parametrize("hook", CHANGEABLE)
async def test_an_abort_keeps_the_message_in(hook: str, logged: list[str]) -> None:
    chat = Chat()
    chat.returning(hook, {"action": "abort"})
    after = chat.watching(AFTER)
    report = await send(chat)
    assert (report.sent, report.stopped) == (False, Stop(hook, "test.plugin", "handler"))
    assert (chat.gateway.deliveries, after, (await chat.store.of(report.message.session_id))) == ([], [], [])
    assert not any(line.startswith("INFO Sent") for line in logged)


async def test_after_build_message_stops_before_before_send() -> None:
    chat = Chat()
    chat.returning(BUILT, {"action": "abort"})
    before = chat.watching(BEFORE)
    await send(chat)
    assert before == []


@pytest.mark.parametrize("hook", CHANGEABLE)
async def test_an_abort_on_the_way_out_is_an_answer_that_was_not_sent(hook: str) -> None:
    chat = Chat()
    chat.returning(hook, {"action": "abort"})
    outcome = await chat.bot.receive(message_dict("hello"))
    assert (outcome.status, outcome.stopped) == (Status.NOT_SENT, Stop(hook, "test.plugin", "handler"))
    assert (outcome.text, outcome.reply_text) == ("hello", "Hello, Lin!")


@pytest.mark.parametrize("hook", CHANGEABLE)
async def test_a_returned_message_that_is_unusable_is_ignored_and_recorded(hook: str) -> None:
    chat = Chat()
    chat.returning(
        hook, {"modified_kwargs": {"message": message_dict(raw_message=[{"type": "at", "data": 5}]), "typing": True}}
    )
    report = await send(chat)
    assert [(each.hook, each.problems[0].path) for each in report.ignored] == [(hook, "raw_message[0].data")]
    (delivery,) = chat.gateway.deliveries
    assert (delivery.message.text, delivery.typing) == ("tea is ready", True)


async def test_a_message_that_came_back_without_its_session_stays_in_its_chat() -> None:
    chat = Chat()
    chat.changing_message(BUILT, session_id="")
    message = outbound()
    assert (await send(chat, message)).message.session_id == message.session_id


async def test_after_send_tells_that_the_gateway_failed(logged: list[str]) -> None:
    chat = Chat()
    chat.gateway.error = KeyError("line is down")  # Any error: gateways are plugins' code.
    after = chat.watching(AFTER)
    report = await send(chat)
    assert (report.sent, report.message_id, after[0]["sent"]) == (False, None, False)
    assert report.failure is not None
    assert "line is down" in report.failure.text()
    assert "line is down" in report.failure.text("zh")
    assert after[0]["message"]["message_id"] == "send_api_1"
    assert (await chat.store.of(report.message.session_id)) == []
    assert any(line.startswith("ERROR The gateway of qq failed") for line in logged)
    assert not any(line.startswith("INFO Sent") for line in logged)


async def test_after_send_tells_that_no_gateway_serves_the_platform() -> None:
    chat = Chat()
    after = chat.watching(AFTER)
    report = await send(chat, replace(outbound(), platform="elsewhere"))
    assert (report.sent, after[0]["sent"]) == (False, False)
    assert report.failure is not None
    assert "'elsewhere/10001'; there are qq" in report.failure.text()


async def test_an_answer_that_the_gateway_refused_was_not_sent() -> None:
    chat = Chat()
    chat.gateway.error = ConnectionError("line is down")
    outcome = await chat.bot.receive(message_dict("hello"))
    assert (outcome.status, outcome.stopped, outcome.reply_text) == (Status.NOT_SENT, None, "Hello, Lin!")
    assert outcome.reason is not None
    assert "line is down" in outcome.reason.text()


async def test_what_after_send_returns_has_no_effect_and_is_recorded() -> None:
    chat = Chat()
    chat.returning(AFTER, {"action": "abort", "modified_kwargs": {"sent": False}})
    report = await send(chat)
    assert (report.sent, report.stopped) == (True, None)
    assert {(each.hook, each.error.kind) for each in report.failures} == {
        (AFTER, "abort_not_allowed"),
        (AFTER, "change_not_allowed"),
    }


async def test_the_platforms_id_replaces_the_bots_own() -> None:
    chat = Chat()
    report = await send(chat)
    assert report.message_id == report.message.message_id == "platform_1"
    assert (await chat.store.of(report.message.session_id))[0].message_id == "platform_1"


async def test_an_answer_names_the_bot_its_target_and_the_older_route() -> None:
    chat = Chat()
    built = chat.watching(BUILT)
    data = message_dict("hello")
    data["message_info"]["additional_config"] = {"platform_io_scope": "main", "other": 1}
    await chat.bot.receive(data)
    message = built[0]["message"]
    assert message["message_id"] == "send_api_1790000000500"
    assert message["message_info"] == {
        "user_info": {"user_id": "10001", "user_nickname": "Mai", "user_cardname": None},
        "group_info": {"group_id": "123456", "group_name": "Tea room"},
        "additional_config": {
            "platform_io_scope": "main",
            "platform_io_target_group_id": "123456",
            "platform_io_target_user_id": "",
        },
    }
    assert (message["account_id"], message["scope"], message["timestamp"]) == ("10001", None, "1790000000.5")


async def test_an_answer_in_private_names_the_partner_and_goes_to_the_partners_chat() -> None:
    chat = Chat()
    built = chat.watching(BUILT)
    outcome = await chat.bot.receive(private_dict("hello"))
    assert built[0]["stream_id"] == built[0]["message"]["session_id"] == outcome.session_id
    config = built[0]["message"]["message_info"]["additional_config"]
    assert config == {"platform_io_target_group_id": "", "platform_io_target_user_id": "555"}


async def test_two_answers_of_one_millisecond_have_two_ids() -> None:
    chat = Chat()
    built = chat.watching(BUILT)
    await chat.bot.receive(message_dict("hello"))
    await chat.bot.receive(message_dict("hello"))
    assert len({payload["message"]["message_id"] for payload in built}) == 2


async def test_an_answer_to_who_named_the_bot_quotes_the_message() -> None:
    chat = Chat()
    await chat.bot.receive(message_dict("hello", is_at=True))
    (delivery,) = chat.gateway.deliveries
    assert (delivery.reply_message_id, delivery.typing) == ("771", True)
    assert delivery.message.raw_message[0]["data"]["target_message_id"] == "771"


async def test_observers_of_the_send_hooks_change_nothing() -> None:
    async def handler(**kwargs: Any) -> dict[str, Any]:
        return {"action": "abort", "modified_kwargs": {"typing": True}}

    chat = Chat()
    for hook in (BUILT, BEFORE, AFTER):
        chat.on(hook, handler, plugin=f"observe.{hook}", mode=HookMode.OBSERVE)
    report = await send(chat)
    await chat.hooks.drain()
    assert (report.sent, report.failures, chat.gateway.deliveries[0].typing) == (True, (), False)


async def test_a_send_hook_may_send_and_so_fire_itself() -> None:
    async def handler(message: dict[str, Any], **kwargs: Any) -> None:
        if message["processed_plain_text"] == "first":
            await send(chat, outbound("second"))

    chat = Chat()
    chat.on(BEFORE, handler)
    await send(chat, outbound("first"))
    assert chat.gateway.texts() == ["second", "first"]


async def test_a_send_hook_that_sends_without_end_is_stopped() -> None:
    async def handler(**kwargs: Any) -> None:
        try:
            await send(chat)
        except ChainDepthError as error:
            refused.append(error)

    refused: list[ChainDepthError] = []
    chat = Chat()
    chat.on(BEFORE, handler)
    assert (await send(chat)).sent
    assert refused
    assert set(refused[0].path[:-1]) == {BEFORE}
