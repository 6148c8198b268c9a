"""Which command a message calls, who may call it, and what its return means."""

from dataclasses import replace
from typing import Any

import pytest

from host.bot.chat_place import ChatPlace
from host.bot.commands import (
    Admission,
    Command,
    CommandMatch,
    CommandPolicy,
    CommandResult,
    CommandRule,
    command_arguments,
    find_command,
    marked_as_command,
)
from host.bot.message import SessionMessage
from maibot_sdk import Command as CommandDecorator
from maibot_sdk.components import collect_components
from tests.bot.chat import message_dict, parsed, private_dict

PLACE = ChatPlace.of(parsed())


def command(name: str = "hello", pattern: str = "", *, builtin: bool = False, **declared: Any) -> Command:
    """A command as the decorator declares it."""

    class Plugin:
        @CommandDecorator(name, pattern=pattern, **declared)
        async def run(self, **kwargs: Any) -> None: ...

    return Command.of("demo.plugin", collect_components(Plugin())[0], builtin=builtin)


def found(text: str, *commands: Command, place: ChatPlace = PLACE) -> CommandMatch | None:
    return find_command(text, commands, place)


def test_a_pattern_matches_anywhere_and_gives_its_named_groups() -> None:
    weather = command(pattern=r"weather in (?P<city>\w+)( on (?P<day>\w+))?")
    assert found("the weather in Oslo please", weather) == CommandMatch(weather, {"city": "Oslo", "day": None})
    assert found("Weather in Oslo", weather) is None


def test_the_text_is_taken_as_it_is() -> None:
    anchored = command(pattern=r"^/hi$")
    assert found("/hi", anchored)
    assert found(" /hi", anchored) is None
    assert found("/hi ", anchored) is None


def test_an_alias_is_a_beginning_tried_after_the_pattern() -> None:
    both = command(pattern=r"^/roll (?P<sides>\d+)$", aliases=["/roll", "掷骰子"])
    assert found("/roll 20", both) == CommandMatch(both, {"sides": "20"})
    assert found("/rolling", both) == CommandMatch(both, {})
    assert found("掷骰子一次", both) == CommandMatch(both, {})
    assert found("/Roll", both) is None


@pytest.mark.parametrize("text", ["", "anything"])
def test_what_names_nothing_calls_nothing(text: str) -> None:
    assert found(text, command(pattern=""), command(aliases=[""])) is None


def test_a_bad_pattern_is_told_and_leaves_the_aliases() -> None:
    bad = command(pattern="(", aliases=["/a"])
    assert bad.bad_pattern is not None
    assert "'('" in bad.bad_pattern.text()
    assert "'('" in bad.bad_pattern.text("zh")
    assert found("(", bad) is None
    assert found("/a", bad)


def test_the_first_registered_wins_and_those_of_the_host_go_first() -> None:
    short, long, own = command("short", "/a"), command("long", "/a/b"), command("own", "/a/b", builtin=True)
    match = found("/a/b", short, long)
    assert match is not None
    assert match.command is short
    match = found("/a/b", short, long, own)
    assert match is not None
    assert match.command is own


def test_a_command_that_is_switched_off_or_kept_to_other_chats_does_not_match() -> None:
    private = ChatPlace.of(SessionMessage.from_dict(private_dict()).identified())
    off = command(pattern="hi")
    off = replace(off, component={**off.component, "metadata": {**off.component["metadata"], "enabled": False}})
    assert found("hi", off) is None
    for_group = command(pattern="hi", allowed_session=["qq:123456"])
    assert found("hi", for_group)
    assert found("hi", for_group, place=private) is None


@pytest.mark.parametrize("permission", ["public", "anything", None])
def test_everyone_may_call_what_is_not_for_operators(permission: str | None) -> None:
    declared: dict[str, Any] = {} if permission is None else {"permission": permission}
    assert CommandPolicy().admit(command(**declared), parsed()) is Admission.RUN


@pytest.mark.parametrize(
    ("policy", "admission"),
    [
        (CommandPolicy(), Admission.DENIED),
        (CommandPolicy(operators=("QQ:555",)), Admission.RUN),
        (CommandPolicy(operators=("qq:5555", "wx:555", "555")), Admission.DENIED),
        (CommandPolicy(rules={"demo.plugin.hello": CommandRule(allow_users=("qq:555",))}), Admission.RUN),
        (CommandPolicy(rules={"demo.plugin.other": CommandRule(allow_users=("qq:555",))}), Admission.DENIED),
        (CommandPolicy(rules={"demo.plugin.hello": CommandRule(allow_chats=(PLACE.session_id,))}), Admission.RUN),
        (CommandPolicy(operators=("qq:555",), disabled=("demo.plugin.hello",)), Admission.ORDINARY),
        (CommandPolicy(disabled_here={PLACE.session_id: ["demo.plugin.hello"]}), Admission.ORDINARY),
        (CommandPolicy(disabled_here={"other": ["demo.plugin.hello"]}), Admission.DENIED),
    ],
)
def test_a_command_for_operators_is_kept_to_those_that_the_owner_names(
    policy: CommandPolicy, admission: Admission
) -> None:
    assert policy.admit(command(permission="operator"), parsed()) is admission


