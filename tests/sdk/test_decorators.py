"""The rules of the decorators, one by one. `HookHandler` has a file of its own."""

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError

from maibot_sdk.components import (
    API,
    Action,
    Command,
    EventHandler,
    HomeCard,
    LLMProvider,
    MessageGateway,
    ReplyExtension,
    Tool,
    collect_components,
    collect_llm_providers,
)
from maibot_sdk.types import ActivationType, ChatMode, EventType, MessageGatewayRouteType, ToolParameterInfo

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def plugin_with(decorator: Decorator) -> object:
    class Plugin:
        @decorator
        def method(self) -> None: ...

    return Plugin()


def component_of(decorator: Decorator) -> dict[str, Any]:
    return collect_components(plugin_with(decorator))[0]


def metadata_of(decorator: Decorator) -> dict[str, Any]:
    metadata: dict[str, Any] = component_of(decorator)["metadata"]
    return metadata


def test_a_decorator_returns_the_very_function() -> None:
    def function() -> None: ...

    assert Command("c")(Tool("t")(LLMProvider("p")(function))) is function


@pytest.mark.parametrize("decorator", [Tool, Command, API, EventHandler, ReplyExtension])
def test_names_are_taken_as_they_are(decorator: Any) -> None:
    for name in ("天气.查询-1", "  ", ""):
        assert component_of(decorator(name))["name"] == name
    with pytest.raises(ValidationError):
        component_of(decorator(5))


class TestTool:
    def test_descriptions_are_trimmed_and_the_brief_one_stands_for_both(self) -> None:
        told = metadata_of(Tool("t", " long ", " brief ", " more "))
        assert (told["description"], told["brief_description"], told["detailed_description"]) == (
            "brief",
            "brief",
            "more",
        )
        assert metadata_of(Tool("t", " long "))["brief_description"] == "long"
        assert "t" in metadata_of(Tool("t"))["description"]

    def test_the_detailed_description_starts_with_the_parameters(self) -> None:
        told = metadata_of(Tool("t", detailed_description="more", parameters={"city": {"type": "string"}}))
        summary, own = told["detailed_description"].split("\n\n")
        assert "city" in summary
        assert own == "more"

    @pytest.mark.parametrize(
        ("given", "platforms"),
        [
            (None, []),
            ([], []),
            (" QQ ", ["qq"]),
            (["qq", "WeChat", "QQ"], ["qq", "wechat"]),
            ("qq,wechat", ["qq,wechat"]),
        ],
    )
    def test_platforms_are_lower_cased_and_named_once(self, given: Any, platforms: list[str]) -> None:
        assert metadata_of(Tool("t", platforms=given))["platforms"] == platforms
        assert metadata_of(ReplyExtension("r", platforms=given))["platforms"] == platforms

    @pytest.mark.parametrize("given", ["", "  ", ["qq", " "], ["qq", 5], ("qq",), {"qq"}, 5])
    def test_what_is_no_platform_is_refused_and_the_decorator_named(self, given: Any) -> None:
        with pytest.raises(ValueError, match="@Tool"):
            Tool("t", platforms=given)
        with pytest.raises(ValueError, match="@ReplyExtension"):
            ReplyExtension("r", platforms=given)

    def test_a_dict_of_parameters_is_kept_as_given(self) -> None:
        raw = {"city": {"type": "string", "required": True}}
        told = metadata_of(Tool("t", parameters=raw))
        assert (told["parameters_raw"], told["parameters"]) == (raw, [])

    def test_a_list_of_parameters_may_hold_dicts_and_be_a_tuple(self) -> None:
        given: Any = (ToolParameterInfo(name="a"), {"name": "b", "param_type": "integer"})
        told = metadata_of(Tool("t", parameters=given))
        assert [(parameter["name"], parameter["param_type"]) for parameter in told["parameters"]] == [
            ("a", "string"),
            ("b", "integer"),
        ]
        assert told["parameters_raw"] == {}

    def test_parameters_that_are_neither_list_nor_dict_are_refused(self) -> None:
        with pytest.raises(TypeError, match="int"):
            Tool("t", parameters=5)  # type: ignore[arg-type]


