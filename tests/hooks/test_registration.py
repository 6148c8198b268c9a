"""Registration refuses what cannot work: each rule with an input that breaks it and a near miss that does not."""

import functools
import typing
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from types import FunctionType
from typing import Any

import pytest
from typing_extensions import TypedDict

from host.hooks import (
    Declaration,
    Hooks,
    HookSettings,
    HookSpec,
    InvalidSpecError,
    Problem,
    RegistrationError,
    declarations_of,
)
from host.hooks.errors import DuplicateHookError
from maibot_sdk.types import ErrorPolicy, HookMode, HookOrder
from tests.hooks.greeting import HOOK, Greeting, fire, hooks_with, on


async def _noop(**kwargs: Any) -> None:
    """Do nothing."""


LINE = _noop.__code__.co_firstlineno


def _check_told(found: Iterable[Problem], declarations: Sequence[Declaration]) -> None:
    """Whatever is found is told in both languages, with the file and line where the handler begins."""
    for problem in found:
        for locale in ("en", "zh"):
            assert not problem.handler or repr(problem.handler) in problem.text(locale)
        assert problem.text("en") != problem.text("zh")
        places = {
            (each.handler.__code__.co_filename, each.handler.__code__.co_firstlineno)
            for each in declarations
            if isinstance(each.handler, FunctionType) and problem.handler in (each.name, repr(each.name))
        }
        if places:
            assert (problem.file, problem.line) in places
            assert f"{problem.file}:{problem.line}" in problem.text()


def _problems(hooks: Hooks, *declarations: Declaration) -> list[tuple[str, str]]:
    try:
        hooks.check("demo.plugin", declarations)
    except RegistrationError as error:
        _check_told(error.problems, declarations)
        return [(problem.handler, problem.code) for problem in error.problems]
    return []


def _warnings(hooks: Hooks, *declarations: Declaration) -> list[str]:
    found = hooks.check("demo.plugin", declarations).warnings
    _check_told(found, declarations)
    return [each.code for each in found]


def test_an_unknown_hook_is_refused_with_the_nearest_right_name() -> None:
    with pytest.raises(RegistrationError) as caught:
        hooks_with().check("demo.plugin", [on(_noop, hook="greeting.before_sent")])
    (problem,) = caught.value.problems
    assert (problem.code, problem.file, problem.line) == ("unknown_hook", __file__, LINE)
    assert "'greeting.before_sent'" in problem.text()
    assert "Did you mean 'greeting.before_send'?" in problem.text()
    assert "您是否想用 'greeting.before_send'？" in caught.value.text("zh")
    assert f"{__file__}:{LINE}" in str(caught.value)
    assert "demo.plugin" in str(caught.value)


@pytest.mark.parametrize("hook", [None, "", 7, _noop])
def test_a_hook_that_is_no_text_is_refused(hook: Any) -> None:
    assert _problems(hooks_with(), Declaration(hook=hook, handler=_noop, name="x")) == [("x", "bad_hook_name")]


def test_a_mode_that_the_hook_does_not_allow_is_refused() -> None:
    hooks = hooks_with(allow_observe=False)
    assert _problems(hooks, on(_noop, mode=HookMode.OBSERVE)) == [("_noop", "mode_not_allowed")]
    assert _problems(hooks, on(_noop, mode=HookMode.BLOCKING)) == []
    hooks = hooks_with(allow_blocking=False)
    assert _problems(hooks, on(_noop, mode=HookMode.BLOCKING)) == [("_noop", "mode_not_allowed")]
    assert _problems(hooks, on(_noop, mode=HookMode.OBSERVE)) == []


def test_abort_policy_is_refused_on_a_hook_that_cannot_abort() -> None:
    declared = on(_noop, error_policy=ErrorPolicy.ABORT)
    assert _problems(hooks_with(allow_abort=False), declared) == [("_noop", "abort_policy_not_allowed")]
    assert _problems(hooks_with(), declared) == []


@pytest.mark.parametrize("timeout", [-1, "5", True, 10**12, 0.5, None, float("nan"), 600_001])
def test_a_timeout_that_is_no_whole_number_within_the_ceiling_is_refused(timeout: Any) -> None:
    assert _problems(hooks_with(), on(_noop, timeout_ms=timeout)) == [("_noop", "bad_timeout")]


@pytest.mark.parametrize("timeout", [0, 1, 600_000])
def test_a_timeout_within_the_ceiling_is_accepted(timeout: int) -> None:
    assert _problems(hooks_with(), on(_noop, timeout_ms=timeout)) == []


