"""What `collect_components` and `collect_llm_providers` find on a plugin, and what they make of it."""

import functools
import json
import types
import warnings
from pathlib import Path
from typing import Any

import pytest
from pydantic_core import PydanticSerializationError

from maibot_sdk import types as sdk_types
from maibot_sdk.components import (
    _COMPONENT_INFO_ATTR,
    API,
    Action,
    Command,
    EventHandler,
    HomeCard,
    HookHandler,
    LLMProvider,
    MessageGateway,
    ReplyExtension,
    Tool,
    collect_components,
    collect_llm_providers,
)
from maibot_sdk.hooks import CustomHook

FACTS = json.loads((Path(__file__).parents[1] / "data" / "sdk_outputs.json").read_text(encoding="utf-8"))

GIVEN = {"kind": sdk_types.ActivationType.KEYWORD, "pair": (1, 2), "check": len, "nested": [{"pair": (3, 4)}]}

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)

    class EveryDecorator:
        """One component of each kind, with the arguments that the recorded outputs were made with."""

        @API("api", public=True)
        def a(self) -> None: ...

        @Action("act", "d")
        def act(self) -> None: ...

        @Command("cmd", "d", "^/x", ["/y"], permission="operator")
        def c(self) -> None: ...

        @EventHandler("ev", event_type=sdk_types.EventType.ON_START, intercept_message=True, weight=3)
        def e(self) -> None: ...

        @MessageGateway("recv", platform="qq")
        def gw(self) -> None: ...

        @HomeCard("hc", "T", "c")
        def hc(self) -> None: ...

        @HookHandler("chat.receive.before_process", extra_key="v")
        def hook_default(self) -> None: ...

        @HookHandler(
            CustomHook("h.x"),
            name="named",
            description="d",
            mode="observe",
            order="late",
            timeout_ms=7,
            error_policy="abort",
        )
        def hook_full(self) -> None: ...

        @ReplyExtension("re", parameters={"x": {"type": "string", "required": True}}, platforms="QQ")
        def re_(self) -> None: ...

        @Tool(
            "tool", "d", parameters=[sdk_types.ToolParameterInfo(name="q", description="dd")], platforms="qq", vis="x"
        )
        def t(self) -> None: ...

        @LLMProvider("ct")
        def llm(self) -> None: ...


def names_on(instance: object) -> list[str]:
    return [component["name"] for component in collect_components(instance)]


def test_every_decorator_is_collected_as_recorded() -> None:
    collected = {component["metadata"]["handler_name"]: component for component in collect_components(EveryDecorator())}
    for free_text in ("t", "act"):
        assert collected[free_text]["metadata"].pop("detailed_description")
    assert collected == FACTS["decorator_outputs"]


def test_a_model_provider_is_collected_as_recorded() -> None:
    assert collect_llm_providers(EveryDecorator()) == FACTS["llm_provider_output"]


def test_a_provider_is_no_component_but_a_function_can_be_both() -> None:
    class Plugin:
        @LLMProvider("only")
        def provider(self) -> None: ...

        @LLMProvider("both", region="eu")
        @Command("cmd")
        def both(self) -> None: ...

    assert names_on(Plugin()) == ["cmd"]
    assert [provider["client_type"] for provider in collect_llm_providers(Plugin())] == ["both", "only"]
    assert collect_llm_providers(Plugin())[0]["metadata"] == {"region": "eu", "handler_name": "both"}


def test_components_come_in_the_order_of_their_attributes() -> None:
    class Plugin:
        @Command("first")
        def zebra(self) -> None: ...

        @Command("second")
        def ant(self) -> None: ...

    assert names_on(Plugin()) == ["second", "first"]


def test_the_outermost_decorator_wins() -> None:
    class Plugin:
        @Command("outer")
        @API("inner")
        def both(self) -> None: ...

    assert names_on(Plugin()) == ["outer"]


def test_inherited_private_and_mangled_attributes_and_mixins_are_found() -> None:
    class Mixin:
        @Command("mixin")
        def from_mixin(self) -> None: ...

    class Base:
        @Command("inherited")
        def inherited(self) -> None: ...

        @Command("private")
        def _private(self) -> None: ...

        @Command("mangled")
        def __mangled(self) -> None: ...

    class Plugin(Base, Mixin): ...

    assert sorted(names_on(Plugin())) == ["inherited", "mangled", "mixin", "private"]


def test_an_override_without_decorator_hides_the_inherited_component() -> None:
    class Base:
        @Command("cmd")
        def run(self) -> None: ...

    class Plugin(Base):
        def run(self) -> None: ...

    assert names_on(Plugin()) == []


