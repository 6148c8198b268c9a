"""Each decorator with each parameter, and typical and odd values for it: the same is collected, and the same raises.

Values are source text, so that each SDK makes its own.
"""

import inspect
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maibot_sdk import components
from tests.oracle.comparison import Both, differences, shaped

pytestmark = pytest.mark.oracle

REQUIRED = {
    "API": {"name": "'a'"},
    "Action": {"name": "'a'"},
    "Command": {"name": "'a'"},
    "EventHandler": {"name": "'a'"},
    "HomeCard": {"name": "'a'", "title": "'t'"},
    "HookHandler": {"hook": "'x.y'"},
    "LLMProvider": {"client_type": "'a'"},
    "MessageGateway": {"route_type": "'send'"},
    "ReplyExtension": {"name": "'a'"},
    "Tool": {"name": "'a'"},
    "WorkflowStep": {},
}
"""The least that each decorator takes."""

FREE_KEYWORDS = ("extra", "enabled", "metadata", "type", "handler_name", "parameters_raw", "brief_description")

VALUES = (
    "None",
    "''",
    "'  '",
    "'text'",
    "' Text '",
    "'天气.v-2'",
    "'5'",
    "'true'",
    "0",
    "1",
    "-1",
    "2.5",
    "float('nan')",
    "10**30",
    "True",
    "False",
    "b'x'",
    "[]",
    "['a']",
    "[' A ', 'a', 'b']",
    "['']",
    "[1, None]",
    "()",
    "('a', 'b')",
    "{}",
    "{'a'}",
    "{'a': 1}",
    "{'a': None, 'b': 'words'}",
    "{1: 2}",
    "{'a': {'type': 'string', 'required': True}, 'b': {'required': 0}, 'c': 'x'}",
    "{'a': {'type': ' Integer ', 'description': ' d ', 'enum': [1], 'default': None, 'required': []}}",
    "{'type': 'object'}",
    "{'type': 'object', 'properties': {'a': {}}, 'required': ['a']}",
    "{'type': 'string'}",
    "{'type': {'type': 'string'}}",
    "{'properties': {'a': {'type': 'string'}}}",
    "[ToolParameterInfo(name='q')]",
    "[ToolParameterInfo(name='n', param_type='float', required=False, default=1.5, enum_values=[1, 2])]",
    "[ToolParameterInfo(name='o', param_type='object', properties={'x': {}}, required_properties=['x'])]",
    "[{'name': 'q'}]",
    "(ToolParameterInfo(name='q'),)",
    "ToolParameterInfo(name='q')",
    "HookMode.OBSERVE",
    "HookOrder.LATE",
    "ErrorPolicy.ABORT",
    "EventType.ON_START",
    "ActivationType.KEYWORD",
    "ChatMode.FOCUS",
    "MessageGatewayRouteType.DUPLEX",
    "'observe'",
    "'early'",
    "'Observe'",
    "'abort'",
    "'on_stop'",
    "'keyword'",
    "'focus'",
    "'receive'",
    "' RECV '",
    "'group'",
    "'Large'",
    "object()",
    "len",
    "Exception('x')",
)


MEMBERS = {value for value in VALUES if value.split(".")[0].endswith(("Mode", "Order", "Policy", "Type"))}
LISTS_OF_PARAMETERS = {value for value in VALUES if value.startswith("[ToolParameterInfo")}
TABLES = {value for value in VALUES if value.startswith("{") and ":" in value}
NOTHING = {"None", "''", "[]", "()", "{}"}

MEMBER = "where a text is meant, a member of an enum is its value and not its name"
BLANK = "a blank text says nothing, so that the words made of the name take its place"
BYTES = "the words made of a name are made of the name as it is registered"
PLAIN = "also takes the plain value, and refuses what is no member of the very enum with a ValueError"
SHAPES = "a tuple or dicts are understood, and what cannot be understood is refused instead of dropped"
FILLER = "the words for a parameter without a description are our own"
WHOLE = "one parameter where a map of texts is meant is no use to either"
BARE = "a function instead of a name: used without parentheses, which is refused"

