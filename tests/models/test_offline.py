"""The offline model: no network, the same answer to the same request, honest about what it is."""

import json
import math
import socket
from operator import mul
from typing import Any

import pytest

from host.models import (
    ImagePart,
    JsonAnswer,
    Message,
    ModelAnswer,
    ModelRequest,
    ModelSettings,
    NoAnswerError,
    TextPart,
    Tool,
    ToolCall,
    UsageRecord,
    system,
    user,
)
from tests.models.asking import WEATHER, asking

NAMED = system("Your name is Mai, also called Maimai. You chat in a group.")
GROUP_ZH = system("你的名字是麦麦，别名小麦。你在群里聊天。")
PRIVATE = system("Your name is Mai. This is a private chat.")


def tool(name: str, description: str = "", required: tuple[str, ...] = (), **properties: Any) -> Tool:
    return Tool(name, description, {"type": "object", "properties": properties, "required": list(required)})


REPLY = tool(
    "reply",
    "Reply to a message.",
    ("msg_id",),
    msg_id={"type": "string"},
    reason={"type": "string"},
    reference_info={"type": "string"},
)
PLANNING = (
    REPLY,
    tool("no_reply", "Say nothing."),
    tool("wait", "Wait.", ("seconds",), seconds={"type": "integer", "minimum": 3}),
)


async def answer(*messages: Message, tools: tuple[Tool, ...] = (), **request: Any) -> ModelAnswer:
    async with asking(ModelSettings()) as models:
        return await models.generate("planner", ModelRequest(messages, tools=tools, **request))


async def call(*messages: Message, tools: tuple[Tool, ...]) -> tuple[str, dict[str, Any]]:
    (made,) = (await answer(*messages, tools=tools)).tool_calls
    return made.name, dict(made.arguments)


@pytest.mark.parametrize(
    ("rules", "text", "decided"),
    [
        (NAMED, "Lin: Mai, look at this", "reply"),
        (NAMED, "Lin: look, @Maimai", "reply"),
        (NAMED, "Lin: I sent you an email", "no_reply"),
        (NAMED, "Lin: Chiang-mai and Chiangmai", "reply"),
        (NAMED, "Lin: nice food in Chiangmai", "no_reply"),
        (NAMED, "Lin: nice weather today", "no_reply"),
        (NAMED, "Lin: when does it start?", "no_reply"),
        (NAMED, "Lin: hello everyone!", "reply"),
        (NAMED, "Lin: hello Kim", "no_reply"),
        (NAMED, "[09:00] Lin (user 5, msg_id 7) to you: when does it start?", "reply"),
        (NAMED, "Lin: so I was thinking...", "wait"),
        (NAMED, "Lin: wait", "wait"),
        (PRIVATE, "nice weather today", "reply"),
        (GROUP_ZH, "小林：小麦来一下", "reply"),
        (GROUP_ZH, "小林：今天天气不错", "no_reply"),
        (GROUP_ZH, "小林：几点开始", "no_reply"),
        (GROUP_ZH, "小林：大家早上好", "reply"),
        (GROUP_ZH, "[09:00] 小林（用户 5，msg_id 7）对你说：几点开始", "reply"),
        (GROUP_ZH, "小林：等一下", "wait"),
        (GROUP_ZH, "小林：我觉得，", "wait"),
        (system("Be brief."), "nice weather today", "reply"),
    ],
)
async def test_it_replies_to_what_is_said_to_it_or_to_all_waits_and_else_stays_silent(
    rules: Message, text: str, decided: str
) -> None:
    name, _ = await call(rules, user(text), tools=PLANNING)
    assert name == decided


async def test_the_plan_names_the_message_and_gives_its_reason() -> None:
    text = "[msg_id: 770] Kim: hm\n[msg_id: 771] Lin: Mai, are you there?"
    name, arguments = await call(NAMED, user(text), tools=PLANNING)
    assert (name, arguments) == ("reply", {"msg_id": "771", "reason": "somebody speaks to me"})
    _, arguments = await call(NAMED, user("Lin: Mai wait for 20 seconds..."), tools=PLANNING)
    assert arguments == {"seconds": 20}