class TestAction:
    @staticmethod
    def declared(*args: Any, **kwargs: Any) -> dict[str, Any]:
        with pytest.warns(DeprecationWarning, match="@Tool"):
            decorator = Action(*args, **kwargs)
        return component_of(decorator)

    def test_it_registers_a_tool_that_knows_its_origin(self) -> None:
        component = self.declared("act", platforms=["qq"], invoke_method="other", brief_description="other", free=1)
        told = component["metadata"]
        assert component["type"] == "TOOL"
        assert (told["legacy_action"], told["legacy_component_type"]) == (True, "ACTION")
        assert told["free"] == 1
        assert told["invoke_method"] == "plugin.invoke_action"
        assert told["platforms"] == []
        assert told["brief_description"] != "other"

    def test_parameters_become_text_parameters(self) -> None:
        told = self.declared("act", action_parameters={"target": "who", "extra": None, "list": [1]})["metadata"]
        properties = told["parameters_raw"].pop("properties")
        assert told["parameters_raw"] == {"type": "object"}
        assert {name: given["type"] for name, given in properties.items()} == dict.fromkeys(properties, "string")
        assert properties["target"]["description"] == "who"
        assert properties["list"]["description"] == "[1]"
        assert properties["extra"]["description"] not in ("", "None")

    def test_the_detailed_description_tells_conditions_types_and_activation(self) -> None:
        told = self.declared(
            "act",
            activation_type=ActivationType.KEYWORD,
            activation_keywords=["hi", "hello"],
            action_require=[" when greeted ", "  "],
            associated_types=["text", "image"],
            action_prompt="be kind",
            chat_mode=ChatMode.ALL,
        )["metadata"]
        conditions, types, activation = told["detailed_description"].split("\n\n")
        assert len(conditions.splitlines()) == 2
        assert "when greeted" in conditions
        assert "text" in types
        assert "image" in types
        kind, keywords, prompt = activation.splitlines()
        assert "keyword" in kind
        assert "hello" in keywords
        assert "be kind" in prompt
        assert told["chat_mode"] == "all"

    def test_activation_is_told_even_when_nothing_else_is(self) -> None:
        assert "always" in self.declared("act")["metadata"]["detailed_description"]

    def test_enum_values_may_be_written_as_text(self) -> None:
        told = self.declared("act", activation_type="random", chat_mode="focus")["metadata"]
        assert (told["activation_type"], told["chat_mode"]) == ("random", "focus")


class TestReplyExtension:
    @pytest.mark.parametrize("nothing", [None, [], {}])
    def test_without_parameters_nothing_further_is_allowed(self, nothing: Any) -> None:
        assert metadata_of(ReplyExtension("r", parameters=nothing))["parameters_schema"] == {
            "type": "object",
            "properties": {},
            "additionalProperties": False,
        }

    def test_a_list_becomes_a_closed_schema(self) -> None:
        schema = metadata_of(ReplyExtension("r", parameters=[ToolParameterInfo(name="x")]))["parameters_schema"]
        assert schema == {
            "type": "object",
            "properties": {"x": {"type": "string", "description": ""}},
            "required": ["x"],
            "additionalProperties": False,
        }

    @pytest.mark.parametrize(
        ("given", "schema"),
        [
            ({"type": "object"}, {"type": "object", "additionalProperties": False}),
            (
                {"type": "object", "properties": {"x": {"required": True}}, "additionalProperties": True},
                {"type": "object", "properties": {"x": {"required": True}}, "additionalProperties": True},
            ),
            (
                {"x": {"type": "string", "required": True}},
                {
                    "type": "object",
                    "properties": {"x": {"type": "string"}},
                    "required": ["x"],
                    "additionalProperties": False,
                },
            ),
        ],
    )
    def test_a_dict_is_a_whole_schema_or_a_map_of_properties(self, given: Any, schema: dict[str, Any]) -> None:
        assert metadata_of(ReplyExtension("r", parameters=given))["parameters_schema"] == schema

    @pytest.mark.parametrize("given", [{"type": "string"}, {"properties": {}}, {"type": {"type": "string"}}])
    def test_a_schema_of_another_type_is_refused(self, given: dict[str, Any]) -> None:
        with pytest.raises(ValueError, match="'object'"):
            ReplyExtension("r", parameters=given)

    @pytest.mark.parametrize("given", [(), "x", 5, [{"name": "x"}], {"x": "text"}])
    def test_parameters_of_a_wrong_type_are_refused(self, given: Any) -> None:
        with pytest.raises(TypeError, match="@ReplyExtension"):
            ReplyExtension("r", parameters=given)

    @pytest.mark.parametrize(
        "wrong",
        [{"timeout_ms": 0}, {"timeout_ms": -1}, {"chat_scope": "both"}, {"allowed_session": "s"}, {"priority": "high"}],
    )
    def test_other_wrong_values_are_refused_at_the_function(self, wrong: dict[str, Any]) -> None:
        decorator = ReplyExtension("r", **wrong)
        with pytest.raises(ValidationError):
            component_of(decorator)

    def test_it_can_start_switched_off_and_shows_its_scope_beside_its_name(self) -> None:
        component = component_of(ReplyExtension("r", enabled=False, chat_scope="group", allowed_session=["s"]))
        assert component["metadata"]["enabled"] is False
        assert (component["chat_scope"], component["allowed_session"]) == ("group", ["s"])


