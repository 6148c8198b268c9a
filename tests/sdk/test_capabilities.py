"""Every method of a context sends what is recorded of it, and makes the recorded things of each kind of answer."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from maibot_sdk.context import PluginContext
from maibot_sdk.types import ComponentType
from tests.sdk.calls import Host, method_of

METHODS: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data" / "capabilities.json").read_text(encoding="utf-8")
)
ANSWERS = [
    pytest.param(path, told, id=f"{path}-{json.dumps(told['answer'])}")
    for path, method in METHODS.items()
    for told in method["answers"]
]
OPEN = [path for path, method in METHODS.items() if method["takes_more"] and path != "api.call"]
SENDS = [path for path in METHODS if path.startswith("send.")]


def payload_of(host: Host) -> Any:
    ((_, _, payload, _),) = host.calls
    return payload


async def arguments_sent(path: str, *given: Any, **named: Any) -> dict[str, Any]:
    host = Host()
    await method_of(host, path)(*given, **named)
    arguments: dict[str, Any] = payload_of(host)["args"]
    return arguments


def test_every_method_of_a_context_is_recorded() -> None:
    assert set(methods_of(PluginContext("p"))) == METHODS.keys()


def methods_of(owner: object, path: str = "") -> Iterator[str]:
    for name, value in vars(owner).items():
        if type(value).__module__.startswith("maibot_sdk.capabilities"):
            yield from (f"{path}{name}.{method}" for method in vars(type(value)) if not method.startswith("_"))
            yield from methods_of(value, f"{path}{name}.")


@pytest.mark.parametrize("path", METHODS)
async def test_a_method_fills_in_what_is_not_given(path: str) -> None:
    method, host = METHODS[path], Host({})
    await method_of(host, path)(**method["required_arguments"])
    assert host.calls == [(method["host_method"], "me.p", method["required_payload"], {})]


@pytest.mark.parametrize("path", METHODS)
async def test_a_method_sends_all_that_is_given(path: str) -> None:
    method, host = METHODS[path], Host({})
    await method_of(host, path)(**method["all_arguments"])
    assert host.calls == [(method["host_method"], "me.p", method["all_payload"], method["deadline"])]


@pytest.mark.parametrize(("path", "told"), ANSWERS)
async def test_a_method_makes_the_recorded_thing_of_an_answer(path: str, told: dict[str, Any]) -> None:
    call = method_of(Host(told["answer"]), path)(**METHODS[path]["required_arguments"])
    if "raises" in told:
        with pytest.raises((TypeError, ValueError)) as caught:
            await call
        assert type(caught.value).__name__ == told["raises"]
    else:
        made = await call
        assert made == told["returns"]
        assert type(made) is type(told["returns"])


@pytest.mark.parametrize("path", OPEN)
async def test_a_keyword_timeout_is_the_deadline_of_the_call_and_is_not_sent(path: str) -> None:
    host = Host({})
    await method_of(host, path)(**METHODS[path]["required_arguments"], timeout_ms=0)
    ((*_, payload, keywords),) = host.calls
    assert keywords == {"timeout_ms": 0}
    assert "timeout_ms" not in payload["args"]


@pytest.mark.parametrize("path", [path for path, method in METHODS.items() if not method["takes_more"]])
async def test_a_method_without_free_keywords_refuses_them(path: str) -> None:
    with pytest.raises(TypeError):
        method_of(Host(), path)(**METHODS[path]["required_arguments"], extra_keyword=1)


async def test_every_keyword_of_an_api_is_an_argument_of_it() -> None:
    host = Host()
    await method_of(host, "api.call")("say", timeout_ms=5, plugin_id="p", capability="c")
    assert host.calls[0][2:] == (
        {
            "capability": "api.call",
            "args": {"api_name": "say", "version": "", "args": {"timeout_ms": 5, "plugin_id": "p", "capability": "c"}},
        },
        {},
    )


@pytest.mark.parametrize("path", SENDS)
async def test_sending_tells_what_became_of_the_message_where_that_is_asked_for(path: str) -> None:
    host = Host({"success": True, "sent": False, "message_id": "m"})
    sent = await method_of(host, path)(**METHODS[path]["required_arguments"], return_details=True)
    assert sent == {"sent": False, "message_id": "m"}


async def test_a_custom_message_carries_its_content_as_it_is_under_both_names() -> None:
    content = {"id": [1]}
    arguments = await arguments_sent("send.custom", "music", content, "s")
    assert arguments["content"] is arguments["data"] is content
    assert arguments["message_type"] == arguments["custom_type"] == "music"


@pytest.mark.parametrize("name", ["message_type", "content"])
async def test_a_custom_message_names_its_kind_and_content_only_once(name: str) -> None:
    with pytest.raises(TypeError):
        await method_of(Host(), "send.custom")("kind", {}, "s", **{name: "x"})


@pytest.mark.parametrize("path", ["llm.generate", "llm.generate_with_tools"])
async def test_a_model_request_leaves_out_what_is_not_chosen_but_not_a_zero(path: str) -> None:
    required = METHODS[path]["required_arguments"]
    nothing = await arguments_sent(path, **required, task_name="", model_name="", temperature=None, max_tokens=None)
    assert not {"task_name", "model_name", "temperature", "max_tokens"} & nothing.keys()
    zero = await arguments_sent(path, **required, temperature=0, max_tokens=0, task_name=" t ")
    assert (zero["temperature"], zero["max_tokens"], zero["task_name"]) == (0, 0, " t ")


@pytest.mark.parametrize("path", ["llm.generate", "llm.generate_with_tools"])
@pytest.mark.parametrize(
    ("answer", "model"),
    [
        ({"success": True, "model_name": "m"}, "m"),
        ({"success": False, "error": "no", "model_name": ""}, ""),
        ({"model_name": "m", "model": "other"}, "other"),
        ({"model_name": "m", "model": None}, None),
    ],
)
async def test_a_plugin_finds_the_model_under_the_name_it_reads(path: str, answer: dict[str, Any], model: Any) -> None:
    before = dict(answer)
    made = await method_of(Host(answer), path)(**METHODS[path]["required_arguments"])
    assert made == {**before, "model": model}
    assert answer == before


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ({"audio": " ", "audio_base64": " x "}, {"audio_base64": " x "}),
        ({"audio": " QUJD "}, {"audio_base64": "QUJD"}),
        ({"audio": b"ABC"}, {"audio_base64": base64.b64encode(b"ABC").decode()}),
        ({"audio": b""}, {"audio_base64": ""}),
        ({"audio": "QUJD", "audio_base64": "x"}, {"audio_base64": "QUJD"}),
        ({"audio": 5, "audio_base64": "x", "voice_base64": "y"}, {"audio_base64": "x"}),
        ({"audio_base64": "x", "voice_base64": "y"}, {"audio_base64": "x"}),
        ({"voice_base64": "y"}, {"voice_base64": "y"}),
        ({}, {}),
    ],
)
async def test_a_sound_is_sent_once_in_the_first_form_that_is_given(given: Any, sent: dict[str, str]) -> None:
    arguments = await arguments_sent("llm.transcribe_audio", **given)
    assert {key: value for key, value in arguments.items() if key.endswith("_base64")} == sent


async def test_keeping_a_description_is_sent_where_it_is_said_either_way() -> None:
    assert await arguments_sent("emoji.delete_emoji", "h", False) == {"emoji_hash": "h", "keep_desc": False}


async def test_a_default_takes_the_place_of_none_and_of_nothing_else() -> None:
    for answer, value in [(None, "d"), ({"success": True, "value": None}, "d"), ({"success": True, "value": 0}, 0)]:
        assert await method_of(Host(answer), "config.get")("key", "d") == value
    refusal = {"success": False, "error": "no"}
    assert await method_of(Host(refusal), "config.get")("key", "d") == refusal


@pytest.mark.parametrize(
    ("answer", "count"),
    [
        ({"count": 3}, 3),
        ({"success": True, "count": {"count": 4}}, 4),
        ({"success": True, "count": "12"}, 12),
        ({"success": True, "count": 2.9}, 2),
        (True, 1),
    ],
)
async def test_a_count_is_a_whole_number_in_whatever_form_it_comes(answer: Any, count: int) -> None:
    assert await method_of(Host(answer), "db.count")("Messages") == count


async def test_models_are_read_from_an_answer_without_a_verdict_too() -> None:
    assert await method_of(Host({"models": ["a"]}), "llm.get_available_models")() == ["a"]
    assert await method_of(Host(("a",)), "llm.get_available_models")() == []


@pytest.mark.parametrize("path", ["component.enable_component", "component.disable_component"])
@pytest.mark.parametrize("kind", ["tool", " TOOL ", ComponentType.TOOL])
async def test_a_component_type_is_sent_in_upper_case(path: str, kind: str) -> None:
    assert (await arguments_sent(path, "name", kind))["component_type"] == "TOOL"


@pytest.mark.parametrize("path", ["component.enable_component", "component.disable_component"])
@pytest.mark.parametrize("kind", ["", "Tool", "llm_provider", "workflow_step", None])
async def test_what_is_no_component_type_raises_and_is_not_sent(path: str, kind: Any) -> None:
    host = Host()
    with pytest.raises(ValueError, match="component type"):
        await method_of(host, path)("name", kind)
    assert host.calls == []


async def test_a_market_answer_that_is_no_dict_raises_an_error_that_names_the_capability() -> None:
    with pytest.raises(TypeError, match=r"market\.search answered with list"):
        await method_of(Host([]), "market.search")()


@pytest.mark.parametrize("path", ["gateway.route_message", "gateway.update_state"])
async def test_a_gateway_is_told_whether_the_host_accepted(path: str) -> None:
    required = METHODS[path]["required_arguments"]
    assert await method_of(Host({"accepted": 1}), path)(**required) is True
    assert await method_of(Host({"success": True, "accepted": 0}), path)(**required) is False
