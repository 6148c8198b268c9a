"""``ctx.send``: every method, through the real send chain to a gateway."""

from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from typing import Any

from host.capabilities.send import SEND
from tests.bot.chat import parsed
from tests.capabilities.house import MakeHouse, all_of

PICTURE = b64encode(b"a picture").decode()
MEDIA = {"data": "", "hash": sha256(b"a picture").hexdigest(), "binary_data_base64": PICTURE}


METHODS: list[tuple[str, list[dict[str, Any]]]] = [
    ("text('hi', 'g1')", [{"type": "text", "data": "hi"}]),
    (f"image('{PICTURE}', 'g1')", [{"type": "image", **MEDIA}]),
    (f"emoji('data:image/png;base64,{PICTURE}', 'g1')", [{"type": "emoji", **MEDIA}]),
    ("command({'name': 'poke'}, 'g1')", [{"type": "dict", "data": {"type": "command", "data": "{'name': 'poke'}"}}]),
    ("custom('Music', {'id': 7}, 'g1')", [{"type": "dict", "data": {"type": "music", "data": {"id": 7}}}]),
    ("custom('text', 'hi', 'g1')", [{"type": "text", "data": "hi"}]),
    (f"custom('voice', '{PICTURE}', 'g1')", [{"type": "voice", **MEDIA}]),
    ("custom('file', {'name': 'a.txt'}, 'g1')", [{"type": "file", "data": {"name": "a.txt"}}]),
    (
        "custom('at', 555, 'g1')",
        [
            {
                "type": "at",
                "data": {"target_user_id": "555", "target_user_nickname": None, "target_user_cardname": None},
            }
        ],
    ),
    (
        f"hybrid([{{'type': 'text', 'content': 'see'}}, 'dropped', {{'type': 'image', 'content': '{PICTURE}'}}], 'g1')",
        [{"type": "text", "data": "see"}, {"type": "image", **MEDIA}],
    ),
    (
        "forward([{'user_id': 5, 'nickname': 'Lin', 'segments': [{'type': 'text', 'data': 'tea?'}]}, "
        "{'nickname': 'Nobody'}, {'content': [{'type': 'text', 'data': 'yes'}]}], 'g1')",
        [
            {
                "type": "forward",
                "data": [
                    {
                        "user_id": "5",
                        "user_nickname": "Lin",
                        "user_cardname": None,
                        "message_id": "plugin_forward_0",
                        "content": [{"type": "text", "data": "tea?"}],
                    },
                    {
                        "user_id": None,
                        "user_nickname": "Somebody",
                        "user_cardname": None,
                        "message_id": "plugin_forward_2",
                        "content": [{"type": "text", "data": "yes"}],
                    },
                ],
            }
        ],
    ),
]


async def test_each_method_sends_its_segments(house: MakeHouse) -> None:
    here = await house(*all_of(SEND))
    for call, segments in METHODS:
        here.gateway.delivered.clear()
        assert await here.ask(f"ctx.send.{call}") is True
        ((message, _, _),) = here.gateway.delivered
        assert message.raw_message == segments
        assert (message.session_id, message.platform, message.account_id) == ("g1", "qq", "10001")
        assert message.additional_config["platform_io_target_group_id"] == "123456"


async def test_a_private_chat_is_told_by_its_partner(house: MakeHouse) -> None:
    here = await house("send.text")
    assert await here.ask("ctx.send.text('hi', 'p1')") is True
    ((message, _, _),) = here.gateway.delivered
    assert message.group_info is None
    assert message.additional_config["platform_io_target_user_id"] == "555"


async def test_keys_of_an_older_gateway_go_along_from_the_latest_message_of_the_chat(house: MakeHouse) -> None:
    here = await house("send.text")
    heard = parsed("hello")
    older = {"self_id": "10001", "connection_id": "main", "other": "x"}
    await here.store.add(replace(heard, session_id="g1", additional_config=older))
    for _ in range(2):
        assert await here.ask("ctx.send.text('hi', 'g1')") is True
    # The bot's own message is the latest, the second time.
    for message, _, _ in here.gateway.delivered:
        target = {"platform_io_target_group_id": "123456", "platform_io_target_user_id": ""}
        assert message.additional_config == {"self_id": "10001", "connection_id": "main", **target}