@pytest.mark.parametrize(
    ("text", "name", "arguments"),
    [
        ("Mai, use get_weather for Oslo", "get_weather", {"city": "Oslo"}),
        ("please get weather in New York!", "get_weather", {"city": "New York"}),
        ("What is the weather forecast in Oslo?", "get_weather", {"city": "Oslo"}),
        ("get_weather city=Oslo days=3 unit=f", "get_weather", {"city": "Oslo", "days": 3, "unit": "f"}),
        ("天气预报：查一下奥斯陆的天气", "get_weather", {"city": "奥斯陆"}),
        ('roll_dice with "2d6" 7 times', "roll_dice", {"times": 6, "note": "2d6"}),
        ("画一张图片：“一只猫”", "draw", {"prompt": "一只猫"}),
        ("nice day today", "no_reply", {}),
    ],
)
async def test_it_calls_the_tool_that_is_named_or_described_with_arguments_from_the_text(
    text: str, name: str, arguments: dict[str, Any]
) -> None:
    weather = tool(
        "get_weather",
        "Weather forecast of a city. 查询城市的天气预报。",
        ("city",),
        city={"type": "string"},
        days={"type": "integer"},
        unit={"enum": ["c", "f"]} | {"type": "string"},
    )
    dice = tool(
        "roll_dice",
        "Rolls dice.",
        ("times", "note"),
        times={"type": "integer", "maximum": 6},
        note={"type": "string"},
    )
    draw = tool("draw", "画图：按描述画一张图片", ("prompt",), prompt={"type": "string"})
    made, given = await call(NAMED, user(text), tools=(*PLANNING, weather, dice, draw))
    given = {key: value for key, value in given.items() if key in arguments or key in ("city", "prompt")}
    assert (made, given) == (name, arguments)


async def test_what_a_tool_found_out_is_replied_and_after_the_reply_nothing_is_called() -> None:
    asked = ToolCall("c1", "weather", {"city": "Oslo"})
    turn = (NAMED, user("Mai, weather in Oslo?"), Message("assistant", tool_calls=(asked,)))
    output = Message("tool", (TextPart("21 C"),), tool_call_id="c1")
    alone = await answer(*turn, output, tools=(WEATHER,))
    assert (alone.text, alone.tool_calls) == ("weather: 21 C", ())
    planned = await answer(*turn, output, tools=(*PLANNING, WEATHER))
    (reply,) = planned.tool_calls
    assert reply.name == "reply"
    assert reply.arguments["reference_info"] == "weather: 21 C"
    assert reply.id != asked.id
    done = Message("tool", (TextPart("sent"),), tool_call_id=reply.id)
    after = await answer(*turn, output, Message("assistant", tool_calls=(reply,)), done, tools=(*PLANNING, WEATHER))
    assert after.tool_calls == ()
    assert after.text


async def test_a_call_is_made_where_one_is_demanded_and_none_where_that_is_forbidden() -> None:
    demanded = await answer(user("hm"), tools=(WEATHER,), tool_choice="required")
    forbidden = await answer(user("weather in Oslo"), tools=(WEATHER,), tool_choice="none")
    assert [made.name for made in demanded.tool_calls] == ["weather"]
    assert forbidden.tool_calls == ()
    assert forbidden.text


async def test_replies_are_short_in_the_language_of_the_message_the_same_each_time_and_not_all_one() -> None:
    texts = [f"I have {number} cats" for number in range(12)]
    replies = [(await answer(NAMED, user(f"Lin: {text}"))).text for text in texts]
    again = [(await answer(NAMED, user(f"Lin: {text}"))).text for text in texts]
    assert replies == again
    assert all(text in reply for text, reply in zip(texts, replies, strict=True))
    assert len({reply.replace(text, "") for text, reply in zip(texts, replies, strict=True)}) == 3
    chinese = (await answer(GROUP_ZH, user("小林：今天吃了面"))).text
    assert "今天吃了面" in chinese
    assert not chinese.isascii()
    assert "Lin" not in "".join(replies)