@pytest.mark.parametrize("name", [" ", "\t", "a\nb", "zero\u200bwidth", "\ufeffbom", "x" * 129, "a\x00", 7, "\ud800"])
def test_an_ill_formed_name_is_refused(name: Any) -> None:
    declared = Declaration(hook=HOOK, handler=_noop, name=name)
    assert [code for _, code in _problems(hooks_with(), declared)] == ["bad_name"]


@pytest.mark.parametrize("name", ["x", "x" * 128, "中文.名-1", "__class__", "__init__", "register", "with space", "🙂"])
def test_names_in_any_script_are_accepted_and_collide_with_nothing(name: str) -> None:
    hooks = hooks_with()
    hooks.register("demo.plugin", [on(_noop, name)])
    assert [each.name for each in hooks.describe()[0].handlers] == [name]


@pytest.mark.parametrize("plugin_id", ["", " ", "x" * 10_000, "a\u200db"])
def test_an_ill_formed_plugin_id_is_refused(plugin_id: str) -> None:
    with pytest.raises(RegistrationError, match="plugin id"):
        hooks_with().check(plugin_id, [on(_noop)])


def test_two_handlers_of_one_name_are_refused_and_both_are_named() -> None:
    async def other(**kwargs: Any) -> None: ...

    with pytest.raises(RegistrationError) as caught:
        hooks_with().check("demo.plugin", [on(_noop, "x"), on(other, "x")])
    (problem,) = caught.value.problems
    assert problem.code == "duplicate_name"
    assert problem.line == other.__code__.co_firstlineno
    assert f"{__file__}:{LINE}" in problem.text()


async def test_one_function_on_two_hooks_under_two_names_is_fine_and_both_go_on_removal() -> None:
    hooks = hooks_with()
    hooks.register_spec(HookSpec(name="other", payload=Greeting))
    hooks.register("demo.plugin", [on(_noop, "a"), on(_noop, "b", hook="other")])
    assert [len(row.handlers) for row in hooks.describe()] == [1, 1]
    hooks.remove("demo.plugin")
    assert [len(row.handlers) for row in hooks.describe()] == [0, 0]


@pytest.mark.parametrize("kind", ["workflow_step", "WORKFLOW_STEP"])
def test_a_leftover_workflow_step_is_refused_beside_a_valid_handler(kind: str) -> None:
    class Plugin:
        async def good(self, **kwargs: Any) -> None: ...

    components = [
        {"name": "old", "type": kind, "metadata": {"stage": "pre_process"}},
        {"name": "good", "type": "HOOK_HANDLER", "metadata": {"hook": HOOK, "handler_name": "good"}},
    ]
    with pytest.raises(RegistrationError, match="HookHandler") as caught:
        hooks_with().check("demo.plugin", declarations_of(Plugin(), components))
    assert [(each.handler, each.code) for each in caught.value.problems] == [("old", "workflow_step")]


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("mode", "Blocking"),
        ("mode", HookOrder.EARLY),
        ("mode", None),
        ("order", "first"),
        ("order", 10),
        ("error_policy", "raise"),
        ("error_policy", HookMode.BLOCKING),
    ],
)
def test_an_enum_value_of_the_wrong_kind_is_refused(field: str, wrong: Any) -> None:
    assert _problems(hooks_with(), on(_noop, **{field: wrong})) == [("_noop", "bad_enum")]


@pytest.mark.parametrize(("field", "right"), [("mode", "observe"), ("order", "late"), ("error_policy", "log")])
def test_plain_text_is_accepted_for_an_enum(field: str, right: str) -> None:
    assert _problems(hooks_with(), on(_noop, **{field: right})) == []


def test_observe_aborted_must_be_a_bool() -> None:
    assert _problems(hooks_with(), on(_noop, metadata={"observe_aborted": "yes"})) == [("_noop", "bad_flag")]


def test_a_handler_that_cannot_be_called_or_does_not_exist_is_refused() -> None:
    class Plugin:
        not_a_method = 5

        @property
        def raises(self) -> Any:
            raise AssertionError("a property was run")

    components = [
        {"name": name, "type": "HOOK_HANDLER", "metadata": {"hook": HOOK, "handler_name": name}}
        for name in ("missing", "not_a_method", "raises")
    ]
    found = _problems(hooks_with(), *declarations_of(Plugin(), components))
    assert found == [(name, "handler_missing") for name in ("missing", "not_a_method", "raises")]
    assert _problems(hooks_with(), Declaration(hook=HOOK, handler=5, name="x")) == [("x", "not_callable")]


