"""The messages that are measured do go the whole way. No test of speed."""

import asyncio
from collections.abc import Iterator

import pytest
from loguru import logger

from benchmarks.cases import BOT, CASES, CHAINS
from benchmarks.harness import Effort
from benchmarks.messages import MESSAGES, SHORT, Shares, host_with, saying, shares, with_history, with_plugins
from host.hooks import DispatchTrace

TINY = Effort(processes=1, rounds=1, stretch=0.0001, window=0.01)
FIRED = (
    *("chat.receive.before_process", "chat.receive.after_process"),
    *("chat.command.before_execute", "chat.command.after_execute"),
    *("maisaka.planner.before_request", "maisaka.planner.after_response"),
    *("maisaka.replyer.before_request", "maisaka.replyer.before_model_request", "maisaka.replyer.after_response"),
    "maisaka.reply.before_post_process",
    *("send_service.after_build_message", "send_service.before_send", "send_service.after_send"),
)


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    logger.disable("host")
    yield
    logger.enable("host")


class Listener:
    def __init__(self) -> None:
        self.handlers: dict[str, int] = {}

    def dispatched(self, trace: DispatchTrace) -> None:
        self.handlers[trace.result.hook_name] = len(trace.steps)

    def observed(self, dispatch: object, step: object) -> None: ...


async def test_every_hook_on_the_way_of_a_message_is_fired_and_every_plugin_handles_it() -> None:
    listener = Listener()
    async with host_with(2, stored=3) as host:
        host.hooks.listen(listener)
        await saying(host)()
    assert {hook: listener.handlers.get(hook) for hook in FIRED} == dict.fromkeys(FIRED, 2)


async def test_there_is_a_figure_for_each_case_of_the_bot() -> None:
    assert set(MESSAGES) == {case.key for case in CASES if case.subject == BOT}
    assert (await with_plugins(TINY, 1)).values[0] > 0
    assert (await with_history(TINY, 1, long=20, short=2)).values[0] > 0
    measured = await shares(TINY, 1)
    assert all(sample.values[0] > 0 for sample in measured.values())
    assert sum(sample.values[0] for sample in measured.values()) == pytest.approx(100)
    assert SHORT > 30  # the model is told as much as in a long history


async def test_the_time_of_a_chain_within_another_is_the_inner_ones_alone() -> None:
    clock = Shares()

    def busy() -> None:
        sum(range(200_000))

    async def inside() -> None:
        busy()
        busy()

    async def around() -> None:
        busy()
        await clock.timed("storage", inside)()
        await asyncio.sleep(0)

    found = await clock.of(clock.timed("send", around))
    assert found["storage"] > found["send"] > found["rest"]
    assert sum(found.values()) == pytest.approx(100)
    assert found.keys() == CHAINS.keys()
