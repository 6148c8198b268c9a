"""The `HookHandler` decorator at run time, and what type checkers make of it.

The functions marked `type: ignore` are part of the test: the strict type check of this file fails when one of the marks
is not needed any more.
"""

from collections.abc import Callable
from enum import Enum
from typing import Any, Unpack, get_args

import pytest
from pydantic import ValidationError

from maibot_sdk import HookHandler, hooks
from maibot_sdk.components import collect_components
from maibot_sdk.hooks import CustomHook, HookName
from maibot_sdk.types import ErrorPolicy, HookMode, HookOrder


def collected(decorator: Callable[[Callable[..., Any]], Callable[..., Any]]) -> dict[str, Any]:
    class Plugin:
        @decorator
        async def on_message(self, **kwargs: Any) -> None: ...

    return collect_components(Plugin())[0]


def test_the_constants_are_the_names_of_the_literal() -> None:
    constants = {value for name, value in vars(hooks).items() if name.isupper()}
    assert constants == set(get_args(HookName))


def test_the_hook_may_be_given_by_keyword_and_is_trimmed() -> None:
    component = collected(HookHandler(hook=CustomHook("  shop.paid ")))
    assert component["metadata"]["hook"] == "shop.paid"
    assert type(component["metadata"]["hook"]) is str


def test_any_text_and_an_enum_member_name_a_hook_at_run_time() -> None:
    class Names(str, Enum):
        PAID = "shop.paid"

    plain: Any = "shop.paid"
    member: Any = Names.PAID
    assert collected(HookHandler(plain))["metadata"]["hook"] == "shop.paid"
    assert collected(HookHandler(member))["metadata"]["hook"] == "shop.paid"


@pytest.mark.parametrize("blank", ["", "  ", None])
def test_a_blank_hook_is_refused_at_the_call(blank: Any) -> None:
    with pytest.raises(ValueError, match="hook"):
        HookHandler(blank)


def test_the_name_is_that_of_the_method_unless_given() -> None:
    assert collected(HookHandler(hooks.CHAT_RECEIVE_BEFORE_PROCESS))["name"] == "on_message"
    assert collected(HookHandler(hooks.CHAT_RECEIVE_BEFORE_PROCESS, name=" 过滤 "))["name"] == "过滤"


def test_a_name_of_blanks_is_refused() -> None:
    with pytest.raises(ValueError, match="name"):
        collected(HookHandler(hooks.CHAT_RECEIVE_BEFORE_PROCESS, name="  "))


def test_mode_order_and_policy_are_members_or_their_values() -> None:
    members = collected(
        HookHandler(
            hooks.SEND_SERVICE_AFTER_SEND, mode=HookMode.OBSERVE, order=HookOrder.EARLY, error_policy=ErrorPolicy.LOG
        )
    )
    values = collected(HookHandler(hooks.SEND_SERVICE_AFTER_SEND, mode="observe", order="early", error_policy="log"))
    assert members == values
    assert [members["metadata"][key] for key in ("mode", "order", "error_policy")] == ["observe", "early", "log"]


@pytest.mark.parametrize("wrong", [{"mode": "OBSERVE"}, {"order": "1"}, {"error_policy": None}, {"timeout_ms": "x"}])
def test_another_value_is_refused_at_the_function(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        collected(HookHandler(hooks.SEND_SERVICE_AFTER_SEND, **wrong))


@pytest.mark.parametrize("timeout", [0, -1, 10**12])
def test_every_integer_is_a_deadline_here_since_the_host_judges_it(timeout: int) -> None:
    assert (
        collected(HookHandler(hooks.SEND_SERVICE_AFTER_SEND, timeout_ms=timeout))["metadata"]["timeout_ms"] == timeout
    )


def test_free_keywords_reach_the_metadata() -> None:
    metadata = collected(HookHandler(hooks.SEND_SERVICE_AFTER_SEND, include_binary_data=True))["metadata"]
    assert metadata["include_binary_data"] is True


def test_bare_use_is_refused_and_says_what_to_write() -> None:
    with pytest.raises(TypeError, match=r"@HookHandler\(\"chat\.receive\.before_process\"\)"):

        @HookHandler  # type: ignore[arg-type]
        async def handler(**kwargs: Any) -> None: ...


def test_a_type_checker_knows_names_payloads_and_the_decorated_function() -> None:
    HookHandler("chat.receive.before_proces")  # type: ignore[arg-type]
    HookHandler(hooks.SEND_SERVICE_BEFORE_SEND, mode="sometimes")  # type: ignore[arg-type]

    @HookHandler("send_service.before_send")
    def decorated(text: str) -> int:
        return len(text)

    def handler(**kwargs: Unpack[hooks.SendServiceBeforeSend]) -> bool:
        kwargs["typing"] = "yes"  # type: ignore[typeddict-item]
        return kwargs["set_reply"]

    length: int = decorated("four")
    assert length == 4
    given: Any = {"set_reply": False}
    assert handler(**given) is False
