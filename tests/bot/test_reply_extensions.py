"""Extensions of the reply tool, with real plugins and endpoints: offered, asked for, run, and how they fail."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from host.bot import Status, session_id
from host.runtime.components import Components
from tests.bot.chat import message_dict
from tests.bot.components import components_of
from tests.bot.talk import calls, talk

TEA_ROOM = session_id("qq", account_id="10001", group_id="123456")

MOODS = """
    import json
    from maibot_sdk import MaiBotPlugin, ReplyExtension

    def text(data):
        return {"segments": [{"type": "text", "data": data}], "quote_previous": False}

    class Moods(MaiBotPlugin):
        async def on_load(self): ...

        @ReplyExtension("mood", description="In a mood.", parameters={
            "name": {"type": "string", "required": True}, "strength": {"type": "integer", "default": 3}})
        async def mood(self, phase, parameters, **kwargs):
            if phase == "prepare":
                return {"extra_prompt": f"Be {parameters['name']} by {parameters['strength']}."}
            return {"messages": [*kwargs["messages"], text(json.dumps({"phase": phase, **kwargs}, sort_keys=True))]}

        @ReplyExtension("second", priority=1, parameters={
            "returns": {"type": "object", "default": {}}, "in": {"type": "string", "default": "before_send"}})
        async def second(self, phase, parameters, messages, **kwargs):
            if parameters["returns"].get("raise"):
                raise LookupError("no mood")
            if parameters["returns"].get("hang"):
                import asyncio
                await asyncio.Event().wait()
            if phase == parameters["in"]:
                return parameters["returns"]
            return {}

        @ReplyExtension("slow", timeout_ms=20)
        async def slow(self, **kwargs):
            import asyncio
            await asyncio.Event().wait()

        @ReplyExtension("alone", chat_scope="private")
        async def alone(self, **kwargs):
            return {}

        @ReplyExtension("elsewhere", platforms="telegram")
        async def elsewhere(self, **kwargs):
            return {}

        @ReplyExtension("broken", parameters={"n": {"type": "integer", "default": "three"}})
        async def broken(self, **kwargs):
            return {}

        @ReplyExtension("refers", parameters={"n": {"$ref": "https://example.com/n"}})
        async def refers(self, **kwargs):
            return {}

    create_plugin = Moods
