"""Who runs first, and what an implementation is given; each compared with what Bub itself answered."""

from typing import Any

import pytest

from host.bub import PluginValidationError, hookimpl
from tests.bub.making import ANSWERS, framework, plugin


async def test_tryfirst_then_plain_then_trylast() -> None:
    ran: list[str] = []

    def noting(tag: str, **options: Any) -> Any:
        def resolve_session(message: Any) -> None:
            ran.append(tag)

        return plugin(tag, resolve_session=hookimpl(**options)(resolve_session))

    host = framework(
        noting("n1"),
        noting("tl1", trylast=True),
        noting("tf1", tryfirst=True),
        noting("n2"),
        noting("tl2", trylast=True),
        noting("tf2", tryfirst=True),
    )
    await host.runtime.call_first("resolve_session", message={})
    assert ran == ANSWERS["order_normal_tryfirst_trylast"]
    assert host.plugins.report()["resolve_session"] == ran, "the report shows the order in which they run"


async def test_a_parameter_with_a_default_keeps_it() -> None:
    def resolve_session(message: Any = "DEFAULT") -> Any:
        return {"m": message}

    host = framework(plugin(resolve_session=resolve_session))
    assert await host.runtime.call_first("resolve_session", message={"a": 1}) == ANSWERS["defaulted_param_never_passed"]


async def test_the_rest_gets_nothing() -> None:
    def resolve_session(**rest: Any) -> Any:
        return rest

    host = framework(plugin(resolve_session=resolve_session))
    assert await host.runtime.call_first("resolve_session", message={"a": 1}) == ANSWERS["var_kwargs_get_nothing"]


async def test_a_keyword_only_parameter_is_not_passed() -> None:
    def resolve_session(*, message: Any) -> None: ...

    with pytest.raises(TypeError) as raised:
        await framework(plugin(resolve_session=resolve_session)).runtime.call_first("resolve_session", message={})
    why = "missing 1 required keyword-only argument: 'message'"
    assert str(raised.value).endswith(why)
    assert ANSWERS["kwonly_param"].endswith(why)


async def test_an_implementation_may_leave_parameters_out() -> None:
    def save_state(model_output: str) -> str:
        return model_output

    host = framework(plugin(save_state=save_state))
    given = {"session_id": "s", "state": {}, "message": {}, "model_output": "out"}
    assert await host.runtime.call_many("save_state", **given) == ["out"]


def test_an_unknown_parameter_refuses_the_whole_plugin() -> None:
    class Bad:
        @hookimpl
        def admit_message(self, session_id: str) -> None: ...
        @hookimpl
        def resolve_session(self, message: Any, nonsense: Any) -> None: ...
        @hookimpl(specname="save_state")
        def other(self, rubbish: Any) -> None: ...

    host = framework()
    with pytest.raises(PluginValidationError) as refused:
        host.plugins.register(Bad(), "bad")
    assert {
        "error": type(refused.value).__name__,
        "report": host.plugins.report(),
        "name_registered": "bad" in dict(host.plugins.in_order()),
    } == ANSWERS["unknown_param_validation_error_and_partial_registration"]
    assert [code for code, _ in refused.value.problems] == ["unknown_parameters"] * 2, "every problem is told at once"
    assert "requires nonsense, which 'resolve_session' does not pass; it passes: message." in str(refused.value)
    assert "不会传入" in refused.value.text("zh")


def test_the_older_name_of_a_hook_is_known() -> None:
    def provide_runtime_options(session_id: str, workspace: Any) -> int:
        return 1

    host = framework(plugin(provide_runtime_options=provide_runtime_options))
    assert host.plugins.report() == ANSWERS["unknown_hook_name_silently_ignored"]


def test_an_unknown_hook_is_a_warning_with_the_nearest_name(said: list[str]) -> None:
    framework(plugin(resolve_sesion=lambda message: "x"))
    assert len(said) == 1
    assert "'resolve_session'" in said[0]


def test_an_optional_hook_may_be_unknown(said: list[str]) -> None:
    framework(plugin(of_tomorrow=hookimpl(optionalhook=True)(lambda: None)))
    assert said == []


async def test_specname_names_the_hook() -> None:
    host = framework(plugin(whatever=hookimpl(specname="resolve_session")(lambda message: "via-specname")))
    assert await host.resolve_session({}) == ANSWERS["specname_dispatch"]


@pytest.mark.parametrize("option", ["wrapper", "hookwrapper"])
def test_wrappers_are_refused(option: str) -> None:
    """A difference: Bub takes the generator for the answer. Its page: "Unsupported arguments: wrapper, hookwrapper"."""
    assert ANSWERS["wrapper_result_is_generator_object"] == "generator"

    def resolve_session(message: Any) -> Any:
        return (yield)

    resolve_session.bub_impl = {option: True}  # type: ignore[attr-defined]
    with pytest.raises(PluginValidationError, match="allowed are plain implementations"):
        framework(plugin(resolve_session=resolve_session))


def test_no_property_is_read_while_a_plugin_is_searched() -> None:
    class Touchy:
        @property
        def secret(self) -> Any:
            raise AssertionError("read")

    framework(Touchy())


async def test_a_plugin_that_left_is_not_called() -> None:
    host = framework(plugin("a", resolve_session=lambda message: "a"), plugin("b", resolve_session=lambda message: "b"))
    host.plugins.unregister("b")
    assert await host.resolve_session({}) == "a"


async def test_one_object_is_not_registered_twice() -> None:
    one = plugin(resolve_session=lambda message: "x")
    host = framework(one)
    with pytest.raises(PluginValidationError, match="registered already, as 'p0'"):
        host.plugins.register(one, "again")
    assert host.plugins.report() == {"resolve_session": ["p0"]}
