"""What the planner does, with real endpoints and plugins: its hooks, its tools, and the bound on its rounds."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from host.bot import Status, session_id
from host.bot.builtin_tools import definition
from host.catalogue.context_items import items_of_messages
from host.runtime.components import Components
from tests.bot.chat import message_dict
from tests.bot.components import components_of
from tests.bot.talk import REPLY, Talk, calls, talk
from tests.models.endpoint import completion, says, told, wire_call

pytestmark = pytest.mark.filterwarnings("ignore:@Action is deprecated")

REQUEST = "maisaka.planner.before_request"
RESPONSE = "maisaka.planner.after_response"
TEA_ROOM = session_id("qq", account_id="10001", group_id="123456")
POUR = definition("pour", "Pours.", {"type": "object", "properties": {}})

TEA = """
    import json
    from maibot_sdk import Action, MaiBotPlugin, Tool

    class Tea(MaiBotPlugin):
        async def on_load(self): ...

        @Tool("stock", description="Tells how much tea there is.", visibility="visible")
        async def stock(self, **kwargs):
            return {"content": json.dumps(kwargs, sort_keys=True)}

        @Tool("order", description="Orders leaves.")
        async def order(self, **kwargs):
            raise LookupError("the shop is closed")

        @Tool("close", description="Closes the room.", visibility="visible")
        async def close(self, **kwargs):
            return {"content": "closed", "stop_after_execution": True}

        @Tool("stare", description="Never ends.", visibility="visible", timeout_ms=20)
        async def stare(self, **kwargs):
            import asyncio
            await asyncio.Event().wait()

        @Tool("look", description="Looks into the pot.", visibility="visible")
        async def look(self, **kwargs):
            picture = {"type": "image", "name": "pot.png", "data": "iVBORw0KGgoAAAA="}
            return {"content": "dark", "content_items": [picture, {"type": "audio", "name": "pot.mp3"}]}

        @Action("wave", description="Waves.", action_parameters={"how": "in which way"}, visibility="visible")
        async def wave(self, **kwargs):
            return True, json.dumps(kwargs, sort_keys=True)

    create_plugin = Tea