async def test_it_says_that_it_cannot_answer_a_question_or_see_a_picture() -> None:
    assert "model" in (await answer(user("What is the capital of Norway?"))).text
    assert "模型" in (await answer(user("挪威的首都是哪里？"))).text
    seen = (await answer(Message("user", (ImagePart("png", "QQ=="),)))).text
    assert "picture" in seen


SCHEMA = {
    "type": "object",
    "properties": {
        "mood": {"enum": ["happy", "sad"]},
        "score": {"type": "integer", "minimum": 1, "maximum": 5},
        "tags": {"type": "array", "items": {"type": "string"}},
        "sure": {"type": "boolean"},
        "inner": {"type": "object", "properties": {"why": {"type": ["string", "null"]}}},
    },
    "required": ["mood", "score", "tags"],
}


async def test_json_fits_the_schema_that_is_asked_for() -> None:
    made = json.loads((await answer(user("Lin is sad, 9 of 10"), json=JsonAnswer(SCHEMA))).text)
    assert (made["mood"], made["score"], made["sure"]) == ("sad", 5, False)
    assert [type(each) for each in made["tags"]] == [str]
    assert isinstance(made["inner"]["why"], str)


async def test_json_has_the_shape_of_the_example_in_the_prompt() -> None:
    prompt = 'Answer as JSON like [{"situation": "...", "style": "...", "count": 1}].\nLin: tea is the best'
    (item,) = json.loads((await answer(user(prompt))).text)
    assert set(item) == {"situation", "style", "count"}
    assert isinstance(item["count"], int)
    assert "answer" in json.loads((await answer(user("tea"), json=JsonAnswer())).text)


async def test_json_that_was_spoken_of_earlier_is_no_instruction() -> None:
    earlier = user('Lin: answer as JSON like {"a": 1}')
    assert not (await answer(earlier, user("Lin: I have two cats"))).text.startswith("{")


async def test_text_with_braces_that_does_not_ask_for_json_gets_a_reply() -> None:
    text = (await answer(user('I wrote {"a": 1} today'))).text
    assert '{"a": 1}' in text
    with pytest.raises(ValueError, match="Expecting"):
        json.loads(text)


async def test_vectors_are_of_length_one_the_same_each_time_and_near_for_texts_that_share_words() -> None:
    async with asking(ModelSettings()) as models:
        texts = ["green tea is good", "good green tea", "the train is late", "今天天气不错", "天气真不错", ""]
        first, again = await models.embed(texts), await models.embed(texts)
    assert first == again
    vectors = first.vectors
    assert all(math.isclose(math.hypot(*vector), 1.0) for vector in vectors)

    def near(left: int, right: int) -> float:
        return math.fsum(map(mul, vectors[left], vectors[right]))

    assert near(0, 1) > near(0, 2) + 0.2
    assert near(3, 4) > near(3, 2) + 0.2


async def test_it_cannot_hear() -> None:
    async with asking(ModelSettings()) as models:
        with pytest.raises(NoAnswerError, match="cannot hear"):
            await models.transcribe(b"RIFF")


async def test_a_stream_of_it_comes_word_by_word_and_is_counted() -> None:
    used: list[UsageRecord] = []
    async with asking(ModelSettings(), used) as models:
        request = ModelRequest((user("I have two cats"),))
        pieces = [piece async for piece in models.stream("replyer", request)]
        whole = await models.generate("replyer", request)
    assert len(pieces) > 3
    assert "".join(piece.text for piece in pieces) == whole.text
    assert pieces[-1].answer == whole
    assert [(record.model, record.cost) for record in used] == [("offline", 0.0)] * 2
    assert used[0].usage.prompt_tokens > 0


async def test_it_opens_no_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert (await answer(user("hello"))).text


@pytest.mark.parametrize(
    "text",
    ["", "   ", "[" * 5000, "\n", "：", "[]", "\udcff", "a" * 200_000, "{" * 5000 + "json", "((((" * 2000, "<" * 5000],
)
async def test_it_has_an_answer_to_any_text(text: str) -> None:
    made = await answer(NAMED, Message("user", (TextPart(text),)), tools=PLANNING)
    assert made.tool_calls
    assert (await answer(Message("user", (TextPart(text),)))).text
