"""``ctx.llm``: prompts, tasks and models as plugins name them, over models that say what they were asked."""

from base64 import b64encode

from host.capabilities.llm import LLM
from tests.capabilities.house import MakeHouse, all_of
from tests.capabilities.stand_ins import Asked

NINE_KEYS = {
    "success",
    "response",
    "reasoning",
    "model_name",
    "prompt_tokens",
    "completion_tokens",
    "total_tokens",
    "prompt_cache_hit_tokens",
    "prompt_cache_miss_tokens",
}


async def test_a_model_answers_in_the_name_of_the_plugin(house: MakeHouse) -> None:
    here = await house(*all_of(LLM))
    answer = await here.ask("ctx.llm.generate('hi', temperature=0.5, max_tokens='20', request_type='x')")
    assert answer == {
        "success": True,
        "response": "hi",
        "reasoning": "",
        "model_name": "small",
        "model": "small",
        "prompt_tokens": 12,
        "completion_tokens": 3,
        "total_tokens": 15,
        "prompt_cache_hit_tokens": 2,
        "prompt_cache_miss_tokens": 10,
    }
    messages = [{"role": "user", "content": "hi"}]
    await here.ask(f"ctx.llm.generate({messages})")
    assert here.models.calls == [
        ("utils", None, "team.asker", Asked("hi", (), 0.5, 20)),
        ("utils", None, "team.asker", Asked(messages, (), None, None)),
    ]


NAMED = [
    ("", "utils", None),
    ("model='planner'", "planner", None),
    ("model='big'", "utils", "big"),
    ("model='planner', task_name='replyer'", "replyer", "planner"),
    ("model_name='big', task_name='replyer'", "replyer", "big"),
    ("model='big', model_name='big'", "utils", "big"),
    ("model='planner', model_name='big'", "planner", "big"),
]


async def test_which_model_is_asked(house: MakeHouse) -> None:
    here = await house(*all_of(LLM))
    for named, task, model in NAMED:
        here.models.calls.clear()
        assert (await here.ask(f"ctx.llm.generate('hi', {named})"))["success"] is True
        assert here.models.calls[0][:2] == (task, model)


UNASKABLE = [
    ("generate(' ')", "'prompt' is missing"),
    ("generate([])", "'prompt' is missing"),
    ("generate(['hi'])", "'prompt' is"),
    ("generate('hi', task_name='nonsense')", "no model task 'nonsense'"),
    ("generate('hi', model='a', model_name='b')", "Give one of them"),
    ("generate_with_tools('hi', 'tools')", "'tools' is 'tools'; allowed is list"),
    ("embed()", "either text or texts"),
    ("embed('a', texts=['b'])", "either text or texts"),
    ("embed(texts=['b', ' '])", "either text or texts"),
    ("embed('a', task_name='nonsense')", "no model task"),
    ("embed('fail')", "all models are down"),
    ("transcribe_audio()", "'audio_base64' is missing"),
    ("transcribe_audio('no base64!')", "no base64"),
]


async def test_what_cannot_be_asked_is_told_in_short(house: MakeHouse) -> None:
    here = await house(*all_of(LLM))
    for call, why in UNASKABLE:
        answer = await here.ask(f"ctx.llm.{call}")
        assert answer.keys() == {"success", "error"}
        assert why in answer["error"]


async def test_a_model_that_fails_gives_all_nine_keys_and_the_error(house: MakeHouse) -> None:
    here = await house(*all_of(LLM))
    answer = await here.ask("ctx.llm.generate('fail')")
    assert answer.keys() == {*NINE_KEYS, "model", "error"}
    assert (answer["success"], answer["response"], answer["error"]) == (False, *["all models are down"] * 2)


async def test_tools_are_offered_and_what_the_model_calls_is_told(house: MakeHouse) -> None:
    here = await house(*all_of(LLM))
    answer = await here.ask("ctx.llm.generate_with_tools('hi', [{'name': 'weather'}])")
    assert answer["tool_calls"] == [{"id": "call_1", "function": {"name": "weather", "arguments": {"city": "Oslo"}}}]


async def test_texts_become_vectors_and_speech_becomes_text(house: MakeHouse) -> None:
    here = await house(*all_of(LLM))
    assert await here.ask("ctx.llm.embed('abc')") == {"success": True, "embedding": [3.0], "model_name": "embed-1"}
    assert (await here.ask("ctx.llm.embed(texts=['a', 'bc'])"))["results"] == [
        {"embedding": [1.0], "model_name": "embed-1"},
        {"embedding": [2.0], "model_name": "embed-1"},
    ]
    sound = b64encode(b"good morning").decode()
    heard = {"success": True, "text": "good morning", "content": "good morning"}
    assert await here.ask("ctx.llm.transcribe_audio(b'good morning')") == heard
    assert await here.ask(f"ctx.llm.transcribe_audio('data:audio/wav;base64,{sound}')") == heard
    assert await here.ask(f"ctx.llm.transcribe_audio(voice_base64='{sound}')") == heard


async def test_the_tasks_are_told_in_alphabetical_order(house: MakeHouse) -> None:
    here = await house(*all_of(LLM))
    assert await here.ask("ctx.llm.get_available_models()") == ["embedding", "planner", "replyer", "utils", "voice"]
