"""What the hooks of the reply do, with a real endpoint: every change that comes back has its effect."""

from typing import Any

import pytest

from host.bot import Status, session_id
from host.bot.splitting import SplittingSettings
from host.catalogue.context_items import items_of_messages
from tests.bot.chat import message_dict
from tests.bot.talk import talk
from tests.models.endpoint import says, told

REQUEST = "maisaka.replyer.before_request"
MODEL_REQUEST = "maisaka.replyer.before_model_request"
RESPONSE = "maisaka.replyer.after_response"
POST = "maisaka.reply.before_post_process"
TEA_ROOM = session_id("qq", account_id="10001", group_id="123456")
LONG = "There is green tea on the shelf. There is black tea in the pot. I would take the black one."


async def test_a_reply_is_worded_by_the_model_which_is_told_the_chat() -> None:
    async with talk() as here:
        outcome = await here.chat.bot.receive(message_dict("Is there tea?", is_at=True))
        assert (outcome.status, outcome.reply_text, outcome.failures) == (Status.REPLIED, "Plenty.", ())
        assert "Your name is Mai." in here.asked()
        assert "Tea room" in here.asked()
        assert here.asked().count("Is there tea?") == 2  # as the task, and as what was said
        assert here.chat.gateway.deliveries[0].reply_message_id == "771"


async def test_all_hooks_of_a_reply_are_fired_in_order_with_what_the_model_was_asked_and_answered() -> None:
    async with talk() as here:
        seen: list[str] = []
        payloads: dict[str, dict[str, Any]] = {}
        for hook in (REQUEST, MODEL_REQUEST, RESPONSE, POST):

            async def handler(hook_name: str, **kwargs: Any) -> None:
                seen.append(hook_name)
                payloads[hook_name] = kwargs

            here.chat.on(hook, handler, plugin=f"test.{hook}")
        await here.said()
    assert seen == [REQUEST, MODEL_REQUEST, RESPONSE, POST]
    place = {"session_id": TEA_ROOM, "reply_message_id": "771", "reply_tool_args": {}}
    count = {
        "request_type": "replyer",
        "attempt": 1,
        "retry_count": 0,
        "max_retries": 3,
        "selected_expression_ids": [],
        "task_name": "replyer",
    }
    assert payloads[REQUEST] == {
        **place,
        **count,
        "model_name": "",
        "extra_prompt": "",
        "reply_reason": "",
        "reference_info": "",
    }
    forms = {key: payloads[MODEL_REQUEST].pop(key) for key in ("messages", "items", "item_schema_version")}
    assert [message["role"] for message in forms["messages"]] == ["system", "user"]
    assert [item["item_type"] for item in forms["items"]] == ["SystemMessageItem", "UserMessageItem"]
    assert payloads[MODEL_REQUEST] == {
        **place,
        **count,
        "requested_model_name": "",
        "selected_model_name": "main-model",
        "selected_model_visual": False,
        "reply_reason": "",
    }
    (item,) = payloads[RESPONSE].pop("output_items")
    assert item["parts"] == [{"type": "text", "text": "Plenty."}]
    assert payloads[RESPONSE].items() >= {**count, "response": "Plenty.", "total_tokens": 129, "retry": False}.items()
    assert payloads[POST] == {
        **place,
        "response": "Plenty.",
        "skip_post_process": False,
        "enable_splitter": True,
        "enable_chinese_typo": False,
    }


@pytest.mark.parametrize(
    ("changes", "model", "temperature"),
    [
        ({}, "main-model", 0.5),
        ({"task_name": "utility"}, "other-model", 0.1),
        ({"model_name": "other-model"}, "other-model", 0.5),
        ({"model_name": "main-model", "task_name": "utility"}, "main-model", 0.1),
        ({"task_name": " "}, "main-model", 0.5),
    ],
)
async def test_the_task_gives_the_parameters_and_the_name_the_model(
    changes: dict[str, str], model: str, temperature: float
) -> None:
    async with talk() as here:
        here.chat.changing(REQUEST, **changes)
        later = here.chat.watching(MODEL_REQUEST)
        assert await here.said() == ["Plenty."]
        body = here.endpoint.asked[0].json
    assert (body["model"], body["temperature"]) == (model, temperature)
    assert later[0]["requested_model_name"] == changes.get("model_name", "")
    assert later[0]["selected_model_name"] == model


