"""Every key that plugins may change at a hook fired in a turn has its effect, and every abort; none is forgotten.

The hooks, their keys and what an abort does stand in ``tests/data/hooks.json``: a key without a case here fails.
"""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from host.bot import Outcome, Status, session_id
from host.bot.bounds import AnsweringSettings
from host.bot.builtin_tools import definition
from host.bot.splitting import SplittingSettings
from host.catalogue import BUILTIN_HOOKS
from host.catalogue.context_items import items_of_messages
from host.hooks import Declaration
from host.storage import Storage
from tests.bot.chat import NOW, MemoryGateway, message_dict
from tests.bot.components import components_of
from tests.bot.talk import Talk, calls, talk
from tests.models.endpoint import says

CHAINS = ("chat.", "expression.select.", "maisaka.", "send_service.")
FACTS: list[dict[str, Any]] = [
    fact
    for fact in json.loads((Path(__file__).parents[1] / "data" / "hooks.json").read_text(encoding="utf-8"))
    if fact["name"].startswith(CHAINS)
]
FIRED = [fact["name"] for fact in FACTS]
SPECS = {spec.name: spec for spec in BUILTIN_HOOKS}
ABORT = "on_abort"
KEYS = [
    (fact["name"], key) for fact in FACTS for key in {**fact["read_back"], **fact.get("read_back_message_form", {})}
]
ABORTS = [fact["name"] for fact in FACTS if fact["allow_abort"]]
TEA_ROOM = session_id("qq", account_id="10001", group_id="123456")
LONG = "There is green tea on the shelf. There is black tea in the pot."
ONLY = [{"role": "user", "content": "Only this."}]

TEA = """
    from maibot_sdk import Command, MaiBotPlugin

    class Tea(MaiBotPlugin):
        async def on_load(self): ...

        @Command("sip", pattern=r"^/sip (?P<what>\\w+)")
        async def sip(self, text, matched_groups, plugin_config=None, **kwargs):
            return True, f"{matched_groups['what']} of {plugin_config}: {text}", False

    create_plugin = Tea
"""


async def _config_of(plugin_id: str) -> dict[str, Any]:
    return {"is": plugin_id}


@dataclass(slots=True)
class Turn:
    """A turn that goes through all the chains: a command that lets it go on, a plan, expressions, a reply, its sending.

    Attributes:
        here: the talk.
        seen: the payloads of each hook, as its handlers left them.
        logged: lines of the log.
    """

    here: Talk
    seen: dict[str, list[dict[str, Any]]]
    logged: list[str]

    def change(self, hook: str, **keys: Any) -> None:
        self.here.chat.changing(hook, **keys)

    def change_message(self, hook: str, **keys: Any) -> None:
        self.here.chat.changing_message(hook, **keys)

    async def go(self, text: str = "/sip tea") -> Outcome:
        return await self.here.chat.bot.receive(message_dict(text))

    async def said(self) -> list[str]:
        await self.go()
        return self.gateway.texts()

    async def kept(self) -> list[str]:
        return [message.text for message in await self.here.chat.store.of(TEA_ROOM)]

    @property
    def gateway(self) -> MemoryGateway:
        return self.here.chat.gateway

    def last(self, hook: str) -> dict[str, Any]:
        """The payload of a hook's last dispatch."""
        return self.seen[hook][-1]


Effect = Callable[[Turn], Awaitable[None]]
CASES: dict[tuple[str, str], tuple[Effect, dict[str, Any]]] = {}


def effect(hook: str, key: str, **setting: Any) -> Callable[[Effect], Effect]:
    """Declares the case of a key; `setting` is of the turn."""

    def declare(case: Effect) -> Effect:
        assert (hook, key) not in CASES
        CASES[hook, key] = (case, setting)
        return case

    return declare


@asynccontextmanager
async def turn(folder: Path, logged: list[str], *answers: Any, **bot: Any) -> AsyncIterator[Turn]:
    async with AsyncExitStack() as opened:
        components = await opened.enter_async_context(components_of(folder, tea=TEA))
        storage = await opened.enter_async_context(Storage.open(folder / "database.sqlite3"))
        for situation, style in (("asked for tea", "lovely"), ("leaving", "cheers")):
            await storage.expressions.learn(TEA_ROOM, situation, style, now=NOW)
        here = await opened.enter_async_context(
            talk(
                *answers or (says("Plenty."),),
                components=components,
                plugin_config=_config_of,
                expressions=storage.expressions,
                **bot,
            )
        )
        seen: dict[str, list[dict[str, Any]]] = {hook: [] for hook in FIRED}

        async def watch(hook_name: str, **kwargs: Any) -> None:
            seen[hook_name].append(kwargs)

        watchers = [Declaration(hook=hook, handler=watch, name=hook) for hook in FIRED]
        here.chat.hooks.register("test.watcher", watchers)
        yield Turn(here, seen, logged)


