"""An agent with its tape, its events, and the plugins that are attached to it."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any

import pytest

from host.bub import AgentPlugins, BubError, LLMCallDecision, Tool, ToolCallDecision
from host.bub.agent import Agent, ModelReply
from host.bub.builtin import Builtin
from host.bub.events import (
    EventBus,
    LLMCallFinished,
    LLMCallStarted,
    MessagesPending,
    StepFinished,
    ToolCallFinished,
    ToolCallStarted,
)
from host.bub.tapes import TapeQuery
from tests.bub.making import framework, plugin

Answer = ModelReply | Exception


def scripted(*answers: Answer, asked: list[Any] | None = None) -> Callable[..., AsyncGenerator[ModelReply, None]]:
    """A model that says these things, one a call, each in two pieces."""
    left = list(answers)

    async def provider(request: Any, tools: Sequence[Tool]) -> AsyncGenerator[ModelReply, None]:
        if asked is not None:
            asked.append(request)
        answer = left.pop(0)
        if isinstance(answer, Exception):
            raise answer
        half = len(answer.text) // 2
        yield replace(answer, tool_calls=[], text=answer.text[:half], delta=answer.text[:half])
        yield replace(answer, delta=answer.text[half:])

    return provider


def calling(name: str, **arguments: Any) -> ModelReply:
    return ModelReply("", [{"id": "c1", "name": name, "arguments": arguments}])


async def said(agent: Agent, prompt: str = "hi", state: dict[str, Any] | None = None) -> str:
    pieces = agent.run(prompt, session_id="s", state={"session_id": "s"} if state is None else state)
    return "".join([piece async for piece in pieces])


async def on_tape(agent: Agent, *kinds: str) -> list[Any]:
    return list(agent.store.fetch_all(TapeQuery("s", kinds=kinds)))


def attached(agent: Agent, *plugins: object) -> Agent:
    return AgentPlugins(framework(*plugins)).attach(agent)


async def test_every_entry_of_a_run_has_the_run_id_of_the_hooks_and_the_model_that_answered() -> None:
    runs: list[str] = []

    def before_llm_call(request: Any) -> Any:
        runs.append(request.run_id)
        return replace(request, model="wanted")

    agent = attached(
        Agent(scripted(ModelReply("hello", model="real")), "first"), plugin(before_llm_call=before_llm_call)
    )
    assert await said(agent) == "hello"
    entries = await on_tape(agent)
    assert {entry.meta["run_id"] for entry in entries} == set(runs)
    assert [entry.meta.get("model") for entry in entries if entry.payload.get("role") == "assistant"] == ["real"]
    assert [entry.payload["model"] for entry in entries if entry.kind == "event"] == ["wanted"]


async def test_a_finished_call_asks_no_model_and_ends_no_call() -> None:
    told: list[str] = []
    hooks = plugin(
        before_llm_call=lambda: LLMCallDecision.finish("no need"),
        after_llm_call=lambda: told.append("after"),
    )
    agent = attached(Agent(scripted()), hooks)
    assert [await said(agent), told] == ["no need", []]


async def test_a_failed_call_ends_once_and_fails_the_run() -> None:
    told: list[Any] = []

    def after_llm_call(result: Any) -> None:
        told.append(result.error)

    failure = OSError("gone")
    agent = attached(Agent(scripted(failure)), plugin(after_llm_call=after_llm_call))
    with pytest.raises(OSError, match="gone"):
        await said(agent)
    assert told == [failure]
    assert [entry.payload["message"] for entry in await on_tape(agent, "error")] == ["gone"]


async def test_a_stream_that_is_closed_ends_no_call() -> None:
    told: list[str] = []
    hooks = plugin(after_llm_call=lambda: told.append("after"))
    agent = attached(Agent(scripted(ModelReply("hello"))), hooks)
    async with aclosing(agent.run("hi", session_id="s", state={})) as pieces:
        assert await anext(pieces) == "he"
    assert told == []
    assert [entry.payload["content"] for entry in await on_tape(agent, "message")] == ["hi"], "the fork was merged"


async def test_steps_go_on_while_tools_are_called() -> None:
    asked: list[Any] = []
    continued: list[Any] = []

    def continue_prompt(prompt: Any, tape: Any, state: Any) -> str:
        continued.append([prompt, tape.name, state.usage])
        return "go on"

    agent = Agent(scripted(calling("add", a=1, b=2), ModelReply("3", usage={"total": 7}), asked=asked))
    tools = plugin(
        provide_tools=lambda: [Tool("add", lambda a, b: a + b)],
        continue_prompt=continue_prompt,
        system_prompt=lambda: "Be short.",
    )
    assert await said(attached(agent, tools)) == "3"
    assert continued == [["hi", "s", None]], "after the last step nobody is asked"
    assert [message["content"] for message in asked[1].messages] == ["Be short.", "hi", "", "3", "go on"]
    assert asked[0].tool_names == ("add",)


async def test_a_denied_and_an_invented_tool_are_told_to_the_model() -> None:
    def before_tool_call(call: Any) -> Any:
        return ToolCallDecision.deny("not here") if call.tool == "rm" else None

    two = ModelReply("", [{"id": "1", "name": "rm", "arguments": {}}, {"id": "2", "name": "made_up", "arguments": {}}])
    asked: list[Any] = []
    agent = Agent(scripted(two, ModelReply("ok"), asked=asked), tools=[Tool("rm", lambda: "ran")])
    await said(attached(agent, plugin(before_tool_call=before_tool_call)))
    told = [message["content"] for message in asked[1].messages if message["role"] == "tool"]
    assert "not here" in told[0]
    assert "There is no tool 'made_up'" in told[1]


async def test_steering_reaches_the_run_that_is_under_way() -> None:
    asked: list[Any] = []
    agent = Agent(scripted(ModelReply("one"), ModelReply("two"), asked=asked))
    host = framework()
    host.plugins.register(Builtin(host), "builtin")
    plugins = AgentPlugins(host)
    plugins.attach(agent)
    async with plugins.running():
        state = await plugins.build_state("s", agent=agent)
        await host.resources.steering_inbox.enqueue_message({"content": "louder"}, state)
        assert await said(agent, state=state) == "onetwo"
    assert asked[1].messages[-1] == {"role": "user", "content": "louder"}
    assert state["_runtime_agent"] is agent


async def test_a_run_without_end_is_ended() -> None:
    agent = Agent(scripted(calling("t"), calling("t")), tools=[Tool("t", lambda: 1)], max_steps=2)
    with pytest.raises(BubError, match="did not end in 2 steps"):
        await said(agent)


async def test_direct_listeners_run_in_order_edit_in_place_and_fail_the_run() -> None:
    agent = Agent(scripted(calling("t", a=1), ModelReply("end")), tools=[Tool("t", lambda a: a)])
    seen: list[Any] = []

    def first(event: ToolCallStarted) -> None:
        event.call = replace(event.call, arguments={"a": 2})

    async def second(event: ToolCallStarted) -> None:
        seen.append(event.call.arguments)

    def finished(event: ToolCallFinished) -> None:
        seen.append(event.result.result)
        event.result.result = "edited"

    def boom(event: LLMCallStarted) -> None:
        if event.request.messages[-1]["role"] == "tool":
            seen.append(event.request.messages[-1]["content"])
            raise PermissionError("policy")

    agent.events.on(ToolCallStarted, first)
    agent.events.on(ToolCallStarted, second)
    agent.events.on(ToolCallFinished, finished)
    agent.events.on(LLMCallStarted, boom)
    with pytest.raises(PermissionError, match="policy"):
        await said(agent)
    assert seen == [{"a": 2}, 2, "edited"]


async def test_direct_decisions_keep_a_call_from_being_made() -> None:
    agent = Agent(scripted(calling("t")), tools=[Tool("t", lambda: "ran")], max_steps=5)
    results: list[Any] = []

    def deny(event: ToolCallStarted) -> None:
        event.decision = ToolCallDecision.replace("instead")

    def finish(event: LLMCallStarted) -> None:
        if results:
            event.decision = LLMCallDecision.finish("done")

    agent.events.on(ToolCallStarted, deny)
    agent.events.on(ToolCallFinished, lambda event: results.append(event.result.result))
    agent.events.on(LLMCallStarted, finish)
    assert [await said(agent), results] == ["done", ["instead"]]


async def test_a_bus_is_made_and_a_listener_ends() -> None:
    bus, heard = EventBus(), list[str]()
    end = bus.on(StepFinished, lambda event: heard.append(event.status))
    await bus.emit(StepFinished("done", "", None, None))
    end()
    await bus.emit(StepFinished("continue", "", None, None))
    assert heard == ["done"]
    event = await bus.emit(MessagesPending({}))
    assert event.messages == []


async def test_components_are_what_plugins_give() -> None:
    assert AgentPlugins(framework()).components() == {}
    host = framework()
    host.plugins.register(Builtin(host), "builtin")
    plugins = AgentPlugins(host, plugins=[plugin(provide_tape_sidecar=lambda: Sidecar("notes"))])
    assert set(plugins.components()) == {"context", "sidecars"}
    async with plugins.running():
        assert set(plugins.components()) == {"store", "context", "sidecars"}


class Sidecar:
    def __init__(self, name: str, *, fails: bool = False) -> None:
        self.name, self._fails = name, fails

    async def fork(self, tape: Any) -> None:
        if self._fails:
            raise OSError("no room")
        await tape.append("event", {"name": "kept"})


async def test_a_sidecar_lies_beside_the_tape_and_its_failure_is_told_there(said: list[str]) -> None:
    agent = Agent(scripted(ModelReply("ok")), sidecars=[Sidecar("good"), Sidecar("bad", fails=True)])
    async for _ in agent.run("hi", session_id="s", state={}):
        pass
    assert [entry.payload for entry in agent.store.fetch_all(TapeQuery("s__sidecar__good"))] == [{"name": "kept"}]
    failures = [entry.payload for entry in await on_tape(agent, "event") if entry.payload["name"] == "sidecar.failed"]
    assert failures == [{"name": "sidecar.failed", "sidecar": "bad", "step": "fork"}]
    assert said == ["WARNING: Tape sidecar bad failed to fork"]


async def test_a_temporary_session_leaves_nothing() -> None:
    agent = Agent(scripted(ModelReply("ok")))
    async for _ in agent.run("hi", session_id="temp/1", state={}):
        pass
    assert agent.store.list_tapes() == []


async def test_the_whole_turn_alone() -> None:
    """Without any other plugin: session, state, prompt, agent, reply through the router."""
    sent: list[Any] = []

    class Router:
        def wrap_stream(self, message: Any, stream: Any) -> Any:
            return stream

        async def send(self, message: Any) -> None:
            sent.append(message)

    host = framework()
    host.plugins.register(Builtin(host, agent=Agent(scripted(ModelReply("hello"), OSError("no net")))), "builtin")
    host.router = Router()
    async with host.running():
        result = await host.process_inbound({"channel": "c", "chat_id": "1", "content": "hi"}, stream_output=True)
        assert [result.session_id, result.model_output] == ["c:1", "hello"]
        assert host.resources.tape_store.list_tapes() == ["c:1"]
        with pytest.raises(OSError, match="no net"):
            await host.process_inbound({"channel": "c", "chat_id": "1", "content": "hi"})
    assert [each["content"] for each in sent] == ["hello", "An error occurred (turn): no net"]


async def test_two_calls_of_a_step_run_at_once_and_end_together() -> None:
    both, started = asyncio.Event(), list[int]()

    async def wait(number: int) -> int:
        started.append(number)
        if len(started) == 2:
            both.set()
        await both.wait()
        return number

    two = ModelReply("", [{"id": str(n), "name": "wait", "arguments": {"number": n}} for n in (1, 2)])
    agent = Agent(scripted(two, ModelReply("ok")), tools=[Tool("wait", wait)])
    async with asyncio.timeout(5):
        await said(agent)
    assert sorted(started) == [1, 2]


async def test_an_ended_model_call_is_told_with_what_came_of_it() -> None:
    results: list[Any] = []
    agent = Agent(scripted(ModelReply("hello", usage={"total": 3})))
    agent.events.on(LLMCallFinished, lambda event: results.append(event.result))
    await said(agent)
    (result,) = results
    assert [result.text, result.tool_calls, result.usage, result.error] == ["hello", [], {"total": 3}, None]
