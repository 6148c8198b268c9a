"""What may travel into a handler and out of it is the same for every plugin, wherever it runs."""

import math
from pathlib import Path
from typing import Any

import pytest

from host.hooks import HookSettings, PayloadError, PayloadTooLargeError
from host.runtime import Isolation
from tests.runtime.plugin_folders import SAY, write_plugin
from tests.runtime.runners.household import household

MUTATES = """
    from maibot_sdk import HookHandler

    class Mutates:
        @HookHandler("room.say", order="early")
        async def first(self, **kwargs):
            kwargs["nested"]["deep"].append(1)
            kwargs["nested"]["new"] = 2
            del kwargs["text"]

        @HookHandler("room.say")
        def second(self, **kwargs):
            return {"custom_result": [kwargs["text"], kwargs["nested"]]}

    create_plugin = Mutates
"""


async def test_a_handlers_copy_is_freely_mutable_and_nothing_leaks(tmp_path: Path, isolation: Isolation) -> None:
    write_plugin(tmp_path, "team.mutates", MUTATES)
    async with household(tmp_path, isolation=isolation) as house:
        payload = {"text": "hi", "nested": {"deep": [0]}}
        result = await house.hooks.invoke(SAY, payload)
        assert result.errors == ()
        assert result.kwargs == payload == {"text": "hi", "nested": {"deep": [0]}}
        assert [custom.value for custom in result.custom_results] == [["hi", {"deep": [0]}]]


ECHO = """
    import datetime, enum, math
    from maibot_sdk import HookHandler

    class Colour(enum.Enum):
        RED = "red"

    loop = []
    loop.append(loop)
    deep = []
    for _ in range(200):
        deep = [deep]

    class Echo:
        @HookHandler("room.say")
        async def speak(self, text, **kwargs):
            if text:
                return {"modified_kwargs": {"value": eval(text)}}
            return {"custom_result": [type(kwargs["value"]).__name__, kwargs["value"]]}

    create_plugin = Echo
"""


@pytest.mark.parametrize(
    ("expression", "becomes"),
    [
        ("datetime.datetime(2020, 1, 2)", "2020-01-02T00:00:00"),
        ("{3, 1, 2}", [1, 2, 3]),
        ("(1, (2,))", [1, [2]]),
        ("2 ** 63", 2**63),
        ("Colour.RED", "red"),
        ("{1: 'a'}", {"1": "a"}),
        ("b'raw'", b"raw"),
        ("bytes(20 << 20)", bytes(20 << 20)),
        ("math.inf", math.inf),
    ],
)
async def test_results_become_what_the_table_says(
    tmp_path: Path, isolation: Isolation, expression: str, becomes: Any
) -> None:
    write_plugin(tmp_path, "team.echo", ECHO)
    async with household(tmp_path, isolation=isolation) as house:
        result = await house.say(expression)
        assert result.errors == ()
        assert result.kwargs["value"] == becomes
        # And on its way in again.
        [custom] = (await house.hooks.invoke(SAY, {"text": "", "value": becomes})).custom_results
        assert custom.value == [type(becomes).__name__, becomes]


async def test_nan_travels(tmp_path: Path, isolation: Isolation) -> None:
    write_plugin(tmp_path, "team.echo", ECHO)
    async with household(tmp_path, isolation=isolation) as house:
        assert math.isnan((await house.say("math.nan")).kwargs["value"])
        [custom] = (await house.hooks.invoke(SAY, {"text": "", "value": math.nan})).custom_results
        assert math.isnan(custom.value[1])


UNFIT = ["2 ** 64", "'\\ud800'", "loop", "deep", "{1: 1, '1': 2}", "object()"]


@pytest.mark.parametrize("expression", UNFIT)
async def test_results_that_may_not_travel_are_the_handlers_failure_and_name_the_key(
    tmp_path: Path, isolation: Isolation, expression: str
) -> None:
    write_plugin(tmp_path, "team.echo", ECHO)
    async with household(tmp_path, isolation=isolation) as house:
        result = await house.say(expression)
        [error] = result.errors
        assert (error.kind, "value" in error.text) == ("invalid_return", True)
        assert "value" not in result.kwargs
        assert house.log.count("is active") == 1


async def test_arguments_that_may_not_travel_are_the_callers_error_and_nobody_is_charged(
    tmp_path: Path, isolation: Isolation
) -> None:
    write_plugin(tmp_path, "team.echo", ECHO)
    loop: list[Any] = []
    loop.append(loop)
    async with household(tmp_path, isolation=isolation) as house:
        for value in (2**64, "\ud800", loop, {1: 1, "1": 2}, object()):
            with pytest.raises(PayloadError, match=r"room\.say(.|\n)*value"):
                await house.hooks.invoke(SAY, {"text": "", "value": {"nested": value}})
        [row] = house.hooks.describe()
        assert row.breakers["team.echo", "speak"].failures == 0


async def test_a_payload_that_is_too_large_is_the_callers_error_and_names_hook_and_key_path(tmp_path: Path) -> None:
    write_plugin(tmp_path, "team.echo", ECHO)
    async with household(tmp_path, hook_settings=HookSettings(max_payload_bytes=1 << 20)) as house:
        with pytest.raises(PayloadTooLargeError, match=r"room\.say(.|\n)*value\.pictures\[1\]"):
            await house.hooks.invoke(SAY, {"text": "", "value": {"pictures": [b"", bytes(20 << 20)]}})
        [custom] = (await house.hooks.invoke(SAY, {"text": "", "value": 1})).custom_results
        assert custom.value == ["int", 1]
        [row] = house.hooks.describe()
        assert row.breakers["team.echo", "speak"].failures == 0


async def test_a_result_that_is_larger_than_a_frame_is_the_handlers_failure_and_the_process_lives(
    tmp_path: Path,
) -> None:
    write_plugin(tmp_path, "team.echo", ECHO)
    async with household(tmp_path) as house:
        [error] = (await house.say("bytes(70 << 20)")).errors
        assert error.plugin_id == "team.echo"
        assert "bytes" in error.text
        assert (await house.say("bytes(7)")).kwargs["value"] == bytes(7)
        assert house.log.count("is active") == 1