async def test_all_hooks_of_a_turn_are_fired_with_payloads_of_just_their_keys(
    tmp_path: Path, logged: list[str]
) -> None:
    async with turn(tmp_path, logged) as here:
        outcome = await here.go()
    assert (outcome.status, outcome.failures) == (Status.REPLIED, ())
    for fact in FACTS:
        (payload,) = here.seen[fact["name"]]
        assert payload.keys() == fact["parameters"].keys(), fact["name"]
        spec = SPECS[fact["name"]]
        TypeAdapter(spec.payload).validate_python(payload, strict=True)


@pytest.mark.parametrize(("hook", "key"), KEYS)
async def test_a_key_that_a_plugin_changed_has_its_effect(
    hook: str, key: str, tmp_path: Path, logged: list[str]
) -> None:
    case, setting = CASES[hook, key]
    async with turn(tmp_path, logged, *setting.get("answers", ()), **_bot(setting)) as here:
        await case(here)


@pytest.mark.parametrize("hook", ABORTS)
async def test_an_abort_has_its_effect(hook: str, tmp_path: Path, logged: list[str]) -> None:
    case, setting = CASES[hook, ABORT]
    async with turn(tmp_path, logged, **_bot(setting)) as here:
        here.here.chat.returning(hook, {"action": "abort"})
        await case(here)


async def test_aborts_that_are_not_allowed_are_recorded_and_the_turn_goes_on(tmp_path: Path, logged: list[str]) -> None:
    hooks = [hook for hook in FIRED if hook not in ABORTS]
    async with turn(tmp_path, logged) as here:
        for hook in hooks:
            here.here.chat.returning(hook, {"action": "abort"}, plugin=f"test.{hook}")
        outcome = await here.go()
    assert outcome.status is Status.REPLIED
    assert {(each.hook, each.error.kind) for each in outcome.failures} == {
        (hook, "abort_not_allowed") for hook in hooks
    }


def test_every_key_and_every_abort_has_a_case_and_no_case_is_of_another() -> None:
    assert CASES.keys() == {*KEYS, *((hook, ABORT) for hook in ABORTS)}


def _bot(setting: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in setting.items() if key != "answers"}


# Receiving.


@effect("chat.receive.before_process", "message")
async def _(here: Turn) -> None:
    here.change_message("chat.receive.before_process", raw_message=[{"type": "text", "data": "/sip milk"}])
    assert (await here.go()).text == "/sip milk"
    assert here.last("chat.receive.after_process")["message"]["processed_plain_text"] == "/sip milk"


@effect("chat.receive.after_process", "message")
async def _(here: Turn) -> None:
    here.change_message("chat.receive.after_process", processed_plain_text="/sip milk")
    assert (await here.go()).text == "/sip milk"
    assert here.last("chat.command.before_execute")["matched_groups"] == {"what": "milk"}


async def _stopped(here: Turn) -> None:
    assert (await here.go()).status is Status.STOPPED
    assert (await here.kept(), here.seen["chat.command.before_execute"], here.gateway.deliveries) == ([], [], [])


effect("chat.receive.before_process", ABORT)(_stopped)
effect("chat.receive.after_process", ABORT)(_stopped)


# Commands.


@effect("chat.command.before_execute", "message")
async def _(here: Turn) -> None:
    here.change_message("chat.command.before_execute", processed_plain_text="/sip less")
    await here.go()
    assert here.last("chat.command.after_execute")["response"].endswith(": /sip less")


@effect("chat.command.before_execute", "command_name")
async def _(here: Turn) -> None:
    here.change("chat.command.before_execute", command_name="gulp")
    await here.go()
    assert here.last("chat.command.after_execute")["command_name"] == "gulp"
    assert any("The command gulp succeeded" in line for line in here.logged)


