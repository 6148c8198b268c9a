"""The order of turns in a chat, and what a message does while the bot is busy with an earlier one."""

import asyncio
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from host.bot import Outcome, Status, Turns, TurnSettings
from host.bot.turns import Turn, Without
from tests.bot.chat import Chat, message_dict, parsed
from tests.bot.components import components_of
from tests.bot.talk import REPLY, Talk, calls, talk
from tests.models.endpoint import Told, says

BEFORE = "chat.receive.before_process"
LOOKS_AGAIN = calls("no_such_tool")
"""After this the planner is asked once more."""


class Held:
    """A chat in which a handler of a hook waits, for each message until its text is let go.

    Args:
        hook: where it waits.
        rules: settings of the turns.
    """

    def __init__(self, hook: str = "send_service.before_send", **rules: Any) -> None:
        self.turns = Turns(TurnSettings(**rules))
        self.chat = Chat(turns=self.turns)
        self.reached: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)
        self._gates: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)
        self.order: list[str] = []
        self.chat.on(hook, self._hold, plugin="test.gate")

    async def _hold(self, message: dict[str, Any], **kwargs: Any) -> None:
        said = message.get("processed_plain_text") or message["raw_message"][0]["data"]
        # What the bot says quotes what it answers.
        text = said.split('"')[1] if '"' in said else said
        self.order.append(text)
        self.reached[text].set()
        await self._gates[text].wait()

    def let_go(self, *texts: str) -> None:
        for text in texts:
            self._gates[text].set()

    def say(self, text: str, **changes: Any) -> asyncio.Task[Outcome]:
        return asyncio.create_task(self.chat.bot.receive(message_dict(text, message_id=text, **changes)))


async def until_waiting(turns: Turns, number: int) -> None:
    """Until so many messages wait for nothing but their turns."""
    while turns.waiting < number:  # noqa: ASYNC110
        await asyncio.sleep(0)


async def test_a_message_has_its_turn_after_the_one_before_it() -> None:
    held = Held()
    first, second = held.say("tea one"), held.say("tea two")
    await held.reached["tea one"].wait()
    await until_waiting(held.turns, 1)
    assert held.order == ["tea one"]
    held.let_go("tea one", "tea two")
    assert [(await each).status for each in (first, second)] == [Status.REPLIED] * 2
    assert held.order == ["tea one", "tea two"]


async def test_turns_are_in_the_order_of_arrival_where_a_later_message_is_received_sooner() -> None:
    held = Held(BEFORE)
    tasks = [held.say(text) for text in ("tea one", "tea two", "tea three")]
    await held.reached["tea three"].wait()
    held.let_go("tea three")
    await until_waiting(held.turns, 1)
    held.let_go("tea two")
    await until_waiting(held.turns, 2)
    assert held.chat.gateway.texts() == []
    held.let_go("tea one")
    await asyncio.gather(*tasks)
    assert [text.split('"')[1] for text in held.chat.gateway.texts()] == ["tea one", "tea two", "tea three"]


async def test_a_message_that_is_parked_too_long_is_passed_by_and_has_its_turn_later() -> None:
    held = Held(BEFORE, receive_seconds=0.05)
    parked, later = held.say("tea one"), held.say("tea two")
    held.let_go("tea two")
    assert (await later).status is Status.REPLIED
    assert not parked.done()
    held.let_go("tea one")
    assert (await parked).status is Status.REPLIED
    assert [text.split('"')[1] for text in held.chat.gateway.texts()] == ["tea two", "tea one"]


async def test_a_message_that_a_plugin_stops_holds_up_nobody() -> None:
    held = Held(BEFORE)

    async def stop(message: dict[str, Any], **kwargs: Any) -> dict[str, Any] | None:
        return {"action": "abort"} if message["raw_message"][0]["data"] == "tea one" else None

    held.chat.on(BEFORE, stop, plugin="test.stopper")
    stopped, later = held.say("tea one"), held.say("tea two")
    held.let_go("tea two")
    await until_waiting(held.turns, 1)
    held.let_go("tea one")
    assert [(await each).status for each in (stopped, later)] == [Status.STOPPED, Status.REPLIED]