def test_generators_are_refused() -> None:
    async def asynchronous(**kwargs: Any) -> AsyncIterator[int]:
        yield 1

    def synchronous(**kwargs: Any) -> Iterator[int]:
        yield 1

    for function in (asynchronous, synchronous):
        assert [code for _, code in _problems(hooks_with(), on(function))] == ["generator"]


def test_parameters_that_the_hook_never_passes_are_refused_unless_they_have_a_default() -> None:
    async def requires(message: str, **kwargs: Any) -> None: ...

    async def positional(text: str, /) -> None: ...

    async def defaults(message: str = "", **kwargs: Any) -> None: ...

    async def known(text: str, hook_name: str, trace_id: str, tags: list[str], *, count: int = 0) -> None: ...

    with pytest.raises(
        RegistrationError, match=r"requires message, .*text, tags, extra, count, loud, hook_name, trace_id"
    ):
        hooks_with().check("demo.plugin", [on(requires)])
    assert _problems(hooks_with(), on(positional)) == [("positional", "unfillable_parameters")]
    assert _warnings(hooks_with(), on(defaults)) == ["warn_unknown_parameter"]
    assert _warnings(hooks_with(), on(known)) == []


def test_an_observer_on_a_change_only_hook_is_warned_about_and_refused_in_strict_mode() -> None:
    declared = on(_noop, mode=HookMode.OBSERVE)
    assert _warnings(hooks_with(allow_abort=False), declared) == ["warn_observer_on_change_only"]
    strict = hooks_with(HookSettings(strict_modes=True), allow_abort=False)
    assert _problems(strict, declared) == [("_noop", "observer_on_change_only")]
    assert _warnings(hooks_with(), declared) == []
    assert _warnings(hooks_with(HookSettings(strict_modes=True)), declared) == []


def test_a_blocking_handler_that_can_have_no_effect_is_warned_about() -> None:
    hooks = hooks_with(allow_abort=False, allow_kwargs_mutation=False)
    assert _warnings(hooks, on(_noop)) == ["warn_blocking_without_effect"]
    assert _warnings(hooks, on(_noop, mode=HookMode.OBSERVE)) == []


def test_abort_policy_on_an_observer_is_warned_about() -> None:
    assert _warnings(hooks_with(), on(_noop, mode="observe", error_policy="abort")) == ["warn_abort_on_observer"]


def test_all_problems_of_a_plugin_come_in_one_report() -> None:
    assert _problems(
        hooks_with(allow_abort=False),
        on(_noop, "a", hook="nope", timeout_ms=-1, mode="sometimes"),
        on(_noop, "b"),
        on(_noop, "b", error_policy="abort"),
    ) == [
        ("a", "bad_enum"),
        ("a", "bad_timeout"),
        ("a", "unknown_hook"),
        ("b", "duplicate_name"),
        ("b", "abort_policy_not_allowed"),
    ]


async def test_one_problem_and_nothing_registers_and_the_fixed_plugin_registers_under_the_same_id() -> None:
    hooks = hooks_with()
    ran: list[str] = []

    async def good(**kwargs: Any) -> None:
        ran.append("good")

    with pytest.raises(RegistrationError):
        hooks.register("demo.plugin", [on(good, "a"), on(good, "b"), on(good, "c", hook="unknown.hook")])
    await fire(hooks)
    assert ran == []
    hooks.register("demo.plugin", [on(good, "a"), on(good, "b"), on(good, "c")])
    await fire(hooks)
    assert ran == ["good"] * 3


async def test_a_refused_new_version_leaves_the_old_one_as_it_was() -> None:
    hooks = hooks_with()
    ran: list[str] = []

    async def old(**kwargs: Any) -> None:
        ran.append("old")

    hooks.register("demo.plugin", [on(old)])
    with pytest.raises(RegistrationError):
        hooks.register("demo.plugin", [on(_noop), on(_noop)])
    await fire(hooks)
    assert ran == ["old"]


# Kinds of functions