def test_static_and_class_methods_are_found_with_the_decorator_on_either_side() -> None:
    class Plugin:
        @staticmethod
        @Command("static inside")
        def a() -> None: ...

        @Command("static outside")
        @staticmethod
        def b() -> None: ...

        @classmethod
        @Command("class inside")
        def c(cls) -> None: ...

    assert names_on(Plugin()) == ["static inside", "static outside", "class inside"]


def test_functions_set_on_the_instance_are_found() -> None:
    class Plugin: ...

    @Command("grafted")
    def grafted(plugin: Any) -> None: ...

    plugin = Plugin()
    plugin.bound = types.MethodType(grafted, plugin)  # type: ignore[attr-defined]
    plugin.plain = grafted  # type: ignore[attr-defined]
    assert [component["metadata"]["handler_name"] for component in collect_components(plugin)] == ["bound", "plain"]


def test_a_wrapper_made_with_functools_keeps_the_component() -> None:
    def logged(function: Any) -> Any:
        @functools.wraps(function)
        def wrapper(*args: Any) -> Any:
            return function(*args)

        return wrapper

    class Plugin:
        @logged
        @Command("wrapped")
        def run(self) -> None: ...

    assert names_on(Plugin()) == ["wrapped"]


def test_scanning_runs_no_property_descriptor_or_attribute_lookup_of_the_plugin() -> None:
    touched = []

    class Lazy:
        def __get__(self, instance: object, owner: object) -> object:
            touched.append("descriptor")
            return None

    class Anything:
        def __getattr__(self, name: str) -> object:
            touched.append(name)
            return self

    class Watched:
        def __getattribute__(self, name: str) -> object:
            touched.append(name)
            return object.__getattribute__(self, name)

    class Plugin:
        lazy = Lazy()
        anything = Anything()
        watched = Watched()

        def __dir__(self) -> list[str]:
            touched.append("dir")
            return []

        @property
        def config(self) -> object:
            touched.append("property")
            raise RuntimeError("not ready")

        @functools.cached_property
        def session(self) -> object:
            touched.append("cached property")
            return object()

        def __getattr__(self, name: str) -> object:
            touched.append(name)
            raise AttributeError(name)

        @Command("cmd")
        def run(self) -> None: ...

    plugin = Plugin()
    assert names_on(plugin) == ["cmd"]
    assert collect_llm_providers(plugin) == []
    assert touched == []


def test_an_attribute_that_is_marked_with_something_else_is_no_component() -> None:
    class Plugin:
        def run(self) -> None: ...

    setattr(Plugin.run, _COMPONENT_INFO_ATTR, {"name": "fake"})
    assert collect_components(Plugin()) == []


def test_free_keywords_never_override_a_declared_field() -> None:
    class Plugin:
        @Command("cmd", "told", "^x", enabled=False, command_pattern="other", handler_name="other", type="TOOL", free=1)
        def run(self) -> None: ...

    assert collect_components(Plugin()) == [
        {
            "name": "cmd",
            "type": "COMMAND",
            "metadata": {
                "enabled": True,
                "command_pattern": "^x",
                "handler_name": "run",
                "type": "TOOL",
                "free": 1,
                "description": "told",
                "aliases": [],
            },
        }
    ]


def test_free_keywords_are_collected_as_they_are() -> None:
    class Plugin:
        @LLMProvider("p", given=GIVEN)
        @Tool("tool", given=GIVEN)
        def run(self) -> None: ...

    given = collect_components(Plugin())[0]["metadata"]["given"]
    assert given == GIVEN
    assert given["kind"] is sdk_types.ActivationType.KEYWORD
    assert given["check"] is len
    assert collect_llm_providers(Plugin())[0]["metadata"]["given"] == GIVEN


def test_what_is_collected_can_be_changed_without_touching_the_declaration() -> None:
    class Plugin:
        @ReplyExtension("re", allowed_session=["s"], tags=["t"])
        def run(self) -> None: ...

    plugin = Plugin()
    first = collect_components(plugin)[0]
    first["allowed_session"].append("x")
    first["metadata"]["tags"].append("x")
    assert first["metadata"]["allowed_session"] == ["s"]
    assert collect_components(plugin)[0]["allowed_session"] == ["s"]
    assert collect_components(plugin)[0]["metadata"]["tags"] == ["t"]


def test_a_value_that_is_no_json_fails_and_the_error_names_the_attribute() -> None:
    class Plugin:
        @HomeCard("card", "title", content=object())
        def show(self) -> None: ...

    with pytest.raises(PydanticSerializationError) as caught:
        collect_components(Plugin())
    assert "'show'" in caught.value.__notes__[0]
