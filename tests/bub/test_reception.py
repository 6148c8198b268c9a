"""Messages of a channel: admitted, queued, steering; compared with what Bub itself answered."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest

from host.bub import AdmitDecision
from host.bub.reception import Reception
from host.bub.steering import InMemorySteeringInbox
from tests.bub.making import ANSWERS, framework, plain, plugin


@dataclass
class Message:
    content: str
    channel: str = "t"
    session_id: str = "s"


class Scene:
    """A channel on a running reception, and what happened there.

    Args:
        admit: decides about messages; None asks nobody.
        inbox: whether there is a steering inbox.
        fails: what the blocked turn fails with, if it does.
        knows_session: whether ``load_state`` names the session.
        more: other implementations.
    """

    def __init__(
        self, admit: Any = None, *, inbox: bool = True, fails: str = "", knows_session: bool = True, **more: Any
    ) -> None:
        self.log: list[Any] = []
        self.inbox = InMemorySteeringInbox()
        self.gate = asyncio.Event()
        self._fails = fails
        implementations: dict[str, Any] = {
            "provide_channels": lambda message_handler: [self],
            "on_error": self._on_error,
            "run_model": self._run_model,
        }
        if knows_session:
            implementations["load_state"] = _session_of
        if inbox:
            implementations["provide_steering_inbox"] = lambda: self.inbox
        if admit is not None:
            implementations["admit_message"] = self._admitting(admit)
        self.framework = framework(plugin(**{**implementations, **more}))
        self.reception = Reception(self.framework, ["t"])

    name = "t"

    async def start(self, stop_event: asyncio.Event) -> None: ...

    async def stop(self) -> None:
        self.log.append("channel.stop")

    async def send(self, message: Any) -> None: ...

    async def play(self, script: Callable[["Scene"], Awaitable[None]]) -> list[Any]:
        """Run `script`, end everything, and give the log."""
        running = asyncio.create_task(self.reception.listen_and_run())
        await _settled()
        await script(self)
        await self._drained()
        self.reception.stopping.set()
        await running
        return list(plain(self.log))

    async def say(self, content: str, session_id: str = "s") -> None:
        """A message arrives, and everything that can go on without the gate goes on."""
        await self.reception.receive(Message(content, session_id=session_id))
        await _settled()

    async def open(self) -> None:
        """Let the blocked turn end, and wait for all that comes of it."""
        self.gate.set()
        await self._drained()

    async def _drained(self) -> None:
        async with asyncio.timeout(5):
            await self.reception.drain()

    def _on_error(self, stage: str, error: Exception) -> None:
        self.log.append(("on_error", stage, str(error)))

    def _admitting(self, admit: Any) -> Any:
        def admit_message(message: Message, turn: Any) -> Any:
            counts = (turn.is_running, turn.running_count, turn.pending_count, turn.steering_count)
            self.log.append(("admit", message.content, *counts))
            return admit(message)

        return admit_message

    async def _run_model(self, prompt: str) -> str:
        self.log.append(("start", prompt))
        if prompt.startswith("block"):
            await self.gate.wait()
        if self._fails:
            if prompt.startswith("block"):
                raise ValueError(self._fails)
            return "r"
        self.log.append(("end", prompt))
        return f"r:{prompt}"


def _session_of(session_id: str) -> dict[str, str]:
    return {"session_id": session_id}


async def _settled() -> None:
    """Everything that is ready has run: a turn without anything to wait for takes far fewer rounds than these."""
    for _ in range(50):
        await asyncio.sleep(0)


def to(action: str) -> Any:
    """Every message but the blocked one gets this action."""
    return lambda message: None if message.content.startswith("block") else AdmitDecision(action)


async def _two(scene: Scene) -> None:
    await scene.say("block1")
    await scene.say("two")
    await scene.open()


async def test_by_default_turns_run_side_by_side() -> None:
    assert await Scene().play(_two) == ANSWERS["cm_default_concurrent"]


@pytest.mark.parametrize("action", ["process", "drop", "follow_up", "steer", "bogus"])
async def test_each_action_while_running_and_when_idle(action: str) -> None:
    async def script(scene: Scene) -> None:
        await scene.say("block1")
        await scene.say("two")
        await scene.say("three")
        await scene.open()
        await scene.say("idle")

    assert await Scene(to(action)).play(script) == ANSWERS[f"cm_action_{action}"]


async def test_an_unknown_action_is_told(said: list[str]) -> None:
    await Scene(to("bogus")).play(_two)
    assert said == ["WARNING: channel.manager admission unknown action=bogus session_id=s"]


async def test_nothing_is_stranded_where_the_state_does_not_name_the_session() -> None:
    """A difference: Bub asks the inbox by the turn's state, and leaves the message there.

    The page: "if it cannot be injected or is not handled in time, it is queued instead".
    """
    recorded = ANSWERS["cm_steer_without_session_id_in_state_strands_messages"]
    assert recorded[-2] == ["inbox_left", 1]

    async def script(scene: Scene) -> None:
        await _two(scene)
        scene.log.append(("inbox_left", scene.inbox.message_count({"session_id": "s"})))

    log = await Scene(to("steer"), knows_session=False).play(script)
    assert log == [*recorded[:-2], ["start", "two"], ["end", "two"], ["inbox_left", 0], "channel.stop"]


async def test_steering_without_an_inbox_is_queued() -> None:
    assert await Scene(to("steer"), inbox=False).play(_two) == ANSWERS["cm_steer_without_inbox_is_queued"]


async def test_a_failing_admission_processes(said: list[str]) -> None:
    def boom(message: Message) -> None:
        raise ValueError("admit")

    log = await Scene(boom).play(lambda scene: scene.say("x"))
    assert log == ANSWERS["cm_admit_raises_processes_anyway"]
    assert said == ["ERROR: channel.manager admission hook failed"]


async def test_a_message_without_a_session_is_dropped(said: list[str]) -> None:
    def resolve_session() -> None:
        raise ValueError("resolve")

    log = await Scene(resolve_session=resolve_session).play(lambda scene: scene.say("x"))
    assert log == ANSWERS["cm_resolve_raises_drops_message"]
    assert said == ["ERROR: channel.manager resolve_session failed"]


async def test_after_a_failed_turn_what_waits_goes_on() -> None:
    actions = {"two": "steer", "three": "follow_up"}

    def admit(message: Message) -> Any:
        return AdmitDecision(actions[message.content]) if message.content in actions else None

    async def script(scene: Scene) -> None:
        await scene.say("block1")
        await scene.say("two")
        await scene.say("three")
        await scene.open()
        scene.log.append(("inbox_left", scene.inbox.message_count({"session_id": "s"})))

    log = await Scene(admit, fails="turn failed").play(script)
    assert log == ANSWERS["cm_failed_turn_keeps_steering_in_inbox_and_still_schedules_pending"]


async def test_quitting_cancels_and_forgets() -> None:
    async def script(scene: Scene) -> None:
        await scene.say("block1")
        await scene.say("two")
        await scene.reception.quit("s")
        scene.log.append(("controllers", scene.reception.sessions()))

    assert await Scene(to("follow_up")).play(script) == ANSWERS["cm_quit_cancels_and_clears_pending"]


async def test_a_turn_that_quits_its_own_session_goes_on() -> None:
    ended: list[str] = []

    async def run_model(prompt: str) -> str:
        await scene.reception.quit("s")
        ended.append(prompt)
        return "r"

    scene = Scene(run_model=run_model)
    await scene.play(lambda scene: scene.say("x"))
    assert ended == ["x"]


async def test_sessions_do_not_wait_for_each_other() -> None:
    async def script(scene: Scene) -> None:
        await scene.say("block1", "a")
        await scene.say("two", "b")
        await scene.open()

    assert await Scene(to("follow_up")).play(script) == ANSWERS["cm_sessions_independent"]


async def test_a_turn_that_ends_while_the_inbox_takes_a_message_does_not_strand_it() -> None:
    class Slow(InMemorySteeringInbox):
        async def enqueue_message(self, message: Any, state: dict[str, Any]) -> None:
            scene.gate.set()
            await _settled()
            await super().enqueue_message(message, state)

    scene = Scene(to("steer"))
    scene.inbox = Slow()
    log = await scene.play(_two)
    assert [each for each in log if each[0] in ("start", "end")] == [
        ["start", "block1"],
        ["end", "block1"],
        ["start", "two"],
        ["end", "two"],
    ]
    assert scene.reception.sessions() == []


async def test_a_channel_that_does_not_stop_leaves_the_others(said: list[str]) -> None:
    stopped: list[str] = []

    class Channel:
        def __init__(self, name: str) -> None:
            self.name = name

        async def start(self, stop_event: asyncio.Event) -> None: ...

        async def stop(self) -> None:
            stopped.append(self.name)
            if self.name == "b":
                raise OSError("still in use")

    reception = Reception(framework(plugin(provide_channels=lambda: [Channel("a"), Channel("b")])))
    reception.stopping.set()
    await reception.listen_and_run()
    assert stopped == ["b", "a"]
    assert said == ["WARNING: Failed to stop channel b"]
