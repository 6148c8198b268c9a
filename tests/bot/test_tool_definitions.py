"""The tools that a model is offered: the bot's own, and those that plugins declare in any form."""

from typing import Any

import pytest

from host.bot.builtin_tools import (
    ReplyArguments,
    ReplyOption,
    no_reply_tool,
    query_jargon_tool,
    reply_tool,
    send_emoji_tool,
    tool_search_tool,
    wait_tool,
)
from host.bot.chat_place import ChatPlace
from host.bot.tool_definitions import DroppedTool, PluginTools, plugin_tools, reminder
from host.bot.tool_schema import parameters_of
from maibot_sdk import Tool
from maibot_sdk.components import Action, collect_components
from maibot_sdk.types import ToolParameterInfo, ToolParamType

GROUP = ChatPlace(session_id="s1", platform="qq", group_id="123456")
PRIVATE = ChatPlace(session_id="s2", platform="wx", user_id="555")
NOTHING = {"type": "object", "properties": {}, "required": []}


def tool(name: str = "weather", **declared: Any) -> dict[str, Any]:
    """A tool as the decorator declares it."""

    class Plugin:
        @Tool(name, **declared)
        async def run(self, **kwargs: Any) -> None: ...

    return collect_components(Plugin())[0]


def action(**declared: Any) -> dict[str, Any]:
    with pytest.warns(DeprecationWarning, match="@Action"):

        class Plugin:
            @Action("wave", "Wave a hand.", **declared)
            async def run(self, **kwargs: Any) -> None: ...

    return collect_components(Plugin())[0]


def offered(*components: dict[str, Any], place: ChatPlace = GROUP, taken: tuple[str, ...] = ()) -> PluginTools:
    return plugin_tools([(f"plugin.{index}", each) for index, each in enumerate(components)], place, taken)


@pytest.mark.parametrize("locale", ["en", "zh"])
@pytest.mark.parametrize(
    "make", [reply_tool, wait_tool, no_reply_tool, send_emoji_tool, query_jargon_tool, tool_search_tool]
)
def test_a_tool_of_the_bot_is_described_and_its_required_arguments_are_declared(make: Any, locale: str) -> None:
    made = make(locale=locale)
    function = made["function"]
    assert made["type"] == "function"
    assert make.__name__ == f"{function['name']}_tool"
    assert function["description"]
    assert set(function["parameters"]["required"]) <= set(function["parameters"]["properties"])


def test_the_reply_tool_offers_extensions_by_their_full_names() -> None:
    schema = {"type": "object", "properties": {"mood": {"type": "string"}}}
    made = reply_tool([ReplyOption("demo.plugin.mood", "Sets a mood.", schema)])
    options = made["function"]["parameters"]["properties"]["plugin_options"]
    assert options["properties"] == {"demo.plugin.mood": {"description": "Sets a mood.", **schema}}
    assert "plugin_options" not in reply_tool()["function"]["parameters"]["properties"]


def test_arguments_of_plugins_are_told_apart_from_those_of_the_bot() -> None:
    arguments = ReplyArguments.of(
        {"msg_id": 771, "set_quote": "True", "reference_info": None, "model": "big", "plugin_options": {"a.b": {}}}
    )
    assert arguments == ReplyArguments("771", True, "", {"model": "big", "plugin_options": {"a.b": {}}})
    assert ReplyArguments.of({}) == ReplyArguments("", False, "", {})


def test_a_tool_of_a_plugin_is_offered_with_its_parameters() -> None:
    parameters = {"city": {"type": "string", "required": True}, "days": {"type": "integer"}}
    tools = offered(tool(description="Tells the weather.", visibility="visible", parameters=parameters))
    assert tools.definitions() == [
        {
            "type": "function",
            "function": {
                "name": "weather",
                "description": "Tells the weather.",
                "parameters": {
                    "type": "object",
                    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
                    "required": ["city"],
                },
            },
        }
    ]


COMPLETE = {"type": "object", "properties": {"q": {"type": "string"}}}


@pytest.mark.parametrize(
    ("metadata", "schema"),
    [
        ({}, NOTHING),
        ({"parameters_raw": {}, "parameters": []}, NOTHING),
        ({"parameters_raw": COMPLETE}, COMPLETE),
        ({"parameters_raw": {"properties": {}}}, {"properties": {}}),
        ({"parameters_raw": {"q": "text"}}, NOTHING),
        ({"parameters": {"q": {"type": "string", "required": False}}}, {**COMPLETE, "required": []}),
        (
            {"parameters": [{"name": "n", "type": "float", "description": "d", "enum": [1], "default": 0}]},
            {
                "type": "object",
                "properties": {"n": {"type": "number", "description": "d", "enum": [1], "default": 0}},
                "required": ["n"],
            },
        ),
        (
            {"action_parameters": {"who": "Whom to wave at."}},
            {
                "type": "object",
                "properties": {"who": {"type": "string", "description": "Whom to wave at."}},
                "required": [],
            },
        ),
    ],
)
def test_parameters_are_read_in_every_form(metadata: dict[str, Any], schema: dict[str, Any]) -> None:
    assert parameters_of(metadata) == schema