async def test_the_keywords_that_plugins_use_have_their_effect(house: MakeHouse) -> None:
    here = await house(*all_of(SEND))
    assert await here.ask(
        "ctx.send.text('hi', 'g1', return_details=True, typing=True, set_reply=True, reply_message_id='77', "
        "storage_message=False, sync_to_maisaka_history=True, maisaka_source_kind='x', timeout_ms=5000)"
    ) == {"sent": True, "message_id": "platform-1"}
    ((message, typing, quoted),) = here.gateway.delivered
    assert (typing, quoted, message.reply_to, await here.store.of("g1")) == (True, "77", "77", [])
    assert await here.ask("ctx.send.custom('card', {}, 'g1', display_message='[a card]')") is True
    assert await here.ask("ctx.send.hybrid([{'type': 'text', 'data': 'x'}], 'g1', processed_plain_text='[y]')") is True
    assert [each.text for each in await here.store.of("g1")] == ["[a card]", "[y]"]


UNSENDABLE: list[tuple[str, dict[str, Any]]] = [
    ("text", {"text": "hi", "stream_id": "nowhere"}),
    ("text", {"text": "", "stream_id": "g1"}),
    ("text", {"text": "hi", "stream_id": "g1", "set_reply": True}),
    ("text", {"text": "hi", "stream_id": "t1"}),
    ("image", {"image_base64": "no base64!", "stream_id": "g1"}),
    ("hybrid", {"segments": ["x"], "stream_id": "g1"}),
    ("hybrid", {"segments": [{"type": "at", "data": {}}], "stream_id": "g1"}),
    ("forward", {"messages": [{"nickname": "x"}], "stream_id": "g1"}),
    ("custom", {"message_type": "file", "content": "x", "stream_id": "g1"}),
]


async def test_what_cannot_be_sent_is_told(house: MakeHouse) -> None:
    here = await house(*all_of(SEND))
    for call, why in UNSENDABLE:
        answer = await here.ask(
            f"ctx.call_host_method('cap.call', payload={{'capability': 'send.{call}', 'args': {why}}})"
        )
        assert answer["success"] is False
        assert " / " in answer["error"]
        assert here.gateway.delivered == []
        assert await here.ask(f"ctx.call_capability('send.{call}', return_details=True, **{why})") == {
            "sent": False,
            "message_id": None,
        }


async def test_a_gateway_that_fails_is_told(house: MakeHouse) -> None:
    here = await house("send.text")
    here.gateway.working = False
    assert await here.ask("ctx.send.text('hi', 'g1')") is False


ABORTS = """
        @HookHandler("send_service.before_send")
        async def stop(self, message, **kwargs):
            return {"action": "abort"}
"""


async def test_a_send_hook_that_aborts_makes_it_not_sent(house: MakeHouse) -> None:
    here = await house("send.text", more=ABORTS)
    assert await here.ask("ctx.send.text('hi', 'g1', return_details=True)") == {"sent": False, "message_id": None}
    assert here.gateway.delivered == []


SENDS_AGAIN = """
        @HookHandler("send_service.after_send", error_policy="log")
        async def again(self, message, sent, **kwargs):
            await self.ctx.send.text("again", "g1")
"""


async def test_a_plugin_that_sends_inside_a_send_hook_does_not_loop_for_ever(house: MakeHouse) -> None:
    here = await house("send.text", more=SENDS_AGAIN)
    assert await here.ask("ctx.send.text('hi', 'g1')") is True
    texts = [message.text for message, _, _ in here.gateway.delivered]
    assert texts == ["hi", *["again"] * (len(texts) - 1)]
    assert 2 < len(texts) <= 17


THROUGH_AN_API = """
        @HookHandler("send_service.after_send", error_policy="log")
        async def again(self, message, sent, **kwargs):
            await self.ctx.api.call("say", words="again")

        @API("say", public=True)
        async def say(self, words, **kwargs):
            return await self.ctx.send.text(words, "g1")
"""


async def test_nor_does_one_that_goes_round_by_an_api(house: MakeHouse) -> None:
    here = await house("send.text", "api.call", more=THROUGH_AN_API)
    assert await here.ask("ctx.send.text('hi', 'g1')") is True
    assert 2 < len(here.gateway.delivered) <= 17