@pytest.mark.parametrize(
    ("changes", "told_of"), [({"model_name": "gpt-99"}, "main-model"), ({"task_name": "sing"}, "replyer")]
)
async def test_an_unknown_model_or_task_fails_the_reply_and_lists_the_known_ones(
    changes: dict[str, str], told_of: str
) -> None:
    async with talk() as here:
        here.chat.changing(REQUEST, **changes)
        outcome = await here.chat.bot.receive(message_dict("Tea?", is_at=True))
        assert outcome.status is Status.NO_REPLY
        assert outcome.reason is not None
        assert told_of in outcome.reason.text()
        assert outcome.reason.text() in outcome.line()
        assert here.endpoint.asked == []


async def test_further_demands_and_reference_material_are_told_to_the_model() -> None:
    async with talk() as here:
        here.chat.changing(REQUEST, extra_prompt="Rhyme.", reference_info="The pot is empty.")
        await here.said()
        assert "Rhyme." in here.asked()
        assert "The pot is empty." in here.asked()


async def test_arguments_of_the_reply_tool_travel_on_as_each_hook_leaves_them() -> None:
    async with talk() as here:
        later = [here.chat.watching(hook, plugin=f"test.x.{hook}") for hook in (MODEL_REQUEST, RESPONSE, POST)]
        here.chat.changing(REQUEST, reply_tool_args={"mood": "merry"})
        await here.said()
    assert [seen[0]["reply_tool_args"] for seen in later] == [{"mood": "merry"}] * 3


@pytest.mark.parametrize("form", ["messages", "items"])
async def test_a_changed_request_is_what_the_model_is_asked_and_nothing_is_kept_of_it(form: str) -> None:
    async with talk() as here:
        messages = [{"role": "user", "content": "Only this."}]
        forms: dict[str, Any] = {
            "messages": messages,
            "items": [item.to_dict() for item in items_of_messages(messages)],
        }
        here.chat.changing(MODEL_REQUEST, **{form: forms[form]})
        await here.said()
        assert here.endpoint.asked[0].json["messages"] == messages
        assert [message.text for message in await here.chat.store.of(TEA_ROOM)] == ["Is there tea?", "Plenty."]


async def test_a_request_that_was_emptied_stays_as_it_was() -> None:
    async with talk() as here:
        here.chat.changing(MODEL_REQUEST, messages=[])
        await here.said()
        assert "Is there tea?" in here.asked()


async def test_a_rewritten_response_is_what_is_said() -> None:
    async with talk() as here:
        here.chat.changing(RESPONSE, response="No.")
        assert await here.said() == ["No."]


async def test_rewritten_items_win_over_a_rewritten_response() -> None:
    async with talk() as here:

        async def handler(output_items: list[dict[str, Any]], **kwargs: Any) -> dict[str, Any]:
            output_items[0]["parts"] = [{"type": "text", "text": "By items."}]
            return {"modified_kwargs": {"output_items": output_items, "response": "By text."}}

        here.chat.on(RESPONSE, handler)
        assert await here.said() == ["By items."]


@pytest.mark.parametrize("hook", [RESPONSE, POST])
async def test_a_reply_of_which_nothing_is_left_fails(hook: str) -> None:
    async with talk() as here:
        here.chat.changing(hook, response=" ")
        outcome = await here.chat.bot.receive(message_dict("Tea?", is_at=True))
        assert (outcome.status, here.chat.gateway.deliveries) == (Status.NO_REPLY, [])
        assert outcome.reason is not None