def test_structured_parameters_give_the_schema_that_they_give_in_the_sdk() -> None:
    parameters = [
        ToolParameterInfo(name="tags", param_type=ToolParamType.ARRAY, items_schema={"type": "string"}),
        ToolParameterInfo(
            name="box",
            param_type=ToolParamType.OBJECT,
            required=False,
            properties={"w": {"type": "integer"}},
            required_properties=["w"],
            additional_properties=False,
        ),
        ToolParameterInfo(name="x", param_type=ToolParamType.FLOAT, enum_values=[1.5], default=1.5, required=False),
    ]
    component = tool(parameters=parameters)
    assert parameters_of(component["metadata"]) == {
        "type": "object",
        "properties": {each.name: each.to_parameter_schema() for each in parameters},
        "required": ["tags"],
    }


def test_an_action_is_a_tool_whose_conditions_the_model_is_told() -> None:
    tools = offered(action(action_parameters={"who": "Whom."}, action_require=["when greeted"]))
    wave = tools.by_name["wave"]
    assert wave.is_action
    assert wave.description.startswith("Wave a hand.")
    assert "when greeted" in wave.description
    assert wave.brief == "Wave a hand."
    assert wave.parameters["properties"] == {"who": {"type": "string", "description": "Whom."}}


@pytest.mark.parametrize(
    ("declared", "in_full", "to_be_found"),
    [
        ({"visibility": "visible"}, True, False),
        ({"visibility": "deferred"}, False, True),
        ({"visibility": "hidden"}, False, False),
        ({}, False, True),
        ({"core_tool": True}, True, False),
        ({"visibility": "everywhere"}, False, True),
        ({"visibility": "deferred", "core_tool": True}, False, True),
    ],
)
def test_how_visible_a_tool_is(declared: dict[str, Any], in_full: bool, to_be_found: bool) -> None:
    tools = offered(tool(**declared))
    assert (bool(tools.definitions()), bool(tools.deferred())) == (in_full, to_be_found)


def test_a_deferred_tool_is_told_in_a_line_and_offered_once_it_was_found() -> None:
    tools = offered(tool(description="Tells the weather."), tool("dice", description="Rolls dice."))
    assert reminder(tools.deferred()).splitlines()[1:] == ["- weather: Tells the weather.", "- dice: Rolls dice."]
    assert [each.name for each in tools.search("WEATHER forecast")] == ["weather"]
    assert [each["function"]["name"] for each in tools.definitions(found={"weather"})] == ["weather"]
    assert [each.name for each in tools.deferred(found={"weather"})] == ["dice"]
    assert reminder([]) == ""


def test_of_two_plugins_tools_with_one_name_the_first_is_kept() -> None:
    tools = offered(tool(description="first"), tool(description="second"))
    assert tools.by_name["weather"].plugin_id == "plugin.0"
    assert tools.dropped == (DroppedTool("plugin.1", "weather", "plugin.0"),)


def test_a_tool_named_like_one_of_the_bot_is_offered_under_another_name() -> None:
    tools = offered(tool("reply"), taken=("reply",))
    assert list(tools.by_name) == ["plugin_plugin_0_reply"]
    assert tools.by_name["plugin_plugin_0_reply"].name == "reply"
    long = "reply" * 20
    (name,) = offered(tool(long), taken=(long,)).by_name
    assert len(name) == 64


@pytest.mark.parametrize(
    ("declared", "in_group", "in_private"),
    [
        ({}, True, True),
        ({"chat_scope": "group"}, True, False),
        ({"chat_scope": "private"}, False, True),
        ({"chat_scope": "nowhere"}, True, True),
        ({"platforms": ["QQ", "tg"]}, True, False),
        ({"platforms": "wx"}, False, True),
        ({"allowed_session": ["s2"]}, False, True),
        ({"allowed_session": ["123456"]}, True, False),
        ({"allowed_session": ["qq:123456"]}, True, False),
    ],
)
def test_a_tool_is_kept_to_its_chats(declared: dict[str, Any], in_group: bool, in_private: bool) -> None:
    component = tool(**declared)
    assert bool(offered(component).by_name) is in_group
    assert bool(offered(component, place=PRIVATE).by_name) is in_private


def test_a_tool_that_is_switched_off_is_not_there() -> None:
    component = tool()
    component["metadata"]["enabled"] = False
    assert offered(component).by_name == {}


def test_the_handler_gets_the_models_arguments_and_the_chat_where_they_leave_room() -> None:
    weather = offered(tool()).by_name["weather"]
    assert weather.arguments({"city": "Oslo", "platform": "", "group_id": "own"}, GROUP) == {
        "city": "Oslo",
        "platform": "qq",
        "group_id": "own",
        "stream_id": "s1",
        "chat_id": "s1",
    }
    assert weather.arguments({}, PRIVATE) == {"stream_id": "s2", "chat_id": "s2", "platform": "wx", "user_id": "555"}


def test_the_handler_of_an_action_gets_its_arguments_as_data_and_the_planners_thoughts_too() -> None:
    wave = offered(action()).by_name["wave"]
    assert wave.arguments({"who": "Lin"}, GROUP, "polite") == {
        "who": "Lin",
        "action_data": {"who": "Lin"},
        "reasoning": "polite",
        "stream_id": "s1",
        "chat_id": "s1",
        "platform": "qq",
        "group_id": "123456",
    }
