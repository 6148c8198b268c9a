"""A crash between receipt and answer loses no message, and none is answered again and again."""

import subprocess
import sys
from pathlib import Path

import pytest

from host.storage import Handling, Storage
from tests.storage.rows import message

ROOT = Path(__file__).parents[2]

DIES = """
import asyncio, os, signal, sys
from host.storage import Handling, Storage
from tests.storage.rows import message

async def main():
    async with Storage.open(sys.argv[1]) as storage:
        async def turn(n):
            number = await storage.messages.add(message(str(n), message_id=str(n)))
            print("stored", n, flush=True)
            if n % 2:
                await storage.messages.settle(number, Handling.ANSWERED)
                print("answered", n, flush=True)
            if n == 150:
                os.kill(os.getpid(), signal.SIGKILL)
        await asyncio.gather(*map(turn, range(200)))

asyncio.run(main())
"""

TAKES_UP_AND_DIES = """
import asyncio, os, signal, sys
from host.storage import Storage

async def main():
    async with Storage.open(sys.argv[1]) as storage:
        for message in (await storage.messages.take_up()).messages:
            print(message.message_id, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


def killed(program: str, where: str) -> list[str]:
    """Run a program that kills itself; what it said until then, line by line."""
    run = subprocess.run(
        [sys.executable, "-c", program, where], capture_output=True, text=True, cwd=ROOT, timeout=60, check=False
    )
    assert run.returncode == -9, run.stderr
    return run.stdout.splitlines()


async def test_what_was_stored_before_a_kill_is_there_and_what_was_not_answered_is_taken_up(where: str) -> None:
    lines = killed(DIES, where)
    stored = {line.split()[1] for line in lines if line.startswith("stored")}
    answered = {line.split()[1] for line in lines if line.startswith("answered")}
    assert stored
    async with Storage.open(where) as storage:
        taken = await storage.messages.take_up()
        history = await storage.messages.recent("tea", 1000)
    found = {each.message_id for each in history}
    again = [each.message_id for each in taken.messages]
    assert stored <= found
    assert answered.isdisjoint(again)
    assert {each.message_id for each in history if each.handling is Handling.ANSWERED} == found - set(again)
    assert {name for name in stored if int(name) % 2 == 0} <= set(again)
    assert len(again) == len(set(again))


async def test_a_second_crash_gives_a_message_up(where: str) -> None:
    async with Storage.open(where) as storage:
        await storage.messages.add(message())
    assert killed(TAKES_UP_AND_DIES, where) == ["771"]
    async with Storage.open(where) as storage:
        taken = await storage.messages.take_up()
        assert taken.messages == ()
        assert [each.message_id for each in taken.given_up] == ["771"]
        [found] = await storage.messages.recent("tea", 5)
        assert found.handling is Handling.GIVEN_UP
    async with Storage.open(where) as storage:
        taken = await storage.messages.take_up()
        assert taken.messages == taken.given_up == ()


async def test_what_comes_in_after_the_start_is_not_taken_up(where: str) -> None:
    async with Storage.open(where) as storage:
        await storage.messages.add(message(message_id="old"))
    async with Storage.open(where) as storage:
        await storage.messages.add(message(message_id="new"))
        assert [each.message_id for each in (await storage.messages.take_up()).messages] == ["old"]
        assert (await storage.messages.take_up()).messages == ()
        assert [each.message_id for each in await storage.messages.open()] == ["old", "new"]


async def test_what_came_in_is_taken_up_once_unless_it_was_let_in_or_left(where: str) -> None:
    async with Storage.open(where) as storage:
        let_in = await storage.messages.arrive({"text": "let in"})
        await storage.messages.leave(await storage.messages.arrive({"text": "left"}))
        waiting = await storage.messages.arrive({"text": "waiting"})
        await storage.messages.admit(let_in, message())
    async with Storage.open(where) as storage:
        later = await storage.messages.arrive({"text": "later"})
        assert later > waiting > let_in
        taken = await storage.messages.take_up()
        assert [each.id for each in taken.messages] == [let_in]
        assert [(each.id, each.message, each.taken_up) for each in taken.arrivals] == [
            (waiting, {"text": "waiting"}, False)
        ]
    async with Storage.open(where) as storage:
        again = {each.id: each.taken_up for each in (await storage.messages.take_up()).arrivals}
        assert again == {waiting: True, later: False}


@pytest.mark.parametrize("outcome", [Handling.ANSWERED, Handling.IGNORED, Handling.STOPPED])
async def test_what_is_done_with_is_not_taken_up(where: str, outcome: Handling) -> None:
    async with Storage.open(where) as storage:
        number = await storage.messages.add(message())
        await storage.messages.add(message(message_id="own", handling=Handling.KEPT))
        await storage.messages.settle(number, outcome)
        assert await storage.messages.open() == []
    async with Storage.open(where) as storage:
        assert (await storage.messages.take_up()).messages == ()
        [found, _] = await storage.messages.recent("tea", 5)
        assert found.handling is outcome


async def test_the_first_outcome_stands(storage: Storage) -> None:
    number = await storage.messages.add(message())
    await storage.messages.settle(number, Handling.STOPPED)
    await storage.messages.settle(number, Handling.ANSWERED)
    [found] = await storage.messages.recent("tea", 5)
    assert found.handling is Handling.STOPPED


async def test_a_message_that_was_taken_up_can_be_done_with(where: str) -> None:
    async with Storage.open(where) as storage:
        await storage.messages.add(message())
    async with Storage.open(where) as storage:
        [again] = (await storage.messages.take_up()).messages
        assert again.handling is Handling.TAKEN_UP
        await storage.messages.settle(again.id, Handling.ANSWERED)
    async with Storage.open(where) as storage:
        taken = await storage.messages.take_up()
        assert taken.messages == taken.given_up == ()