"""


@pytest.fixture
async def moods(tmp_path: Path) -> AsyncIterator[Components]:
    async with components_of(tmp_path, moods=MOODS) as components:
        yield components


def asking(**options: Any) -> Any:
    """A plan that replies with these options of `team.moods`, and then gives up."""
    return [calls("reply", msg_id="771", plugin_options={f"team.moods.{name}": each for name, each in options.items()})]


async def test_extensions_that_fit_the_chat_are_offered_with_their_schemas(
    moods: Components, logged: list[str]
) -> None:
    async with talk(components=moods) as here:
        await here.said()
        (reply, *_) = here.planner.asked[0].json["tools"]
    offered = reply["function"]["parameters"]["properties"]["plugin_options"]["properties"]
    assert {*offered} == {"team.moods.mood", "team.moods.second", "team.moods.slow"}
    assert offered["team.moods.mood"]["description"] == "In a mood."
    assert offered["team.moods.mood"]["required"] == ["name"]
    warned = [line for line in logged if line.startswith("WARNING") and "is not offered" in line]
    assert ["broken" in line or "refers" in line for line in warned] == [True, True]


async def test_without_extensions_the_reply_tool_has_no_options() -> None:
    async with talk() as here:
        await here.said()
        (reply, *_) = here.planner.asked[0].json["tools"]
        assert "plugin_options" not in reply["function"]["parameters"]["properties"]


async def test_an_extension_is_prepared_told_to_the_model_and_has_the_last_word(moods: Components) -> None:
    plan = [calls("reply", msg_id="771", set_quote=True, plugin_options={"team.moods.mood": {"name": "merry"}})]
    async with talk(components=moods, plan=plan) as here:
        seen = here.chat.watching("maisaka.replyer.before_request")
        plenty, added = await here.said()
        assert "Be merry by 3." in here.asked()
        assert [each.reply_message_id for each in here.chat.gateway.deliveries] == ["771", None]
        assert len(here.pauses) == 1
    assert plenty.endswith("Plenty.")
    assert seen[0]["reply_tool_args"] == {"plugin_options": {"team.moods.mood": {"name": "merry"}}}
    told = json.loads(added)
    assert len(told.pop("reply_id")) == 32
    assert told == {
        "phase": "before_send",
        "call_id": "c1",
        "session_id": TEA_ROOM,
        "reply_message_id": "771",
        "chat": {
            "session_id": TEA_ROOM,
            "stream_id": TEA_ROOM,
            "is_group_chat": True,
            "group_id": "123456",
            "user_id": None,
            "platform": "qq",
        },
        "text": "Plenty.",
        "messages": [{"segments": [{"type": "text", "data": "Plenty."}], "quote_previous": True}],
    }


async def test_extensions_run_in_order_of_priority_and_each_sees_what_the_one_before_it_made(moods: Components) -> None:
    only = {"messages": [{"segments": [{"type": "text", "data": "Only this."}], "quote_previous": True}]}
    plan = asking(second={"returns": only}, mood={"name": "merry"})
    async with talk(components=moods, plan=plan) as here:
        assert [text[-10:] for text in await here.said()] == ["Only this."]
        assert here.chat.gateway.deliveries[0].reply_message_id == "771"


async def test_an_extra_prompt_of_a_hook_stands_beside_that_of_an_extension(moods: Components) -> None:
    async with talk(components=moods, plan=asking(mood={"name": "merry"})) as here:
        here.chat.changing("maisaka.replyer.before_request", extra_prompt="Rhyme.")
        await here.said()
        assert "Be merry by 3." in here.asked()
        assert "Rhyme." in here.asked()


TEXT = {"type": "text", "data": "hi"}


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"mood": {"name": 5}}, "$.name"),
        ({"mood": {}}, "'name' is a required property"),
        ({"mood": {"name": "merry", "colour": "red"}}, "colour"),
        ({"mood": "merry"}, "is not of type 'object'"),
        ({"alone": {}}, "there is no reply extension 'team.moods.alone'"),
        ({"broken": {}}, "there is no reply extension 'team.moods.broken'"),
        ({"slow": {}}, "it ran longer than 0.02 s"),
        ({"second": {"returns": {"raise": True}}}, "no mood"),
        ({"second": {"in": "prepare", "returns": {"messages": []}}}, "returned messages in the phase prepare"),
        ({"second": {"in": "prepare", "returns": {"extra_prompt": 5}}}, "returned 5 in the phase prepare"),
        ({"second": {"returns": {"text": "hi"}}}, "returned text in the phase before_send"),
        ({"second": {"returns": {"messages": []}}}, "messages is"),
        ({"second": {"returns": {"messages": [{"segments": [TEXT]}]}}}, "messages[0] is"),
        ({"second": {"returns": {"messages": [{"segments": [], "quote_previous": False}]}}}, "messages[0].segments"),
        (
            {"second": {"returns": {"messages": [{"segments": [TEXT, {"type": "dance"}], "quote_previous": False}]}}},
            "messages[0].segments[1]",
        ),
    ],
)
async def test_a_failing_extension_fails_the_reply_and_nothing_is_sent(
    moods: Components, options: dict[str, Any], why: str
) -> None:
    async with talk(components=moods, plan=[*asking(**options), calls("no_reply", "c2")]) as here:
        outcome = await here.chat.bot.receive(message_dict("Tea?"))
        (failed,) = [each["content"] for each in here.planner.asked[1].json["messages"] if each["role"] == "tool"]
    assert (outcome.status, here.chat.gateway.deliveries) == (Status.NO_REPLY, [])
    assert why in failed
    assert outcome.reason is not None
    assert why in outcome.reason.text("zh")


async def test_all_parameters_are_checked_before_any_extension_is_called(moods: Components) -> None:
    plan = [*asking(second={"returns": {"raise": True}}, mood={"name": 5}), calls("no_reply", "c2")]
    async with talk(components=moods, plan=plan) as here:
        outcome = await here.chat.bot.receive(message_dict("Tea?"))
    assert outcome.reason is not None
    assert "$.name" in outcome.reason.text()


@pytest.mark.parametrize(
    "segment",
    [
        {"type": "image", "data": "", "hash": "ab"},
        {"type": "emoji", "data": "tea", "binary_data_base64": "aGk="},
        {"type": "voice", "data": "", "binary_data_base64": "aGk="},
        {"type": "at", "data": {"target_user_id": "555"}},
        {"type": "reply", "data": {"target_message_id": "771"}},
        {"type": "file", "data": {"name": "tea.txt"}},
        {"type": "dict", "data": {"card": 1}},
        {"type": "forward", "data": [{"user_nickname": "Lin", "message_id": "1", "content": [TEXT]}]},
    ],
)
async def test_every_kind_of_segment_may_be_said(moods: Components, segment: dict[str, Any]) -> None:
    returns = {"messages": [{"segments": [segment], "quote_previous": False}]}
    async with talk(components=moods, plan=asking(second={"returns": returns})) as here:
        await here.said()
        (delivery,) = here.chat.gateway.deliveries
        assert [each["type"] for each in delivery.message.raw_message] == [segment["type"]]


@pytest.mark.parametrize(
    "segment",
    [
        {"type": "text", "data": ""},
        {"type": "image", "data": ""},
        {"type": "emoji", "data": "", "binary_data_base64": "no base64"},
        {"type": "voice", "data": "", "hash": "ab"},
        {"type": "at", "data": {}},
        {"type": "reply", "data": "771"},
        {"type": "file", "data": {}},
        {"type": "forward", "data": [{"user_nickname": "Lin", "message_id": "1", "content": []}]},
    ],
)
async def test_segments_that_say_nothing_are_refused(moods: Components, segment: dict[str, Any]) -> None:
    returns = {"messages": [{"segments": [segment], "quote_previous": False}]}
    plan = [*asking(second={"returns": returns}), calls("no_reply", "c2")]
    async with talk(components=moods, plan=plan) as here:
        assert await here.said() == []


async def test_an_extension_that_is_switched_off_between_its_phases_fails_the_reply(moods: Components) -> None:
    async with talk(components=moods, plan=[*asking(mood={"name": "merry"}), calls("no_reply", "c2")]) as here:

        async def switch_off(**kwargs: Any) -> None:
            (mood,) = (each for each in moods.of_type("REPLY_EXTENSION") if each.name == "mood")
            moods.switch(mood, on=False)

        here.chat.on("maisaka.replyer.after_response", switch_off)
        outcome = await here.chat.bot.receive(message_dict("Tea?"))
    assert (outcome.status, here.chat.gateway.deliveries) == (Status.NO_REPLY, [])
    assert outcome.reason is not None
    assert "switched off" in outcome.reason.text()
