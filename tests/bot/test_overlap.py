"""Any number of messages may be on their way at once; none waits for another."""

import asyncio
from typing import Any

from host.bot import Status
from tests.bot.chat import Chat, message_dict

BEFORE = "chat.receive.before_process"


async def test_a_handler_may_park_a_message_until_later_ones_arrive_which_it_stops() -> None:
    parked = asyncio.Event()
    complete = asyncio.Event()
    said: list[str] = []

    async def gather_lines(message: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        said.append(message["raw_message"][0]["data"])
        if len(said) == 1:
            parked.set()
            await complete.wait()
            whole = {**message, "raw_message": [{"type": "text", "data": " ".join(said)}]}
            return {"modified_kwargs": {"message": whole}}
        if len(said) == 3:
            complete.set()
        return {"action": "abort"}

    chat = Chat()
    chat.on(BEFORE, gather_lines, timeout_ms=10_000)
    first = asyncio.create_task(chat.bot.receive(message_dict("I had")))
    await parked.wait()
    later = [await chat.bot.receive(message_dict(text)) for text in ("tea", "today")]
    assert [outcome.status for outcome in later] == [Status.STOPPED, Status.STOPPED]
    outcome = await first
    assert (outcome.status, outcome.text) == (Status.REPLIED, "I had tea today")


async def test_a_slow_chat_holds_up_no_other() -> None:
    release = asyncio.Event()

    async def slow(message: dict[str, Any], **kwargs: Any) -> None:
        if message["message_info"]["group_info"]["group_id"] == "1":
            await release.wait()

    chat = Chat()
    chat.on("send_service.before_send", slow)
    messages = [message_dict(f"tea {index}") for index in range(8)]
    for index, message in enumerate(messages):
        message["message_info"]["group_info"] = {"group_id": str(index % 2), "group_name": "A"}
    tasks = [asyncio.create_task(chat.bot.receive(message)) for message in messages]
    await asyncio.gather(*tasks[::2])
    assert [task.done() for task in tasks] == [True, False] * 4
    assert [text.split('"')[1] for text in chat.gateway.texts()] == [f"tea {index}" for index in (0, 2, 4, 6)]
    release.set()
    outcomes = await asyncio.gather(*tasks)
    assert {outcome.status for outcome in outcomes} == {Status.REPLIED}
    assert [outcome.text for outcome in outcomes] == [f"tea {index}" for index in range(8)]


async def test_a_cancelled_message_leaves_the_others_alone() -> None:
    started = asyncio.Event()

    async def hang(message: dict[str, Any], **kwargs: Any) -> None:
        if message["raw_message"][0]["data"] == "stuck":
            started.set()
            await asyncio.Event().wait()

    chat = Chat()
    chat.on(BEFORE, hang)
    task = asyncio.create_task(chat.bot.receive(message_dict("stuck")))
    await started.wait()
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()
    assert (await chat.bot.receive(message_dict("hello"))).status is Status.REPLIED
