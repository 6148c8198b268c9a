"""What the benches of runners measure is what they say: echoes, calls at once, neighbours that misbehave."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from benchmarks.cases import CASES, MAIBOT, RUNNERS
from benchmarks.echo import bare_echo, wire_echo
from benchmarks.handlers import HOOK
from benchmarks.harness import EACH, Effort, Samples, paired_at_once
from benchmarks.neighbours import BAD, CRASHES, HEALTHY, NEIGHBOURS, disturbed_by_neighbours, street
from benchmarks.processes import PROCESSES
from benchmarks.published_runner import PUBLISHED_RUNNER
from benchmarks.wire import CALLS, echoing_plugin, payload_of
from host.hooks import Hooks

TINY = Effort(processes=1, rounds=1, stretch=0.0001, window=0.01)


def test_every_case_of_runners_has_its_measurement() -> None:
    measured = {**CALLS, **PROCESSES, **NEIGHBOURS}
    assert measured.keys() == {case.key for case in CASES if case.subject == RUNNERS}
    assert PUBLISHED_RUNNER.keys() == {case.key for case in CASES if case.subject == MAIBOT}


@pytest.mark.parametrize(
    "measured",
    [
        *(CALLS[f"{name}-1k-1"] for name in ("call", "wire", "invoke")),
        CALLS["call-1k-32"],
        PROCESSES["process-one"],
        NEIGHBOURS["neighbours-latency"],
        NEIGHBOURS["neighbours-lag"],
    ],
)
async def test_a_tiny_round_comes_to_a_figure(measured: Callable[[Effort], Awaitable[Samples]]) -> None:
    samples = await measured(TINY)
    assert samples.values
    assert min(samples.values) > 0


async def test_the_bare_echo_sends_back_every_byte_of_calls_at_once() -> None:
    async with bare_echo(100_000) as bare:
        calls = [asyncio.create_task(bare.call(b"a" * 100_000)) for _ in range(10)]
        done, _ = await asyncio.wait(calls, timeout=10)
        assert len(done) == 10


async def test_the_echo_by_the_wire_answers_with_the_body() -> None:
    async with wire_echo() as peer:
        assert await peer.call("echo", b"what is sent") == b"what is sent"


async def test_the_measured_handler_returns_its_text_from_another_process() -> None:
    async with echoing_plugin() as hooks:
        result = await hooks.invoke(HOOK, {"text": payload_of(1 << 10)["text"]})
        assert [custom.value for custom in result.custom_results] == ["a" * 1024]
        assert all(handler.remote for handler in hooks.describe()[0].handlers)


@pytest.mark.parametrize("count", [1, 8])
async def test_so_many_calls_are_under_way_at_once(count: int) -> None:
    under_way = most = calls = 0

    async def call() -> None:
        nonlocal under_way, most, calls
        under_way, calls = under_way + 1, calls + 1
        most = max(most, under_way)
        await asyncio.sleep(0)
        under_way -= 1

    async def base() -> None:
        await asyncio.sleep(0)

    samples = await paired_at_once(call, base, count, TINY)
    assert most == count
    assert calls % (count * EACH if count > 1 else 1) == 0
    assert samples.micros is not None
    assert samples.micros < 1000


async def test_bad_neighbours_do_misbehave_while_healthy_plugins_answer_and_are_free_afterwards() -> None:
    async with street() as hooks:
        async with disturbed_by_neighbours(hooks, 0.3):
            kinds = {plugin_id: await _failure(hooks, plugin_id, 0.3) for plugin_id in BAD}
            for plugin_id in HEALTHY:
                assert await _failure(hooks, plugin_id, 0.0) is None
        assert kinds == {**dict.fromkeys(BAD, "timeout"), CRASHES: "unavailable"}
        for plugin_id in BAD.keys() - {CRASHES}:
            assert await _failure(hooks, plugin_id, 0.0) is None


async def _failure(hooks: Hooks, plugin_id: str, seconds: float) -> str | None:
    result = await hooks.invoke(plugin_id, {"seconds": seconds})
    return result.errors[0].kind if result.errors else None