async def test_a_message_that_hooks_move_to_another_chat_waits_there() -> None:
    held = Held()

    async def move(message: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        info = {**message["message_info"], "group_info": {"group_id": "1", "group_name": "Garden"}}
        return {"modified_kwargs": {"message": {**message, "message_info": info}}}

    held.chat.on(BEFORE, move)
    there = {**message_dict("tea one", message_id="1")}
    there["message_info"]["group_info"] = {"group_id": "1", "group_name": "Garden"}
    first = asyncio.create_task(held.chat.bot.receive(there))
    await held.reached["tea one"].wait()
    moved = held.say("tea two")
    await until_waiting(held.turns, 1)
    held.let_go("tea two", "tea one")
    assert (await first).session_id == (await moved).session_id
    assert held.order == ["tea one", "tea two"]
    assert held.turns.busy == 0


async def test_what_comes_during_a_turn_may_be_dropped_after_its_receive_hooks() -> None:
    held = Held(when_busy="drop")
    seen = held.chat.watching("chat.receive.after_process")
    first = held.say("tea one")
    await held.reached["tea one"].wait()
    dropped = await held.say("tea two")
    assert (dropped.status, len(seen)) == (Status.DROPPED, 2)
    assert [each.text for each in await held.chat.store.of(dropped.session_id)] == ["tea one", "tea two"]
    held.let_go("tea one", "tea three")
    assert (await first).status is Status.REPLIED
    assert (await held.say("tea three")).status is Status.REPLIED
    assert held.turns.dropped == {Without.BUSY: 1}


async def test_turns_of_one_chat_may_be_parallel() -> None:
    held = Held(when_busy="parallel")
    first = held.say("tea one")
    await held.reached["tea one"].wait()
    held.let_go("tea two")
    assert (await held.say("tea two")).status is Status.REPLIED
    assert not first.done()
    held.let_go("tea one")
    assert (await first).status is Status.REPLIED


@pytest.mark.parametrize(("when_full", "lost"), [("drop_oldest", "tea 1"), ("drop_newest", "tea 3")])
async def test_no_more_than_so_many_messages_wait(when_full: str, lost: str, logged: list[str]) -> None:
    held = Held(max_waiting=2, when_full=when_full)
    tasks = [held.say("tea 0")]
    await held.reached["tea 0"].wait()
    tasks += [held.say(f"tea {number}") for number in (1, 2, 3)]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    held.let_go(*(f"tea {number}" for number in range(4)))
    outcomes = await asyncio.gather(*tasks)
    assert [each.text for each in outcomes if each.status is Status.DROPPED] == [lost]
    assert held.turns.dropped == {Without.FULL: 1}
    assert any(line.startswith("WARNING") and "full, 1 so far" in line for line in logged)


async def test_a_chat_in_which_nothing_is_under_way_leaves_nothing_behind() -> None:
    held = Held(BEFORE)
    tasks = [held.say("tea one"), held.say("tea two"), held.say("tea three")]
    await held.reached["tea three"].wait()
    assert held.turns.busy == 1
    tasks[1].cancel()
    held.let_go("tea one", "tea three")
    await asyncio.wait(tasks)
    assert held.turns.busy == 0
    assert len(held.chat.gateway.deliveries) == 2


async def test_a_turn_that_is_cancelled_lets_the_next_one_begin() -> None:
    held = Held()
    first, second = held.say("tea one"), held.say("tea two")
    await held.reached["tea one"].wait()
    await until_waiting(held.turns, 1)
    first.cancel()
    held.let_go("tea two")
    assert (await second).status is Status.REPLIED
    assert first.cancelled()


async def test_a_message_that_is_cancelled_just_as_its_turn_begins_holds_up_nobody() -> None:
    turns, chat = Turns(), parsed().session_id

    async def say() -> Turn | Without:
        with turns.place(chat) as place:
            turns.received(place, parsed(), joins=False)
            return await turns.take(place)

    with turns.place(chat) as place:
        turns.received(place, parsed(), joins=False)
        second, third = asyncio.create_task(say()), asyncio.create_task(say())
        await turns.take(place)
        await until_waiting(turns, 2)
    second.cancel()
    assert isinstance(await third, Turn)
    assert turns.busy == 0


async def test_a_message_that_a_handler_makes_the_bot_receive_does_not_wait_for_the_turn_that_waits_for_it() -> None:
    chat = Chat()
    inner: list[Outcome] = []

    async def receive_more(message: dict[str, Any], **kwargs: Any) -> None:
        if "one" in str(message["raw_message"]):
            inner.append(await chat.bot.receive(message_dict("tea two")))

    chat.on("send_service.before_send", receive_more, timeout_ms=5_000)
    outcome = await chat.bot.receive(message_dict("tea one"))
    assert (outcome.status, outcome.failures) == (Status.REPLIED, ())
    assert [each.status for each in inner] == [Status.REPLIED]


async def test_what_waits_does_not_push_the_talk_out_of_what_models_are_told() -> None:
    held = Held()
    seen = held.chat.watching("maisaka.planner.before_request")
    texts = [f"tea {number}" for number in range(33)]
    going = [held.say(text) for text in texts]
    await held.reached["tea 0"].wait()
    await until_waiting(held.turns, 32)
    held.let_go(*texts)
    await asyncio.gather(*going)
    told = [str(message["content"]).rpartition(": ")[2] for message in seen[1]["messages"][1:]]
    assert told[:2] == ["tea 0", "tea 1"]


async def steered(here: Talk, turns: Turns, text: str = "tea?") -> tuple[Outcome, Outcome]:
    """What becomes of a message, and of another that comes while the planner thinks about the first."""
    planning, go_on = asyncio.Event(), asyncio.Event()

    async def think(**kwargs: Any) -> None:
        planning.set()
        await go_on.wait()

    here.chat.on("maisaka.planner.after_response", think, timeout_ms=10_000)
    first = asyncio.create_task(here.chat.bot.receive(message_dict("Is there", message_id="1")))
    await planning.wait()
    second = asyncio.create_task(here.chat.bot.receive(message_dict(text, message_id="2")))
    await until_waiting(turns, 1)
    go_on.set()
    return await first, await second


def steering() -> Turns:
    return Turns(TurnSettings(when_busy="steer"))


@pytest.mark.parametrize("looks_again", [LOOKS_AGAIN, calls("wait", seconds=60)], ids=["acts", "waits"])
async def test_a_message_may_join_the_turn_that_is_under_way(looks_again: Told) -> None:
    turns, plan = steering(), [looks_again, calls("reply", msg_id="2", set_quote=True)]
    async with talk(plan=plan, turns=turns) as here:
        first, second = await steered(here, turns)
        assert (first.status, second.status) == (Status.REPLIED, Status.JOINED)
        assert "tea?" not in here.planned(0)
        assert here.planned(1).count("tea?") == 1
        assert here.endpoint.asked[0].json["messages"][-1]["content"].count("tea?") == 1
        # It was said after what the planner did before it.
        assert "tea?" in str(here.planner.asked[1].json["messages"][-1]["content"])
        assert [each.reply_message_id for each in here.chat.gateway.deliveries] == ["2"]


async def test_what_no_round_took_in_has_a_turn_of_its_own() -> None:
    turns = steering()
    async with talk(plan=[REPLY, REPLY], turns=turns) as here:
        first, second = await steered(here, turns)
        assert (first.status, second.status) == (Status.REPLIED, Status.REPLIED)
        assert len(here.chat.gateway.deliveries) == 2


async def test_what_waits_for_its_own_turn_is_not_told_to_the_one_before() -> None:
    turns, plan = Turns(), [LOOKS_AGAIN, REPLY, REPLY]
    async with talk(says("One."), says("Two."), plan=plan, turns=turns) as here:
        first, second = await steered(here, turns)
        assert (first.status, second.status) == (Status.REPLIED, Status.REPLIED)
        assert "tea?" not in here.planned(1)
        assert "tea?" in here.planned(2)


async def test_a_command_joins_no_turn(tmp_path: Path) -> None:
    source = """
        from maibot_sdk import Command, MaiBotPlugin

        class Tea(MaiBotPlugin):
            async def on_load(self): ...

            @Command("pot", pattern="^/pot")
            async def pot(self, **kwargs):
                return True, "pot", 1

        create_plugin = Tea
    """
    turns, plan = steering(), [LOOKS_AGAIN, REPLY]
    async with components_of(tmp_path, tea=source) as tools, talk(plan=plan, turns=turns, components=tools) as here:
        first, second = await steered(here, turns, "/pot")
        assert (first.status, second.status) == (Status.REPLIED, Status.COMMAND)
        assert "/pot" not in here.planned(1)


async def test_what_joined_a_turn_that_fails_has_one_of_its_own() -> None:
    turns, chat = steering(), parsed().session_id

    async def second() -> Turn | Without:
        with turns.place(chat) as place:
            turns.received(place, parsed("tea?"), joins=True)
            return await turns.take(place)

    async def failing() -> None:
        with turns.place(chat) as place:
            turns.received(place, parsed("Is there"), joins=True)
            turn = await turns.take(place)
            assert isinstance(turn, Turn)
            await until_waiting(turns, 1)
            assert [each.text for each in turn.join()] == ["tea?"]
            raise OSError("no model")

    failed, joined = await asyncio.gather(failing(), second(), return_exceptions=True)
    assert isinstance(failed, OSError)
    assert isinstance(joined, Turn)
    assert turns.busy == 0