class _Kinds:
    ran: list[str]

    def __init__(self) -> None:
        self.ran = []

    async def method(self, **kwargs: Any) -> None:
        self.ran.append("method")

    def plain(self, text: str, **kwargs: Any) -> dict[str, Any]:
        self.ran.append("plain")
        return {"modified_kwargs": {"text": text + "+"}}

    def gives_coroutine(self, **kwargs: Any) -> Any:
        return self.method(**kwargs)

    @staticmethod
    async def static(text: str) -> dict[str, Any]:
        return {"modified_kwargs": {"text": text + "s"}}

    @classmethod
    async def of_class(cls, text: str) -> dict[str, Any]:
        return {"modified_kwargs": {"text": text + cls.__name__[1]}}

    async def __call__(self, text: str, **kwargs: Any) -> dict[str, Any]:
        return {"modified_kwargs": {"text": text + "c"}}


class _CallableGenerator:
    async def __call__(self, **kwargs: Any) -> AsyncIterator[int]:
        yield 1


async def test_every_kind_of_function_may_be_a_handler() -> None:
    kinds = _Kinds()
    hooks = hooks_with()

    async def with_prefix(prefix: str, text: str) -> dict[str, Any]:
        return {"modified_kwargs": {"text": prefix + text}}

    handlers: list[Any] = [
        kinds.method,
        kinds.plain,
        kinds.gives_coroutine,
        kinds.static,
        kinds.of_class,
        kinds,
        functools.partial(with_prefix, "p"),
    ]
    hooks.register("demo.plugin", [on(each, str(index)) for index, each in enumerate(handlers)])
    result = await fire(hooks)
    assert result.errors == ()
    assert result.kwargs["text"] == "phi+sKc"
    assert kinds.ran == ["method", "plain", "method"]
    assert _problems(hooks, on(_CallableGenerator(), "g")) == [("g", "generator")]


# Component dicts


def test_component_dicts_go_through_the_same_door() -> None:
    class Plugin:
        async def handle_named(self, **kwargs: Any) -> None: ...

        async def direct(self, **kwargs: Any) -> None: ...

        async def given(self, **kwargs: Any) -> None: ...

    def component(name: str, **metadata: Any) -> dict[str, Any]:
        return {"name": name, "type": "HOOK_HANDLER", "metadata": {"hook": HOOK, **metadata}}

    hooks = hooks_with()
    registration = hooks.check(
        "demo.plugin",
        declarations_of(
            Plugin(),
            [
                component("named"),
                component("direct", mode="observe", order="late", timeout_ms=5, error_policy="log"),
                component("other", handler_name="given", observe_aborted=True),
                component("older", handler_name="given", metadata={"observe_aborted": True, "x": 1}),
                component("off", handler_name="given", enabled=False),
                {"name": "a_tool", "type": "TOOL", "metadata": {}},
            ],
        ),
    )
    assert [each.name for each in registration.handlers] == ["named", "direct", "other", "older"]
    direct = registration.handlers[1]
    assert (direct.mode, direct.order, direct.timeout_ms, direct.policy) == ("observe", "late", 5, "log")
    assert [each.observe_aborted for each in registration.handlers] == [False, False, True, True]
    assert registration.handlers[3].metadata["x"] == 1


def test_an_entry_that_is_no_component_is_refused() -> None:
    assert _problems(hooks_with(), *declarations_of(object(), ["text", None])) == [
        ("", "bad_component"),
        ("", "bad_component"),
    ]


# Specs


def test_a_hook_name_is_registered_once() -> None:
    with pytest.raises(DuplicateHookError, match=HOOK):
        hooks_with().register_spec(HookSpec(name=HOOK, payload=Greeting))


def test_specs_that_contradict_themselves_are_refused() -> None:
    class Reserved(TypedDict):
        self: str
        hook_name: str

    wrong: list[dict[str, Any]] = [
        {"name": " "},
        {"payload": dict},
        {"payload": Reserved},
        {"dispatch": "sideways"},
        {"default_timeout_ms": -1},
        {"default_timeout_ms": 600_001},
        {"allow_blocking": False, "allow_observe": False},
    ]
    for each in wrong:
        with pytest.raises(InvalidSpecError):
            Hooks().register_spec(HookSpec(**{"name": "x", "payload": Greeting, **each}))


def test_a_payload_may_be_a_typed_dict_of_the_standard_library() -> None:
    class Plain(typing.TypedDict):
        text: str

    hooks = Hooks()
    hooks.register_spec(HookSpec(name="x", payload=Plain))
    schema = hooks.describe()[0].parameters_schema
    assert schema["properties"]["text"]["type"] == "string"
    assert schema["required"] == ["text"]