@effect("chat.command.before_execute", "plugin_id")
async def _(here: Turn) -> None:
    here.change("chat.command.before_execute", plugin_id="team.pot")
    await here.go()
    assert here.last("chat.command.after_execute")["response"].startswith("tea of {'is': 'team.pot'}")


@effect("chat.command.before_execute", "matched_groups")
async def _(here: Turn) -> None:
    here.change("chat.command.before_execute", matched_groups={"what": "mint"})
    await here.go()
    assert here.last("chat.command.after_execute")["response"].startswith("mint of")


@effect("chat.command.before_execute", ABORT)
async def _(here: Turn) -> None:
    assert (await here.go()).status is Status.STOPPED
    assert (here.seen["chat.command.after_execute"], here.here.planner.asked) == ([], [])
    assert await here.kept() == ["/sip tea"]


@effect("chat.command.after_execute", "message")
async def _(here: Turn) -> None:
    here.change_message("chat.command.after_execute", processed_plain_text="Any milk?")
    await here.go()
    assert "Any milk?" in here.here.planned()


@effect("chat.command.after_execute", "success")
async def _(here: Turn) -> None:
    here.change("chat.command.after_execute", success=False)
    await here.go()
    assert any("The command sip failed" in line for line in here.logged)


@effect("chat.command.after_execute", "response")
async def _(here: Turn) -> None:
    here.change("chat.command.after_execute", response="out of leaves")
    await here.go()
    assert "INFO The command sip succeeded: out of leaves" in here.logged


@effect("chat.command.after_execute", "intercept_message_level")
async def _(here: Turn) -> None:
    here.change("chat.command.after_execute", intercept_message_level=2, continue_process=False)
    await here.go()
    (message,) = await here.here.chat.store.of(TEA_ROOM)
    assert message.additional_config["intercept_message_level"] == 2


@effect("chat.command.after_execute", "continue_process")
async def _(here: Turn) -> None:
    here.change("chat.command.after_execute", continue_process=False)
    assert (await here.go()).status is Status.COMMAND
    assert here.here.planner.asked == []


# Planning.

PLAN, PLANNED = "maisaka.planner.before_request", "maisaka.planner.after_response"


@effect(PLAN, "messages")
async def _(here: Turn) -> None:
    here.change(PLAN, messages=ONLY)
    await here.go()
    assert here.here.planner.asked[0].json["messages"] == ONLY


@effect(PLAN, "items")
async def _(here: Turn) -> None:
    here.change(PLAN, items=[item.to_dict() for item in items_of_messages(ONLY)], messages=[])
    await here.go()
    assert here.here.planner.asked[0].json["messages"] == ONLY


@effect(PLAN, "item_schema_version")
async def _(here: Turn) -> None:
    here.change(PLAN, item_schema_version=2, items=[item.to_dict() for item in items_of_messages(ONLY)])
    (failure,) = (await here.go()).failures
    assert failure.hook == PLAN
    assert "/sip tea" in here.here.planned()


@effect(PLAN, "tool_definitions")
async def _(here: Turn) -> None:
    pour = definition("pour", "Pours.", {"type": "object", "properties": {}})
    here.change(PLAN, tool_definitions=[pour])
    await here.go()
    assert here.here.tools(0) == ["pour"]
    assert here.gateway.deliveries == []


@effect(PLANNED, "response")
async def _(here: Turn) -> None:
    here.change(PLANNED, response="They are thirsty.")
    await here.go()
    assert here.last("maisaka.replyer.before_request")["reply_reason"] == "They are thirsty."


@effect(PLANNED, "tool_calls", plan=[calls("no_reply")])
async def _(here: Turn) -> None:
    here.change(PLANNED, tool_calls=[{"id": "c1", "function": {"name": "reply", "arguments": {"msg_id": "771"}}}])
    assert await here.said() == ["Plenty."]


@effect(PLANNED, "output_items", plan=[calls("no_reply")])
async def _(here: Turn) -> None:
    async def call_reply(output_items: list[dict[str, Any]], **kwargs: Any) -> dict[str, Any]:
        output_items[0]["tool_call"] |= {"func_name": "reply", "args": {"msg_id": "771"}}
        return {"modified_kwargs": {"output_items": output_items}}

    here.here.chat.on(PLANNED, call_reply)
    assert await here.said() == ["Plenty."]