DIFFERENCES: dict[tuple[str, str], dict[str, set[str]]] = {
    ("API", "version"): {MEMBER: MEMBERS},
    ("Action", "action_parameters"): {
        FILLER: {"{'a': None, 'b': 'words'}"},
        WHOLE: {"ToolParameterInfo(name='q')"},
    },
    ("Action", "activation_type"): {PLAIN: {*VALUES} - {"ActivationType.KEYWORD"}},
    ("Action", "chat_mode"): {PLAIN: {*VALUES} - {"ChatMode.FOCUS"}},
    ("Action", "description"): {BLANK: {"'  '"}, MEMBER: MEMBERS},
    ("Action", "name"): {BYTES: {"b'x'"}, MEMBER: MEMBERS},
    ("HomeCard", "icon"): {MEMBER: MEMBERS},
    ("HomeCard", "link_label"): {MEMBER: MEMBERS},
    ("HomeCard", "link_url"): {MEMBER: MEMBERS},
    ("HomeCard", "name"): {MEMBER: MEMBERS},
    ("HomeCard", "title"): {MEMBER: MEMBERS},
    ("HomeCard", "width"): {MEMBER: MEMBERS},
    ("HookHandler", "hook"): {BARE: {"len"}, MEMBER: MEMBERS},
    ("HookHandler", "name"): {MEMBER: MEMBERS},
    ("LLMProvider", "client_type"): {MEMBER: MEMBERS},
    ("LLMProvider", "name"): {MEMBER: MEMBERS},
    ("LLMProvider", "version"): {MEMBER: MEMBERS},
    ("MessageGateway", "account_id"): {MEMBER: MEMBERS},
    ("MessageGateway", "platform"): {MEMBER: MEMBERS},
    ("MessageGateway", "protocol"): {MEMBER: MEMBERS},
    ("MessageGateway", "route_type"): {MEMBER: {"MessageGatewayRouteType.DUPLEX"}},
    ("MessageGateway", "scope"): {MEMBER: MEMBERS},
    ("Tool", "brief_description"): {BLANK: {"'  '"}, MEMBER: MEMBERS},
    ("Tool", "description"): {BLANK: {"'  '"}, MEMBER: MEMBERS},
    ("Tool", "name"): {BYTES: {"b'x'"}, MEMBER: MEMBERS},
    ("Tool", "parameters"): {SHAPES: {*VALUES} - LISTS_OF_PARAMETERS - TABLES - NOTHING},
}
"""By decorator and parameter, why it differs for which values."""


def question(decorator: str, arguments: dict[str, str]) -> dict[str, Any]:
    source = ", ".join(f"{name}={value}" for name, value in {**REQUIRED[decorator], **arguments}.items())
    return {"ask": "declare", "decorator": decorator, "arguments": source}


def parameters_of(decorator: str) -> list[str]:
    signature = inspect.signature(getattr(components, decorator))
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    named = [parameter.name for parameter in signature.parameters.values() if parameter.kind not in kinds]
    return list(dict.fromkeys([*named, *FREE_KEYWORDS]))


def differing(decorator: str, parameter: str) -> set[str]:
    return set().union(*DIFFERENCES.get((decorator, parameter), {}).values())


PARAMETERS = [(decorator, parameter) for decorator in REQUIRED for parameter in parameters_of(decorator)]


@pytest.mark.parametrize(("decorator", "parameter"), PARAMETERS)
def test_a_value_of_a_parameter_means_the_same(both: Both, decorator: str, parameter: str) -> None:
    told = both.differences([question(decorator, {parameter: value}) for value in VALUES])
    found = {value: difference for value, difference in zip(VALUES, told, strict=True) if difference}
    assert found.keys() == differing(decorator, parameter), found


def test_every_difference_belongs_to_a_parameter() -> None:
    assert DIFFERENCES.keys() <= set(PARAMETERS)


ALIKE = {
    decorator: [
        (parameter, value)
        for parameter in parameters_of(decorator)
        for value in VALUES
        if value not in differing(decorator, parameter)
    ]
    for decorator in REQUIRED
}
SEVERAL = st.sampled_from([*REQUIRED]).flatmap(
    lambda decorator: st.tuples(
        st.just(decorator), st.lists(st.sampled_from(ALIKE[decorator]), min_size=2, max_size=4).map(dict)
    )
)


@given(st.lists(SEVERAL, min_size=1, max_size=20))
@settings(max_examples=60, deadline=None)
def test_values_of_several_parameters_mean_the_same_together(
    both: Both, declared: list[tuple[str, dict[str, str]]]
) -> None:
    theirs, ours = both.answers([question(*case) for case in declared])
    for case, one, other in zip(declared, theirs, ours, strict=True):
        # Where several values are wrong, the one that is told first may be another.
        if not ("raises" in one and "raises" in other):
            assert list(differences(shaped(one), shaped(other))) == [], case


def test_without_arguments_and_parentheses_they_mean_the_same_but_for_the_hook_handler(both: Both) -> None:
    decorators = [decorator for decorator in REQUIRED if decorator != "HookHandler"]
    told = both.differences([{"ask": "declare", "decorator": decorator, "arguments": ""} for decorator in decorators])
    assert [difference for difference in told if difference] == []