@pytest.mark.parametrize(
    ("platform", "flag", "admission"),
    [
        ("bot_console", True, Admission.RUN),
        ("bot_console", "yes", Admission.DENIED),
        ("qq", True, Admission.DENIED),
    ],
)
def test_only_the_hosts_own_console_makes_an_operator(platform: str, flag: object, admission: Admission) -> None:
    typed = replace(parsed(), platform=platform, additional_config={"is_local_operator": flag})
    assert CommandPolicy().admit(command(permission="operator"), typed) is admission
    assert command_arguments(typed, {}, None)["is_local_operator"] is (admission is Admission.RUN)


def test_the_handler_gets_the_message_without_bytes_and_the_chat_by_its_ids() -> None:
    picture = {"type": "image", "data": "tea", "hash": "h", "binary_data_base64": "AAAA"}
    node = {"user_id": "1", "user_nickname": "n", "user_cardname": None, "message_id": "2", "content": [picture]}
    message = parsed(raw_message=[picture, {"type": "forward", "data": [node]}])
    arguments = command_arguments(message, {"city": "Oslo"}, {"plugin": {"enabled": True}})
    shown = arguments.pop("message")
    assert arguments == {
        "text": message.text,
        "stream_id": PLACE.session_id,
        "group_id": "123456",
        "platform": "qq",
        "user_id": "555",
        "is_local_operator": False,
        "matched_groups": {"city": "Oslo"},
        "plugin_config": {"plugin": {"enabled": True}},
    }
    bare = {"type": "image", "data": "tea", "hash": "h"}
    assert shown["raw_message"] == [bare, {"type": "forward", "data": [{**node, "content": [bare]}]}]
    assert shown["message_id"] == "771"
    assert message.raw_message[0] == picture


def test_in_a_private_chat_there_is_no_group_and_a_plugin_may_have_no_configuration() -> None:
    arguments = command_arguments(SessionMessage.from_dict(private_dict()).processed(), {}, None)
    assert arguments["group_id"] == ""
    assert "plugin_config" not in arguments


@pytest.mark.parametrize(
    ("value", "response", "level"),
    [
        ((True, "done", True), "done", 1),
        ([False, None, 0], None, 0),
        ((True, 7, "yes", "more"), "7", 1),
        ((True, "done"), "(True, 'done')", 0),
        (True, "True", 0),
        ({"a": 1}, "{'a': 1}", 0),
        ("text", "text", 0),
        (None, None, 0),
    ],
)
def test_what_a_command_returns_is_read(value: object, response: str | None, level: int) -> None:
    result = CommandResult.returned(command(), value)
    assert result == CommandResult(True, response, level)
    assert result.continue_process is (level == 0)


@pytest.mark.parametrize(("declared", "level"), [(0, 0), (1, 1), (2, 1), ("1", 0)])
def test_the_declaration_says_whether_the_turn_ends_unless_the_return_does(declared: object, level: int) -> None:
    intercepting = command(intercept_message_level=declared)
    assert CommandResult.returned(intercepting, None) == CommandResult(True, None, level)
    assert CommandResult.returned(intercepting, (True, None, False)) == CommandResult(True, None, 0)
    assert CommandResult.raised(intercepting, "boom") == CommandResult(False, "boom", level)
    assert CommandResult.lost("too late") == CommandResult(False, "too late", 1)


def test_a_message_that_called_a_command_is_marked_and_where_it_ended_the_turn_with_the_level() -> None:
    message = SessionMessage.from_dict(message_dict())
    assert marked_as_command(message, 0) == replace(message, is_command=True)
    assert marked_as_command(message, 1).additional_config == {"intercept_message_level": 1}


def test_free_keywords_one_level_deeper_count_too() -> None:
    metadata = {"command_pattern": "^/a$", "metadata": {"permission": "operator", "intercept_message_level": 1}}
    old = Command.of("demo.plugin", {"name": "a", "type": "COMMAND", "metadata": metadata})
    assert (old.for_operators, old.intercepts) == (True, True)