def _tokens(kind: str, line: str) -> None:
    @effect(PLANNED, f"{kind}_tokens")
    async def _(here: Turn) -> None:
        here.change(PLANNED, **{f"{kind}_tokens": 7})
        await here.go()
        assert f"DEBUG planner: {line} tokens" in here.logged


_tokens("prompt", "7 + 9 = 129")
_tokens("completion", "120 + 7 = 129")
_tokens("total", "120 + 9 = 7")


# Expressions.

SELECT, SELECTED = "expression.select.before_select", "expression.select.after_selection"
OWN = [{"id": 90, "situation": "thirsty", "style": "gasping", "count": 1}]


@effect(SELECT, "candidates")
async def _(here: Turn) -> None:
    here.change(SELECT, candidates=OWN)
    await here.go()
    assert "- thirsty: gasping" in here.here.asked()
    assert "lovely" not in here.here.asked()
    assert here.last("maisaka.replyer.before_request")["selected_expression_ids"] == [90]


@effect(SELECT, "max_num")
async def _(here: Turn) -> None:
    here.change(SELECT, max_num="1")
    await here.go()
    assert len(here.last(SELECTED)["selected_expression_ids"]) == 1


@effect(SELECT, ABORT)
async def _(here: Turn) -> None:
    assert await here.said() == ["Plenty."]
    assert here.seen[SELECTED] == []
    assert here.last("maisaka.replyer.before_request")["selected_expression_ids"] == []
    assert "lovely" not in here.here.asked()


@effect(SELECTED, "selected_expressions")
async def _(here: Turn) -> None:
    here.change(SELECTED, selected_expressions=[{"situation": "thirsty", "style": "gasping"}])
    await here.go()
    assert "- thirsty: gasping" in here.here.asked()
    assert "lovely" not in here.here.asked()


@effect(SELECTED, "selected_expression_ids")
async def _(here: Turn) -> None:
    here.change(SELECTED, selected_expression_ids=[2, 4711])
    await here.go()
    assert here.last("maisaka.replyer.before_model_request")["selected_expression_ids"] == [2]
    assert "- leaving: cheers" in here.here.asked()
    assert "lovely" not in here.here.asked()


@effect(SELECTED, ABORT)
async def _(here: Turn) -> None:
    assert await here.said() == ["Plenty."]
    assert here.last("maisaka.replyer.before_request")["selected_expression_ids"] == []
    assert "lovely" not in here.here.asked()


# Replying.

ASK, SENT_OFF = "maisaka.replyer.before_request", "maisaka.replyer.before_model_request"
WORDED, POST = "maisaka.replyer.after_response", "maisaka.reply.before_post_process"


@effect(ASK, "task_name")
async def _(here: Turn) -> None:
    here.change(ASK, task_name="utility")
    await here.go()
    assert here.here.endpoint.asked[-1].json["model"] == "other-model"


@effect(ASK, "model_name")
async def _(here: Turn) -> None:
    here.change(ASK, model_name="other-model")
    await here.go()
    body = here.here.endpoint.asked[-1].json
    assert (body["model"], body["temperature"]) == ("other-model", 0.5)


@effect(ASK, "extra_prompt")
async def _(here: Turn) -> None:
    here.change(ASK, extra_prompt="Rhyme.")
    await here.go()
    assert "Rhyme." in here.here.asked()


@effect(ASK, "reply_tool_args")
async def _(here: Turn) -> None:
    here.change(ASK, reply_tool_args={"mood": "merry"})
    await here.go()
    for later in (SENT_OFF, WORDED, POST):
        assert here.last(later)["reply_tool_args"] == {"mood": "merry"}


@effect(ASK, "reference_info")
async def _(here: Turn) -> None:
    here.change(ASK, reference_info="The pot is empty.")
    await here.go()
    assert "The pot is empty." in here.here.asked()


@effect(SENT_OFF, "messages")
async def _(here: Turn) -> None:
    here.change(SENT_OFF, messages=ONLY)
    await here.go()
    assert here.here.endpoint.asked[-1].json["messages"] == ONLY
    assert await here.kept() == ["/sip tea", "Plenty."]


@effect(SENT_OFF, "items")
async def _(here: Turn) -> None:
    here.change(SENT_OFF, items=[item.to_dict() for item in items_of_messages(ONLY)], messages=[])
    await here.go()
    assert here.here.endpoint.asked[-1].json["messages"] == ONLY


