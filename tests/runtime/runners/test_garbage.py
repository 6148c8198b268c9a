"""A process that says what no runner says is cut off and reported; its host and its neighbours go on."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.hooks import HandlerError, RegistrationError
from host.runtime import PluginError, PluginState, RunnerSettings
from host.runtime.runners.messages import Answer, LogRecord
from host.runtime.runners.problem_data import ProblemData
from host.runtime.runners.restarts import RestartSettings
from host.runtime.runners.warm_parent import WarmParent
from tests.runtime.plugin_folders import GREETER, SAY, write_plugin
from tests.runtime.runners.hostile import ENTRY, EVIL, HONEST, prepared, write_evil
from tests.runtime.runners.household import NO_BREAKERS, Household, household, measured_lag

encode = msgspec.msgpack.Encoder().encode
FORGIVING = RunnerSettings(
    grace_seconds=0.3,
    heartbeat_seconds=0.2,
    frame_limit_mb=1,
    restarts=RestartSettings(
        most=100, window_seconds=0.001, first_pause_seconds=0.01, longest_pause_seconds=0.01, jitter=0.0
    ),
)
"""Processes are started again without end, so that one household sees many deaths."""
STRICT = FORGIVING.model_copy(update={"restarts": RestartSettings(most=0)})
DEEP = b"\x91" * 100_000 + b"\xc0"
"""Lists in lists, more than can be read."""
TOO_DEEP: list[Any] = msgspec.msgpack.decode(b"\x91" * 150 + b"\xc0")
"""The same, fewer than that, and more than may travel."""
EXTENSION = b"\xd4\x05\x00"
"""A value of a type that is none of ours."""


@asynccontextmanager
async def _beside_evil(root: Path, limits: RunnerSettings = FORGIVING) -> AsyncIterator[Household]:
    write_plugin(root, "team.healthy", GREETER)
    parent = WarmParent(entry=ENTRY)
    async with household(root, launcher=parent, settings=limits, hook_settings=NO_BREAKERS, seconds=0.5) as house:
        yield house


async def _hears(house: Household, says: list[Any]) -> tuple[HandlerError, ...]:
    """The failures of a dispatch in which the hostile process said something; the healthy plugin has its turn."""
    async with asyncio.timeout(10):
        result = await house.hooks.invoke(SAY, {"text": "", "says": says})
    assert {error.plugin_id for error in result.errors} <= {EVIL}
    assert len(result.errors) <= 1
    assert result.aborted or str(result.kwargs["text"]).endswith("!")
    return result.errors


async def _is_well(house: Household) -> None:
    """Wait until the hostile plugin, started again if need be, answers honestly."""
    async with asyncio.timeout(10):
        while await _hears(house, HONEST):  # noqa: ASYNC110 - there may have been no need
            await asyncio.sleep(0.005)


FATAL: list[tuple[list[Any], str]] = [
    ([b"\xff" * 100], "frame of 4294967295 bytes"),
    ([bytes(8)], "no message"),
    ([b"\x05\x00\x00\x00\x00\x00\x00\x00\x94AAAA"], "no message"),
    ([[[9, 0], b""]], "no message"),
    ([[[1, 10**6], b""]], "call 1000000, which was never made"),
    ([[[3, 10**6], b""]], "call 1000000, which was never made"),
    ([[[0, 7, "host", None, 0], b"\xc0"], [[0, 7, "host", None, 0], b"\xc0"]], "ids only rise"),
    ([[[0, 7, "host", None, 10**6], b"\xc0"]], "call 1000000, which was never made"),
    ([[[1, 0], b"\xc1"]], "a handler's answer"),
    ([[[1, 0], b""]], "a handler's answer"),
    ([[[1, 0], encode([[1], None])]], "a handler's answer"),
    ([[[1, 0], b"\x92\x91\x81\xa1k" + DEEP + b"\xc0"]], "a handler's answer"),
    ([[[2, 0], b"\xc1"]], "no message"),
    ([[[4, "log"], b"\xc1"]], "a log record"),
    ([[[4, "log"], DEEP]], "a log record"),
    (["close"], "exit code 0"),
]
"""What is said, and what the reason of the end names."""


async def test_what_no_runner_says_ends_its_process_with_the_reason(tmp_path: Path) -> None:
    write_evil(tmp_path)
    async with _beside_evil(tmp_path) as house:
        for says, named in FATAL:
            house.log.lines.clear()
            [error] = await _hears(house, says)
            assert error.kind == "unavailable"
            report = f"ERROR : the process of plugin {EVIL!r} is gone"
            await house.log.holds(report)
            [line] = [line for line in house.log.lines if line.startswith(report)]
            assert named in line
            assert len(line) < 10_000
            await _is_well(house)


HARMLESS: list[list[Any]] = [
    [*HONEST, *HONEST],
    [[[4, "nobody listens to this"], b"\xc1"], *HONEST],
    [[[0, 5, "no method", 3, 0], b"\xc1"], *HONEST],
    [[[0, 6, "host", 2**52, 0], DEEP], *HONEST],
    [[[4, "log"], encode(LogRecord(10**18, "\0", "x" * 900_000))], *HONEST],
    [[[4, "log"], encode(LogRecord(-(10**18), "", ""))], *HONEST],
    [[[4, "log"], encode(LogRecord(30, "{0} <red>", "{0} {name} <red> \x1b[0m"))], *HONEST],
]


async def test_what_is_odd_but_does_no_harm_is_passed_over(tmp_path: Path) -> None:
    write_evil(tmp_path)
    async with _beside_evil(tmp_path) as house:
        for says in HARMLESS:
            assert await _hears(house, says) == ()
            await _is_well(house)
        assert house.log.count(f"plugin {EVIL} 1.2.3 is active") == 1


CLAIMS: list[tuple[list[Any], str]] = [
    ([None, {"kind": "breaker_open", "text": "not so", "charged": False}], "exception"),
    ([None, {"kind": "exception", "text": "x" * 500_000, "traceback": "y" * 500_000}], "exception"),
    ([[{}, False, False, None, {"kind": "timeout", "text": "t", "charged": False}], None], "exception"),
    ([[{"other": TOO_DEEP}, False, False, None, None], None], "invalid_return"),
    ([[{}, False, True, TOO_DEEP, None], None], "invalid_return"),
    ([[{}, False, True, msgspec.msgpack.Ext(5, b""), None], None], "invalid_return"),
    ([[{"text": 5}, False, False, None, None], None], "invalid_return"),
]
"""What a handler is said to have done, and what its failure counts as."""


async def test_what_a_process_claims_is_only_believed_as_far_as_it_is_its_business(tmp_path: Path) -> None:
    write_evil(tmp_path)
    async with _beside_evil(tmp_path) as house:
        for handled, kind in CLAIMS:
            [error] = await _hears(house, [[[1, 0], encode(handled)]])
            assert error.kind == kind
            assert len(error.text) < 10_000
            assert len(error.traceback) < 100_000
        assert house.log.count("is active") == 2


@pytest.mark.parametrize("pong", [b"", b"\xc1", encode(["many"]), b"\x92\x00" + DEEP])
async def test_a_heartbeat_that_cannot_be_read_is_no_heartbeat(tmp_path: Path, pong: bytes) -> None:
    (write_evil(tmp_path) / "pong").write_bytes(pong)
    async with _beside_evil(tmp_path, STRICT) as house:
        await house.log.holds(f"the process of plugin {EVIL!r} is gone: it broke the protocol")
        assert await house.said() == "!"


LEAF = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**64 - 1),
    st.floats(),
    st.text(max_size=20),
    st.binary(max_size=20),
)
VALUE = st.recursive(
    LEAF,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
    max_leaves=12,
)
ENCODED = st.one_of(
    VALUE.map(encode),
    st.binary(max_size=60),
    st.tuples(VALUE, VALUE).map(encode),
    st.sampled_from([DEEP, EXTENSION, b"\xdf\xff\xff\xff\xff", b"\xc6\xff\xff\xff\xff"]),
)
METHOD = st.text(max_size=9) | st.sampled_from(["host", "log"])
HEAD = st.one_of(
    st.tuples(st.just(0), st.integers(0, 2**63), METHOD, st.none() | st.integers(-1, 2**60), st.integers(0, 99)),
    st.tuples(st.sampled_from([1, 2, 3]), st.just(0) | st.integers(-1, 99)),
    st.tuples(st.just(4), st.sampled_from(["log", "", "x" * 100])),
    st.lists(LEAF, min_size=1, max_size=5).map(tuple),
).map(list)
RETURN = st.tuples(
    st.fixed_dictionaries({}, optional={"text": VALUE, "hook_name": VALUE, "other": VALUE}),
    st.booleans(),
    st.booleans(),
    VALUE,
    st.none(),
)
FAILURE = st.fixed_dictionaries({"kind": st.sampled_from(["exception", "timeout", "x"]), "text": st.text(max_size=9)})
HANDLED = st.tuples(st.none() | RETURN, st.none() | FAILURE).map(encode)
SAYS = st.lists(
    st.one_of(
        st.tuples(HEAD, ENCODED | HANDLED).map(list),
        st.tuples(st.just([1, 0]), HANDLED).map(list),
        st.binary(max_size=80),
    ),
    max_size=4,
)


def test_whatever_a_process_says_costs_no_more_than_its_own_call() -> None:
    """One household for all examples: what one of them broke would show in the next."""
    with asyncio.Runner() as loop, TemporaryDirectory() as folder:
        write_evil(Path(folder))
        house_around = _beside_evil(Path(folder))
        house = loop.run(house_around.__aenter__())

        @given(says=SAYS)
        @settings(max_examples=60, deadline=None)
        def run(says: list[Any]) -> None:
            loop.run(_lives_through(house, says))

        try:
            run()
        finally:
            loop.run(house_around.__aexit__(None, None, None))


async def _lives_through(house: Household, says: list[Any]) -> None:
    async with measured_lag() as lag:
        await _hears(house, says)
        await _is_well(house)
    assert lag.longest < 1


FIELD = st.sampled_from(["plugin_id", "where", "error", "self", "file"])


def _answers() -> st.SearchStrategy[bytes]:
    judged = st.sampled_from([SAY, "evil", "observe", "", "\0", "x" * 10_000]) | LEAF
    names = ["hook", "name", "mode", "order", "timeout_ms", "error_policy", "component_type", "metadata", "anatomy"]
    declared = st.dictionaries(st.sampled_from(names), judged | VALUE, max_size=4).map(lambda each: prepared(**each))
    problems = st.builds(
        ProblemData,
        type=st.sampled_from(["StepFailedError", "ConfigError", "ProcessLostError", "PluginError", ""]),
        code=st.sampled_from(["import_raised", "config_invalid", "given_up", "", "process_lost"]),
        fields=st.dictionaries(FIELD, st.text(max_size=9) | st.integers(-(2**63), 2**64 - 1)),
    ).map(lambda problem: Answer(problem=problem))
    return declared.map(encode) | problems.map(encode) | ENCODED | st.just(b"")


def test_whatever_a_process_says_of_its_plugin_that_is_active_or_failed_with_the_reason() -> None:
    with asyncio.Runner() as loop, TemporaryDirectory() as folder:
        folder_of_evil = write_evil(Path(folder))
        house_around = _beside_evil(Path(folder))
        house = loop.run(house_around.__aenter__())

        @given(answer=_answers())
        @settings(max_examples=60, deadline=None)
        def run(answer: bytes) -> None:
            (folder_of_evil / "answer").write_bytes(answer)
            loop.run(_loads(house))

        try:
            run()
        finally:
            loop.run(house_around.__aexit__(None, None, None))


async def _loads(house: Household) -> None:
    await house.plugins.unload(EVIL)
    async with asyncio.timeout(10):
        plugin = await house.plugins.load(EVIL)
    assert plugin.state in (PluginState.ACTIVE, PluginState.FAILED, PluginState.INACTIVE)
    if plugin.state is PluginState.FAILED:
        assert isinstance(plugin.problem, PluginError | RegistrationError)
        assert plugin.problem.text()
        assert plugin.problem.text("zh")
    assert house.plugins["team.healthy"].state is PluginState.ACTIVE
    assert house.hooks.describe()
    result = await house.say()
    assert {error.plugin_id for error in result.errors} <= {EVIL}