async def test_a_new_answer_is_asked_for_with_the_reason_until_nobody_objects() -> None:
    async with talk(says("As an AI, no."), says("Sure.")) as here:
        attempts: list[tuple[int, int]] = []

        async def refuse(response: str, attempt: int, retry_count: int, **kwargs: Any) -> dict[str, Any] | None:
            attempts.append((attempt, retry_count))
            if "AI" not in response:
                return None
            return {"modified_kwargs": {"retry": "yes", "retry_reason": "No talk of AI.", "matched_regex": "ai"}}

        here.chat.on(RESPONSE, refuse)
        assert await here.said() == ["Sure."]
        assert attempts == [(1, 0), (2, 1)]
        assert "No talk of AI." not in here.asked(0)
        assert "No talk of AI." in here.asked(1)


async def test_no_more_than_three_new_answers_are_asked_for() -> None:
    async with talk() as here:
        here.chat.changing(RESPONSE, retry=True)
        assert await here.said() == ["Plenty."]
        assert len(here.endpoint.asked) == 4


async def test_the_rule_that_a_retry_names_is_logged(logged: list[str]) -> None:
    async with talk() as here:
        here.chat.changing(RESPONSE, retry=True, retry_reason="too dull", matched_regex_pattern="^P")
        await here.said()
    assert "INFO A new reply is asked for: too dull (rule ^P)" in logged


async def test_an_endpoint_that_fails_fails_the_reply_and_not_the_bot() -> None:
    async with talk(told({"error": "down"}, 500)) as here:
        outcome = await here.chat.bot.receive(message_dict("Tea?", is_at=True))
        assert outcome.status is Status.NO_REPLY
        assert here.chat.gateway.deliveries == []


async def test_a_long_reply_is_said_in_pieces_with_pauses_of_which_the_first_quotes() -> None:
    async with talk(says(LONG), splitting=SplittingSettings(max_length=40)) as here:
        assert await here.said() == [
            "There is green tea on the shelf.",
            "There is black tea in the pot.",
            "I would take the black one.",
        ]
        assert [each.reply_message_id for each in here.chat.gateway.deliveries] == ["771", None, None]
        assert len(here.pauses) == 2
        assert all(pause > 0.5 for pause in here.pauses)


@pytest.mark.parametrize("switch", [{"skip_post_process": True}, {"enable_splitter": False}])
async def test_a_handler_may_have_a_reply_said_in_one_piece(switch: dict[str, Any]) -> None:
    async with talk(says(LONG), splitting=SplittingSettings(max_length=40)) as here:
        here.chat.changing(POST, **switch)
        assert await here.said() == [LONG]


async def test_a_handler_may_have_a_reply_split_that_would_not_be() -> None:
    async with talk(says(LONG), splitting=SplittingSettings(max_length=40, enabled=False)) as here:
        here.chat.changing(POST, enable_splitter=True)
        assert len(await here.said()) == 3


async def test_what_before_post_process_makes_of_the_reply_is_said() -> None:
    async with talk() as here:
        here.chat.changing(POST, response="Little.")
        assert await here.said() == ["Little."]


async def test_a_piece_that_is_not_sent_is_the_last_one() -> None:
    async with talk(says(LONG), splitting=SplittingSettings(max_length=40)) as here:
        here.chat.gateway.error = OSError("gone")
        outcome = await here.chat.bot.receive(message_dict("Tea?", is_at=True))
        assert (outcome.status, len(here.chat.gateway.deliveries)) == (Status.NOT_SENT, 1)


@pytest.mark.parametrize("hook", [REQUEST, MODEL_REQUEST, RESPONSE, POST])
async def test_an_abort_is_not_allowed_and_recorded(hook: str) -> None:
    async with talk() as here:
        here.chat.returning(hook, {"action": "abort"})
        outcome = await here.chat.bot.receive(message_dict("Tea?", is_at=True))
        assert outcome.status is Status.REPLIED
        assert [failure.hook for failure in outcome.failures] == [hook]
