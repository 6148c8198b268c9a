"""Whatever a handler raises is its failure, at once and by its own name; its process survives."""

from pathlib import Path
from time import monotonic

import pytest

from host.hooks import HandlerError
from host.runtime import Isolation
from tests.runtime.plugin_folders import process_only, write_plugin
from tests.runtime.runners.household import NO_BREAKERS, household

RAISING = """
    import asyncio, sys
    from maibot_sdk import HookHandler

    class TwoArguments(Exception):
        def __init__(self, one, two):
            super().__init__(f"{{one}} and {{two}}")

    class Unprintable(Exception):
        def __str__(self):
            raise ValueError("no text")

    class Sly(Exception):
        def __str__(self):
            sys.exit(5)

    async def chained():
        try:
            {{}}["inner"]
        except KeyError as inner:
            raise RuntimeError("outer") from inner

    class Raising:
        @HookHandler("room.say", name="raises", timeout_ms=20_000)
        {keyword} raises(self, text, **kwargs):
            if text:
                exec(text, globals())

    create_plugin = Raising
"""

PATIENCE = 0.1
"""Seconds that a failure may take."""


async def _error_of(root: Path, isolation: Isolation, keyword: str, deed: str) -> HandlerError:
    write_plugin(root, "team.raising", RAISING.format(keyword=keyword))
    async with household(root, isolation=isolation, hook_settings=NO_BREAKERS) as house:
        took = []
        for _ in range(3):
            began = monotonic()
            result = await house.say(deed)
            took.append(monotonic() - began)
            [error] = result.errors
        assert min(took) < PATIENCE
        assert await house.said("") == ""
        assert house.log.count("is active") == 1, "its process survives"
        return error


@pytest.mark.parametrize("keyword", ["async def", "def"])
@pytest.mark.parametrize(
    ("deed", "kind", "named"),
    [
        ("raise asyncio.CancelledError('mine')", "cancelled", "CancelledError: mine"),
        ("sys.exit(3)", "exception", "SystemExit: 3"),
        ("raise KeyboardInterrupt", "exception", "KeyboardInterrupt"),
        ("raise StopIteration(4)", "exception", "StopIteration"),
        ("raise BaseExceptionGroup('both', [SystemExit(1)])", "exception", "both"),
    ],
)
async def test_what_would_end_a_program_ends_the_call(
    tmp_path: Path, isolation: Isolation, keyword: str, deed: str, kind: str, named: str
) -> None:
    error = await _error_of(tmp_path, isolation, keyword, deed)
    assert (error.plugin_id, error.handler, error.kind) == ("team.raising", "raises", kind)
    assert named in error.text


@process_only
@pytest.mark.parametrize("keyword", ["async def", "def"])
async def test_what_would_close_a_coroutine_of_the_host_ends_the_call(
    tmp_path: Path, isolation: Isolation, keyword: str
) -> None:
    error = await _error_of(tmp_path, isolation, keyword, "raise GeneratorExit")
    assert (error.kind, error.text) == ("exception", "GeneratorExit: ")


@pytest.mark.parametrize(
    ("deed", "texts", "traced"),
    [
        ("raise TwoArguments('a', 'b')", ("TwoArguments: a and b",), ("in raises",)),
        ("raise AssertionError()", ("AssertionError",), ("in raises",)),
        ("raise Unprintable", ("Unprintable", "cannot be read"), ("in raises",)),
        ("raise ValueError('x' * 5_000_000)", ("ValueError: xxx",), ("xxx",)),
        ("raise ValueError('\\ud800')", ("ValueError: ",), ("in raises",)),
        (
            "try:\n    {}['inner']\nexcept KeyError as inner:\n    raise RuntimeError('outer') from inner",
            ("RuntimeError: outer",),
            ("KeyError: 'inner'", "direct cause", "RuntimeError: outer"),
        ),
    ],
)
async def test_a_failure_arrives_as_class_text_and_traceback(
    tmp_path: Path, isolation: Isolation, deed: str, texts: tuple[str, ...], traced: tuple[str, ...]
) -> None:
    error = await _error_of(tmp_path, isolation, "async def", deed)
    assert error.kind == "exception"
    for text in texts:
        assert text in error.text
    for text in traced:
        assert text in error.traceback
    assert len(error.text) < 10_000
    assert len(error.traceback) < 100_000


BACKGROUND = """
    import asyncio, logging, sys
    from maibot_sdk import HookHandler

    class Background:
        @HookHandler("room.say", timeout_ms=20_000)
        async def speak(self, text, **kwargs):
            if text == "task":
                self.task = asyncio.create_task(self.exit())
            if text == "callback":
                asyncio.get_running_loop().call_soon(sys.exit, 3)
            return {"modified_kwargs": {"text": text + "b"}}

        async def exit(self):
            sys.exit(3)

    create_plugin = Background
"""


@pytest.mark.parametrize("where", ["task", "callback"])
async def test_sys_exit_in_the_background_is_told_and_ends_nothing_else(tmp_path: Path, where: str) -> None:
    write_plugin(tmp_path, "team.background", BACKGROUND)
    async with household(tmp_path) as house:
        assert await house.said(where) == f"{where}b"
        await house.log.holds("a background task ended by SystemExit(3)")
        assert await house.said() == "b"
        assert house.log.count("is active") == 1
