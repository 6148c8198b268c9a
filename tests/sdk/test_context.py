"""`PluginContext`: identity, folders, logger, and what goes to the host and comes back."""

import json
import logging
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest

from maibot_sdk.context import PluginContext, PluginPaths
from tests.sdk.calls import Host

FACTS = json.loads((Path(__file__).parents[1] / "data" / "sdk_outputs.json").read_text(encoding="utf-8"))
UNWRAPPING = FACTS["result_unwrapping"]


async def answer_to(capability: str, answer: Any, **arguments: Any) -> Any:
    return await PluginContext("p", Host(answer)).call_capability(capability, **arguments)


def test_the_folders_default_to_relative_paths_of_the_plugin() -> None:
    assert PluginContext("me.p").paths == PluginPaths(Path("data/plugins/me.p"), Path("temp/plugins/me.p"))


def test_given_folders_are_kept_and_cannot_be_reassigned() -> None:
    paths = PluginPaths(Path("/d"), Path("/r"))
    assert PluginContext("p", paths=paths).paths is paths
    with pytest.raises(FrozenInstanceError):
        paths.data_dir = Path("/x")  # type: ignore[misc]


def test_the_id_is_read_only_and_must_be_text() -> None:
    context = PluginContext("p")
    assert context.plugin_id == "p"
    with pytest.raises(AttributeError):
        context.plugin_id = "q"  # type: ignore[misc]
    with pytest.raises(TypeError):
        PluginContext(5)  # type: ignore[arg-type]


def test_the_logger_is_the_standard_one_of_the_plugin() -> None:
    context = PluginContext("me.p")
    assert context.logger is logging.getLogger("plugin.me.p")
    assert context.logger is context.logger


def test_what_does_not_exist_raises_attribute_error() -> None:
    assert getattr(PluginContext("p"), "telepathy", None) is None


async def test_without_a_connection_every_call_fails_before_anything_is_checked() -> None:
    with pytest.raises(RuntimeError, match="not connected"):
        await PluginContext("p").call_host_method("nonsense")


@pytest.mark.parametrize("method", ["nonsense", "", "CAP.CALL"])
async def test_other_host_methods_may_not_be_called(method: str) -> None:
    host = Host()
    with pytest.raises(PermissionError, match=method or "<empty>"):
        await PluginContext("p", host).call_host_method(method)
    assert host.calls == []


async def test_a_host_method_is_called_with_id_and_payload_and_answers_raw() -> None:
    answer = {"success": True, "accepted": True}
    host = Host(answer)
    context = PluginContext("p", host)
    assert await context.call_host_method(" host.route_message ", payload={"a": 1}) is answer
    await context.call_host_method("cap.call", plugin_id=" other ", timeout_ms=0)
    await context.call_host_method("cap.call", plugin_id="")
    assert host.calls == [
        ("host.route_message", "p", {"a": 1}, {}),
        ("cap.call", " other ", None, {"timeout_ms": 0}),
        ("cap.call", "p", None, {}),
    ]


async def test_a_capability_call_carries_its_arguments_unchanged() -> None:
    host = Host()
    await PluginContext("p", host).call_capability("x.y", 500, plugin_id="q", empty=None)
    assert host.calls == [
        ("cap.call", "p", {"capability": "x.y", "args": {"plugin_id": "q", "empty": None}}, {"timeout_ms": 500})
    ]


async def test_what_the_connection_raises_reaches_the_caller() -> None:
    async def broken(*args: Any) -> Any:
        raise ConnectionError("gone")

    with pytest.raises(ConnectionError, match="gone"):
        await PluginContext("p", broken).call_capability("x.y")


@pytest.mark.parametrize(("capability", "key"), UNWRAPPING["keys"].items())
async def test_the_value_that_was_asked_for_is_taken_out_of_the_answer(capability: str, key: str) -> None:
    assert await answer_to(capability, {"success": True, key: [1], "else": 2}) == [1]
    assert await answer_to(capability, {"success": False, key: None}) is None
    failure = {"success": False, "error": "text"}
    assert await answer_to(capability, failure) == failure


@pytest.mark.parametrize("capability", UNWRAPPING["boolean"])
async def test_capabilities_that_only_do_something_answer_whether_they_did(capability: str) -> None:
    assert await answer_to(capability, {"success": 1, "sent": False}) is True
    assert await answer_to(capability, {"success": False, "error": "text"}) is False


@pytest.mark.parametrize("capability", UNWRAPPING["detailed_send"])
async def test_sending_tells_details_where_these_are_asked_for(capability: str) -> None:
    asked = {"return_details": True}
    assert await answer_to(capability, {"success": True, "sent": 0, "message_id": "m"}, **asked) == {
        "sent": False,
        "message_id": "m",
    }
    assert await answer_to(capability, {"success": True}, **asked) == {"sent": True, "message_id": None}
    assert await answer_to(capability, {"success": True}, return_details=False) is True


@pytest.mark.parametrize("answer", [None, "text", 5, [1], {"value": 1}, {"success": True, "value": 1}])
async def test_any_other_answer_comes_back_as_it_is(answer: Any) -> None:
    assert await answer_to("some.thing", answer) is answer