@effect(WORDED, "response")
async def _(here: Turn) -> None:
    here.change(WORDED, response="None.")
    assert (await here.said())[0].endswith("None.")


@effect(WORDED, "output_items")
async def _(here: Turn) -> None:
    async def rewrite(output_items: list[dict[str, Any]], **kwargs: Any) -> dict[str, Any]:
        output_items[0]["parts"] = [{"type": "text", "text": "By items."}]
        return {"modified_kwargs": {"output_items": output_items, "response": "By text."}}

    here.here.chat.on(WORDED, rewrite)
    assert (await here.said())[0].endswith("By items.")


@effect(WORDED, "retry")
async def _(here: Turn) -> None:
    here.change(WORDED, retry="retry")
    await here.go()
    assert len(here.here.endpoint.asked) == 4


@effect(WORDED, "retry_reason")
async def _(here: Turn) -> None:
    here.change(WORDED, retry=True, retry_reason="Too dull.")
    await here.go()
    assert "Too dull." not in here.here.asked(0)
    assert "Too dull." in here.here.asked(1)


def _matched(key: str) -> None:
    @effect(WORDED, key)
    async def _(here: Turn) -> None:
        here.change(WORDED, retry=True, retry_reason="dull", **{key: "no-dull"})
        await here.go()
        assert any("dull" in line and "no-dull" in line for line in here.logged if line.startswith("INFO"))


_matched("matched_regex")
_matched("matched_regex_pattern")
_matched("matched_regex_description")


@effect(POST, "response")
async def _(here: Turn) -> None:
    here.change(POST, response="Little.")
    assert (await here.said())[0].endswith("Little.")


IN_PIECES = {"answers": (says(LONG),), "splitting": SplittingSettings(max_length=40)}


@effect(POST, "skip_post_process", **IN_PIECES)
async def _(here: Turn) -> None:
    here.change(POST, skip_post_process=True)
    assert len(await here.said()) == 1


@effect(POST, "enable_splitter", **IN_PIECES)
async def _(here: Turn) -> None:
    here.change(POST, enable_splitter=False)
    assert len(await here.said()) == 1


WEATHER = "今天的天气真好我们一起去公园散步吧"


@effect(POST, "enable_chinese_typo", answers=(says(WEATHER),), answering=AnsweringSettings(typo_rate=1.0))
async def _(here: Turn) -> None:
    here.change(POST, enable_chinese_typo=True)
    (said,) = await here.said()
    assert said != WEATHER
    assert len(said) == len(WEATHER)


# Sending.

BUILT, BEFORE = "send_service.after_build_message", "send_service.before_send"


def _sending(hook: str) -> None:
    @effect(hook, "message")
    async def _(here: Turn) -> None:
        here.change_message(hook, raw_message=[{"type": "text", "data": "coffee"}])
        assert (await here.said())[0].endswith("coffee")
        assert here.last("send_service.after_send")["message"]["raw_message"][-1]["data"] == "coffee"

    @effect(hook, "typing")
    async def _(here: Turn) -> None:
        here.change(hook, typing=False)
        await here.go()
        assert here.gateway.deliveries[0].typing is False

    @effect(hook, "set_reply")
    async def _(here: Turn) -> None:
        here.change(hook, set_reply=False)
        assert await here.said() == ["Plenty."]
        assert here.gateway.deliveries[0].reply_message_id is None

    @effect(hook, "storage_message")
    async def _(here: Turn) -> None:
        here.change(hook, storage_message=False)
        await here.go()
        assert await here.kept() == ["/sip tea"]

    @effect(hook, "show_log")
    async def _(here: Turn) -> None:
        here.change(hook, show_log=False)
        await here.go()
        assert not any(line.startswith("INFO Sent") for line in here.logged)

    @effect(hook, ABORT)
    async def _(here: Turn) -> None:
        assert (await here.go()).status is Status.NOT_SENT
        assert (here.seen["send_service.after_send"], here.gateway.deliveries) == ([], [])
        assert await here.kept() == ["/sip tea"]


_sending(BUILT)
_sending(BEFORE)


@effect(BEFORE, "reply_message_id")
async def _(here: Turn) -> None:
    here.change(BEFORE, reply_message_id=770)
    await here.go()
    (delivery,) = here.gateway.deliveries
    assert (delivery.reply_message_id, delivery.message.reply_to) == ("770", "770")
