"""One message, both families: who is asked when, and what each makes of it by its own rules."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from host.bot import Outcome, Status, Turns, TurnSettings
from host.bot.bub_turn import BubTurn
from host.bot.tool_results import Medium, ToolResult
from host.bub import AdmitDecision, Framework, LLMCallDecision, Tool, ToolCallDecision, hookimpl
from host.bub.builtin import NAME, Builtin
from host.bub.tapes import TapeQuery
from host.catalogue import BUILTIN_HOOKS
from tests.bot.chat import Chat, message_dict
from tests.bot.talk import Talk, calls, talk
from tests.bub.making import plugin
from tests.bub.order import ORDER
from tests.models.endpoint import says

REPLY = calls("reply", msg_id="771")
PICTURE = Medium("[image 1]")


def family(*plugins: object) -> Framework:
    """The defaults, and these."""
    made = Framework()
    made.plugins.register(Builtin(made), NAME)
    for number, each in enumerate(plugins):
        made.plugins.register(each, f"p{number}")
    return made


def guests(framework: Framework) -> Any:
    return lambda: BubTurn(framework)


class Witness:
    """Implements every hook of the turn, answers nothing, and writes down that it was asked."""

    def __init__(self, log: list[str]) -> None:
        self._log = log

    @hookimpl
    def resolve_session(self) -> None:
        self._log.append("resolve_session")

    @hookimpl
    def admit_message(self) -> None:
        self._log.append("admit_message")

    @hookimpl
    def provide_environment(self) -> None:
        self._log.append("provide_environment")

    @hookimpl
    def load_state(self) -> None:
        self._log.append("load_state")

    @hookimpl
    def build_prompt(self) -> None:
        self._log.append("build_prompt")

    @hookimpl
    def system_prompt(self) -> None:
        self._log.append("system_prompt")

    @hookimpl
    def before_llm_call(self) -> None:
        self._log.append("before_llm_call")

    @hookimpl
    def after_llm_call(self) -> None:
        self._log.append("after_llm_call")

    @hookimpl
    def before_tool_call(self) -> None:
        self._log.append("before_tool_call")

    @hookimpl
    def after_tool_call(self) -> None:
        self._log.append("after_tool_call")

    @hookimpl
    def continue_prompt(self) -> None:
        self._log.append("continue_prompt")

    @hookimpl
    def save_state(self) -> None:
        self._log.append("save_state")

    @hookimpl
    def render_outbound(self) -> None:
        self._log.append("render_outbound")

    @hookimpl
    def dispatch_outbound(self) -> None:
        self._log.append("dispatch_outbound")

    @hookimpl
    def on_error(self, stage: str) -> None:
        self._log.append(f"on_error {stage}")


def watched(talk: Talk, log: list[str]) -> None:
    """Have every named hook of the other family written down too."""
    for spec in BUILTIN_HOOKS:

        async def handler(hook_name: str, **_: Any) -> None:
            log.append(hook_name)

        talk.chat.on(spec.name, handler, plugin=f"watch.{spec.name.replace('_', '-')}")


async def run(
    *plugins: object, plan: Sequence[Any] = (REPLY,), turns: Turns | None = None
) -> tuple[Outcome, list[str]]:
    """What becomes of a message, and what was sent."""
    async with talk(plan=plan, guests=guests(family(*plugins)), turns=turns) as here:
        outcome = await here.chat.bot.receive(message_dict("Is there tea?"))
        return outcome, here.chat.gateway.texts()


async def test_the_order_of_both_families() -> None:
    log: list[str] = []
    host = family(Witness(log), plugin(provide_tools=lambda: [Tool("look", lambda: "seen", "Looks.")]))
    async with host.running(), talk(plan=(calls("look"), REPLY), guests=guests(host)) as here:
        watched(here, log)
        outcome = await here.chat.bot.receive(message_dict("Is there tea?"))
    assert outcome.status is Status.REPLIED
    assert log == ORDER


async def test_a_plugin_that_has_the_model_stage_words_the_reply() -> None:
    outcome, sent = await run(plugin(run_model=lambda prompt: f"heard: {prompt}"), plan=())
    assert [outcome.status, sent] == [Status.REPLIED, ["heard: Is there tea?"]]


async def test_where_only_the_offline_model_is_there_it_answers_too() -> None:
    chat = Chat(guests=guests(family(plugin(run_model=lambda prompt: f"heard: {prompt}"))))
    await chat.bot.receive(message_dict("x"))
    assert chat.gateway.texts() == ["heard: x"]


async def test_a_prompt_and_a_system_prompt_reach_the_models() -> None:
    host = family(plugin(build_prompt=lambda: "TEA?", system_prompt=lambda: "Be brief."))
    async with talk(guests=guests(host)) as here:
        await here.said()
        assert "TEA?" in here.planned()
        assert "Is there tea?" not in here.planned()
        assert "Be brief." in here.planned()
        assert "Be brief." in here.asked()


async def test_a_finished_call_is_the_reply_and_asks_nobody() -> None:
    outcome, sent = await run(plugin(before_llm_call=lambda: LLMCallDecision.finish("No.")), plan=())
    assert [outcome.status, sent] == [Status.REPLIED, ["No."]]


async def test_a_denied_reply_is_not_sent() -> None:
    deny = plugin(before_tool_call=lambda call: ToolCallDecision.deny("quiet") if call.tool == "reply" else None)
    outcome, sent = await run(deny, plan=(REPLY, says("Then nothing.")))
    assert [outcome.status, sent] == [Status.NO_REPLY, []]


@pytest.mark.parametrize("replaced", [False, True])
async def test_what_a_tool_found_beside_text_stays_unless_its_output_was_replaced(*, replaced: bool) -> None:
    def after_tool_call(result: Any) -> None:
        if replaced:
            result.result = "hidden"

    async def run(given: Mapping[str, Any]) -> ToolResult:
        return ToolResult(f"saw {given['what']}", media=(PICTURE,))

    guest = BubTurn(family(plugin(after_tool_call=after_tool_call)))
    result = await guest.call_tool("look", {"what": "tea"}, run)
    assert [result.output, result.media] == (["hidden", ()] if replaced else ["saw tea", (PICTURE,)])


async def test_all_of_render_outbound_is_said_and_what_is_for_elsewhere_is_not_said_here() -> None:
    dispatched: list[str] = []

    def render_outbound() -> list[Any]:
        return [{"content": "first"}, {"content": "there", "channel": "other"}]

    def dispatch_outbound(message: Any) -> None:
        dispatched.append(message["content"])

    _, sent = await run(plugin(render_outbound=render_outbound, dispatch_outbound=dispatch_outbound))
    assert sent == ["first", "Plenty."]
    assert dispatched == ["there", "first", "Plenty."]


@pytest.mark.parametrize("hook", ["load_state", "build_prompt", "render_outbound"])
async def test_a_failing_turn_hook_ends_the_turn_and_is_told(hook: str) -> None:
    told: list[Any] = []
    log: list[str] = []

    def boom() -> None:
        raise ValueError("boom")

    def on_error(stage: str, error: Exception) -> None:
        told.append([stage, str(error)])

    def save_state() -> None:
        log.append("saved")

    outcome, sent = await run(plugin(**{hook: boom}, on_error=on_error, save_state=save_state))
    assert [outcome.status, sent, told] == [Status.NO_REPLY, [], [["turn", "boom"]]]
    assert outcome.reason is not None
    assert "ValueError: boom" in outcome.reason.text()
    assert log == (["saved"] if hook == "render_outbound" else [])


async def test_a_message_whose_session_fails_is_dropped() -> None:
    told: list[str] = []

    def boom() -> None:
        raise ValueError("boom")

    def on_error(stage: str) -> None:
        told.append(stage)

    outcome, sent = await run(plugin(resolve_session=boom, on_error=on_error))
    assert [outcome.status, sent, told] == [Status.DROPPED, [], ["resolve_session"]]


async def test_a_dropped_message_reaches_nobody() -> None:
    log: list[str] = []
    outcome, sent = await run(plugin(admit_message=lambda: AdmitDecision("drop")), Witness(log))
    assert [outcome.status, sent] == [Status.DROPPED, []]
    assert log == ["resolve_session", "admit_message"]


async def test_the_tape_has_the_turn_with_the_model_that_answered() -> None:
    host = family()
    async with host.running(), talk(guests=guests(host)) as here:
        await here.said()
        entries = host.resources.tape_store.fetch_all(TapeQuery(host.resources.tape_store.list_tapes()[0]))
    models = [entry.meta["model"] for entry in entries if entry.payload.get("role") == "assistant"]
    assert models == ["plan-model", "main-model"]
    assert len({entry.meta["run_id"] for entry in entries}) == 1


async def test_a_decision_about_one_message_goes_before_the_settings() -> None:
    """The chat drops what comes while it is busy; this message may wait all the same."""
    log: list[str] = []

    async def run_model(prompt: str) -> str:
        log.append(prompt)
        if prompt == "one":
            log.append((await second("two")).status.value)
        return prompt

    turns = Turns(TurnSettings(when_busy="drop"))
    host = family(plugin(run_model=run_model, admit_message=lambda: AdmitDecision("process")))
    chat = Chat(guests=guests(host), turns=turns)

    async def second(text: str) -> Outcome:
        return await chat.bot.receive(message_dict(text, message_id="772"))

    await chat.bot.receive(message_dict("one"))
    assert log == ["one", "two", "replied"]