class TestHomeCard:
    @pytest.mark.parametrize(("name", "title"), [("", "t"), (None, "t"), ("n", " "), ("n", None)])
    def test_name_and_title_must_not_be_blank(self, name: Any, title: Any) -> None:
        with pytest.raises(ValueError, match="@HomeCard"):
            HomeCard(name, title)

    def test_texts_are_trimmed_and_width_has_a_default(self) -> None:
        card: Any = HomeCard(" n ", " t ", [1], link_url=None, icon=" i ", width=" FULL ", order="3")  # type: ignore[arg-type]
        component = component_of(card)
        told = component["metadata"]
        assert (component["name"], told["title"], told["content"]) == ("n", "t", [1])
        assert (told["link_url"], told["icon"], told["width"], told["order"]) == ("", "i", "full", 3)
        assert metadata_of(HomeCard("n", "t", width=" "))["width"] == "medium"

    def test_an_order_that_is_no_number_is_refused(self) -> None:
        with pytest.raises(ValueError, match="first"):
            HomeCard("n", "t", order="first")  # type: ignore[arg-type]


class TestMessageGateway:
    @pytest.mark.parametrize(
        ("given", "route"),
        [
            ("send", "send"),
            (" Receive ", "receive"),
            ("recv", "receive"),
            ("recive", "receive"),
            ("DUPLEX", "duplex"),
            (MessageGatewayRouteType.SEND, "send"),
        ],
    )
    def test_the_route_is_understood_in_every_spelling(self, given: Any, route: str) -> None:
        assert metadata_of(MessageGateway(given))["route_type"] == route

    @pytest.mark.parametrize("given", ["both", "", None])
    def test_another_route_is_refused(self, given: Any) -> None:
        with pytest.raises(ValueError, match="duplex"):
            MessageGateway(given)

    def test_the_name_is_that_of_the_method_unless_given(self) -> None:
        assert component_of(MessageGateway("send"))["name"] == "method"
        assert component_of(MessageGateway("send", name=" own "))["name"] == " own "

    def test_other_texts_are_trimmed(self) -> None:
        told = metadata_of(MessageGateway("send", platform=" qq ", protocol=None, account_id=5))  # type: ignore[arg-type]
        assert (told["platform"], told["protocol"], told["account_id"]) == ("qq", "", "5")


class TestAPI:
    @pytest.mark.parametrize(("given", "version"), [(" 2 ", "2"), ("", "1"), (None, "1"), (3, "3")])
    def test_a_version_is_text_and_1_when_blank(self, given: Any, version: str) -> None:
        assert metadata_of(API("a", version=given))["version"] == version

    def test_public_is_a_truth_value(self) -> None:
        public: Any = "yes"
        assert metadata_of(API("a", public=public))["public"] is True


class TestCommand:
    def test_a_pattern_is_neither_compiled_nor_checked(self) -> None:
        assert metadata_of(Command("c", pattern="(["))["command_pattern"] == "(["

    @pytest.mark.parametrize("wrong", [{"pattern": None}, {"aliases": "text"}])
    def test_wrong_types_are_refused(self, wrong: dict[str, Any]) -> None:
        with pytest.raises(ValidationError):
            component_of(Command("c", **wrong))

    def test_aliases_are_kept_as_given(self) -> None:
        assert metadata_of(Command("c", aliases=[" /x "]))["aliases"] == [" /x "]
        assert metadata_of(Command("c"))["aliases"] == []


class TestEventHandler:
    @pytest.mark.parametrize("given", [EventType.POST_SEND, "post_send"])
    def test_an_event_is_a_member_or_its_value(self, given: Any) -> None:
        assert metadata_of(EventHandler("e", event_type=given))["event_type"] == "post_send"

    def test_numbers_and_truth_values_may_be_text(self) -> None:
        weight: Any = "7"
        assert metadata_of(EventHandler("e", weight=weight))["weight"] == 7

    def test_an_unknown_event_is_refused(self) -> None:
        with pytest.raises(ValidationError):
            component_of(EventHandler("e", event_type="never"))  # type: ignore[arg-type]


class TestLLMProvider:
    @pytest.mark.parametrize("blank", ["", "  ", None])
    def test_the_client_type_must_not_be_blank(self, blank: Any) -> None:
        with pytest.raises(ValueError, match="client_type"):
            LLMProvider(blank)

    def test_name_and_version_have_defaults(self) -> None:
        named = collect_llm_providers(plugin_with(LLMProvider(" ct ", version=" ")))[0]
        assert (named["client_type"], named["name"], named["version"]) == ("ct", "ct", "1.0.0")
        assert collect_llm_providers(plugin_with(LLMProvider("ct", name="  ")))[0]["name"] == ""

    def test_a_description_that_is_none_is_refused(self) -> None:
        with pytest.raises(ValidationError):
            plugin_with(LLMProvider("ct", description=None))  # type: ignore[arg-type]