"""


@pytest.fixture
async def tools(tmp_path: Path) -> AsyncIterator[Components]:
    async with components_of(tmp_path, tea=TEA) as components:
        yield components


def outputs(here: Talk) -> list[str]:
    """What the planner was told of its calls, as the last request has it."""
    messages = here.planner.asked[-1].json["messages"]
    return [message["content"] for message in messages if message["role"] == "tool"]


async def test_the_planner_is_told_the_chat_and_offered_the_tools_and_its_call_is_run() -> None:
    async with talk() as here:
        outcome = await here.chat.bot.receive(message_dict("Is there tea?"))
        assert (outcome.status, outcome.reply_text, outcome.failures) == (Status.REPLIED, "Plenty.", ())
        assert "Lin (user 555, msg_id 771) to you: Is there tea?" in here.planned()
        assert here.tools() == ["reply", "wait", "no_reply"]
        assert len(here.planner.asked) == 1


async def test_both_hooks_get_what_the_model_is_asked_and_answers() -> None:
    async with talk(plan=[REPLY]) as here:
        before, after = here.chat.watching(REQUEST), here.chat.watching(RESPONSE, plugin="test.watcher.after")
        await here.said()
    selection = {
        "session_id": TEA_ROOM,
        "selected_history_count": 1,
        "built_message_count": 2,
        "selection_reason": "the latest 1 of 1 message(s)",
    }
    assert before[0].items() >= selection.items()
    assert [tool["function"]["name"] for tool in before[0]["tool_definitions"]] == ["reply", "wait", "no_reply"]
    assert [message["role"] for message in before[0]["messages"]] == ["system", "user"]
    assert [item["item_type"] for item in before[0]["items"]] == ["SystemMessageItem", "UserMessageItem"]
    function = {"name": "reply", "arguments": {"msg_id": "771", "set_quote": True}}
    assert after[0].items() >= {**selection, "response": "", "total_tokens": 129, "prompt_tokens": 120}.items()
    assert after[0]["tool_calls"] == [{"id": "c1", "function": function}]
    assert [item["item_type"] for item in after[0]["output_items"]] == ["FunctionCallItem"]


@pytest.mark.parametrize("form", ["messages", "items"])
async def test_a_changed_context_is_what_the_model_is_asked_and_nothing_is_kept_of_it(form: str) -> None:
    async with talk() as here:
        messages = [{"role": "user", "content": "Only this."}]
        forms: dict[str, Any] = {
            "messages": messages,
            "items": [item.to_dict() for item in items_of_messages(messages)],
        }
        here.chat.changing(REQUEST, **{form: forms[form]})
        await here.said()
        assert here.planner.asked[0].json["messages"] == messages
        assert "Is there tea?" in here.asked()


@pytest.mark.parametrize(
    ("definitions", "offered"), [([POUR, "nonsense"], ["pour"]), ([], []), ([{"function": {}}, POUR], ["pour"])]
)
async def test_changed_definitions_are_the_tools_that_the_model_has(definitions: list[Any], offered: list[str]) -> None:
    async with talk() as here:
        here.chat.changing(REQUEST, tool_definitions=definitions)
        assert await here.said() == []
        assert here.tools(0) == offered
        # The model called what it was not offered any more.
        assert len(here.planner.asked) == 6
        assert outputs(here)[0] == "There is no tool reply."


async def test_a_parameter_that_a_hook_gives_the_reply_tool_routes_the_model() -> None:
    async with talk(plan=[calls("reply", msg_id="771", hard=True)]) as here:

        async def add_parameter(tool_definitions: list[dict[str, Any]], **kwargs: Any) -> dict[str, Any]:
            reply = next(each for each in tool_definitions if each["function"]["name"] == "reply")
            reply["function"]["parameters"]["properties"]["hard"] = {"type": "boolean"}
            return {"modified_kwargs": {"tool_definitions": tool_definitions}}

        async def route(reply_tool_args: dict[str, Any], **kwargs: Any) -> dict[str, Any] | None:
            return {"modified_kwargs": {"task_name": "utility"}} if reply_tool_args.get("hard") else None

        here.chat.on(REQUEST, add_parameter)
        here.chat.on("maisaka.replyer.before_request", route, plugin="test.router")
        assert await here.said() == ["Plenty."]
        (reply, *_) = here.planner.asked[0].json["tools"]
        assert reply["function"]["parameters"]["properties"]["hard"] == {"type": "boolean"}
        assert here.endpoint.asked[0].json["model"] == "other-model"


@pytest.mark.parametrize("form", ["tool_calls", "output_items"])
async def test_calls_that_after_response_changed_are_the_ones_that_run(form: str) -> None:
    async with talk(plan=[calls("no_reply")]) as here:

        async def handler(**kwargs: Any) -> dict[str, Any]:
            if form == "tool_calls":
                call = {"id": "c1", "function": {"name": "reply", "arguments": {"msg_id": "771"}}}
                return {"modified_kwargs": {form: [call]}}
            (item,) = kwargs[form]
            item["tool_call"] |= {"func_name": "reply", "args": {"msg_id": "771"}}
            return {"modified_kwargs": {form: [item]}}

        here.chat.on(RESPONSE, handler)
        assert await here.said() == ["Plenty."]


async def test_a_response_that_after_response_changed_is_why_the_bot_replies() -> None:
    async with talk() as here:
        here.chat.changing(RESPONSE, response="They are thirsty.")
        later = here.chat.watching("maisaka.replyer.before_request")
        await here.said()
        assert later[0]["reply_reason"] == "They are thirsty."
        assert "They are thirsty." in here.asked()


async def test_tokens_that_after_response_changed_are_those_of_the_log(logged: list[str]) -> None:
    async with talk() as here:
        here.chat.changing(RESPONSE, prompt_tokens=1, completion_tokens=2, total_tokens=3)
        await here.said()
    assert "DEBUG planner: 1 + 2 = 3 tokens" in logged


@pytest.mark.parametrize("hook", [REQUEST, RESPONSE])
async def test_an_abort_is_not_allowed_and_recorded(hook: str) -> None:
    async with talk() as here:
        here.chat.returning(hook, {"action": "abort"})
        outcome = await here.chat.bot.receive(message_dict())
        assert (outcome.status, [failure.hook for failure in outcome.failures]) == (Status.REPLIED, [hook])


async def test_what_a_tool_found_out_is_told_in_the_next_round(tools: Components) -> None:
    async with talk(plan=[calls("stock", leaf="green"), REPLY], components=tools) as here:
        assert await here.said() == ["Plenty."]
        assert here.tools(0) == ["reply", "wait", "no_reply", "tool_search", "close", "look", "stare", "stock", "wave"]
        (output,) = outputs(here)
    chat = {"stream_id": TEA_ROOM, "chat_id": TEA_ROOM, "platform": "qq", "group_id": "123456"}
    assert json.loads(output) == {"leaf": "green", **chat}


@pytest.mark.parametrize("sees", [True, False])
async def test_pictures_that_a_tool_found_are_shown_in_the_next_round_where_the_model_sees(
    tools: Components, sees: bool
) -> None:
    both = [wire_call("c1", "look", "{}"), wire_call("c2", "stock", "{}")]
    plan = [told(completion(None, "tool_calls", tool_calls=both)), REPLY]
    async with talk(plan=plan, components=tools, can=("tools", "vision") if sees else ("tools",)) as here:
        assert await here.said() == ["Plenty."]
        messages = here.planner.asked[1].json["messages"]
    assert [message["role"] for message in messages][-5:] == ["assistant", "tool", "tool", "user", "user"]
    assert messages[-4]["content"] == "dark\n[image tool_result:c1:1] pot.png\n[audio tool_result:c1:2] pot.mp3"
    assert ("data:image/png;base64,iVBORw0KGgoAAAA=" in str(messages[-2])) is sees
    assert "tool_result:c1:1" in str(messages[-2])
    assert "tool_result:c1:2" in str(messages[-1])


async def test_an_action_gets_its_arguments_as_data_and_why(tools: Components) -> None:
    wave = told(completion("Polite.", "tool_calls", tool_calls=[wire_call("c1", "wave", '{"how": "twice"}')]))
    async with talk(plan=[wave, REPLY], components=tools) as here:
        await here.said()
        (output,) = outputs(here)
    assert (
        json.loads(output).items()
        >= {
            "how": "twice",
            "action_data": {"how": "twice"},
            "reasoning": "Polite.",
        }.items()
    )


@pytest.mark.parametrize(
    ("call", "output"),
    [
        (calls("order"), "the shop is closed\nFind the tool with tool_search to learn its arguments."),
        (calls("stare"), "team.tea/stare: it ran longer than 0.02 s"),
        (calls("sing"), "There is no tool sing."),
        (
            told(completion(None, "tool_calls", tool_calls=[wire_call("c1", "stock", "{leaf")])),
            "The arguments are no JSON object.",
        ),
        (calls("tool_search", query="rockets"), "No tool was found."),
    ],
)
async def test_a_call_that_fails_is_told_and_the_next_round_goes_on(tools: Components, call: Any, output: str) -> None:
    async with talk(plan=[call, REPLY], components=tools) as here:
        assert await here.said() == ["Plenty."]
        assert outputs(here) == [output]


async def test_a_tool_that_the_model_searched_for_is_offered_in_full(tools: Components) -> None:
    async with talk(plan=[calls("tool_search", query="leaves"), calls("order"), REPLY], components=tools) as here:
        await here.said()
        assert "order" not in here.tools(0)
        assert "- order: Orders leaves." in here.planned(0)
        assert "order" in here.tools(1)
        assert outputs(here) == ["order: Orders leaves.", "the shop is closed"]


@pytest.mark.parametrize("plan", [calls("no_reply"), calls("close"), says("I would rather not.")])
async def test_the_turn_may_end_in_silence(tools: Components, plan: Any) -> None:
    async with talk(plan=[plan], components=tools) as here:
        outcome = await here.chat.bot.receive(message_dict())
        assert (outcome.status, outcome.reason, len(here.planner.asked)) == (Status.NO_REPLY, None, 1)


async def test_a_model_that_never_comes_to_an_end_is_asked_no_more_than_six_times(tools: Components) -> None:
    async with talk(plan=[calls("stock")], components=tools) as here:
        outcome = await here.chat.bot.receive(message_dict())
        assert (outcome.status, len(here.planner.asked)) == (Status.NO_REPLY, 6)
        # One id again and again would break the context.
        called = [message["tool_calls"][0]["id"] for message in here.planner.asked[-1].json["messages"][2::2]]
        assert len({*called}) == len(called) == 5


async def test_a_wait_ends_by_itself_and_the_model_looks_again() -> None:
    async with talk(plan=[calls("wait", seconds=0), REPLY]) as here:
        assert await here.said() == ["Plenty."]
        assert outputs(here) == ["Nobody said anything more."]


async def test_a_wait_ends_the_turn_when_something_more_is_said() -> None:
    async with talk(plan=[calls("wait", seconds=60), REPLY]) as here:
        first = asyncio.create_task(here.chat.bot.receive(message_dict("Is there")))
        await here.planner.arrived.wait()
        second = await here.chat.bot.receive(message_dict("tea?"))
        assert (second.status, (await first).status) == (Status.REPLIED, Status.NO_REPLY)
        assert "Is there" in here.planned(1)


async def test_the_message_that_the_model_names_is_the_one_that_is_answered() -> None:
    async with talk(plan=[calls("no_reply"), calls("reply", msg_id="770", set_quote=True)]) as here:
        await here.chat.bot.receive(message_dict("Hello", message_id="770"))
        await here.chat.bot.receive(message_dict("Never mind"))
        assert here.chat.gateway.deliveries[0].reply_message_id == "770"


async def test_a_reply_that_failed_may_be_tried_again() -> None:
    async with talk(told({"error": "down"}, 500), says("Plenty."), plan=[REPLY]) as here:
        assert await here.said() == ["Plenty."]
        assert len(here.planner.asked) == 2


async def test_a_planner_without_an_answer_is_told_in_the_outcome() -> None:
    async with talk(plan=[told({"error": "down"}, 500)]) as here:
        outcome = await here.chat.bot.receive(message_dict())
        assert outcome.status is Status.NO_REPLY
        assert outcome.reason is not None


@pytest.mark.parametrize("own", [True, False])
async def test_nothing_is_planned_about_notices_and_the_bots_own_messages(own: bool) -> None:
    async with talk() as here:
        data = message_dict(is_notify=not own)
        data["message_info"]["user_info"]["user_id"] = "10001" if own else "555"
        assert (await here.chat.bot.receive(data)).status is Status.NO_REPLY
        assert here.planner.asked == []
