"""What changes in the folders of plugins is told once it is over, plugin by plugin."""

import asyncio
import shutil
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing, asynccontextmanager
from pathlib import Path, PurePosixPath

import pytest

from host.runtime.watching import changes_in, concerns_plugin
from maibot_sdk import MaiBotPlugin
from tests.runtime.configured import configuration

Batch = Mapping[Path, frozenset[str]]
SECONDS = 20.0
"""How long a test waits for what has to come, at most."""


@pytest.fixture
def one(tmp_path: Path) -> Path:
    (tmp_path / "one").mkdir()
    return tmp_path / "one"


@pytest.fixture
def two(tmp_path: Path) -> Path:
    (tmp_path / "two").mkdir()
    return tmp_path / "two"


@asynccontextmanager
async def watching(*folders: Path) -> AsyncIterator[Callable[[], Awaitable[Batch]]]:
    """A watch that has begun, and a function for the next batch of it."""
    batches: asyncio.Queue[Batch] = asyncio.Queue()

    async def watch() -> None:
        async with aclosing(changes_in(folders)) as changes:
            async for batch in changes:
                batches.put_nowait(batch)

    task = asyncio.create_task(watch())
    await asyncio.sleep(0)  # the first step of the generator begins the watch
    yield lambda: asyncio.wait_for(batches.get(), SECONDS)
    task.cancel()
    await asyncio.wait({task})
    assert task.cancelled()


async def test_files_touched_within_50_ms_are_one_batch(one: Path) -> None:
    async with watching(one) as next_batch:
        for name in ("plugin.py", "config.py", "rules.json"):
            (one / name).write_text("x")
            await asyncio.sleep(0.02)  # as far apart as they are meant to be
        assert await next_batch() == {one: {"plugin.py", "config.py", "rules.json"}}


async def test_each_change_is_told_for_its_folder_with_the_path_in_it(one: Path, two: Path) -> None:
    (one / "inner").mkdir()
    (two / "plugin.py").write_text("x")
    async with watching(one, two) as next_batch:
        (one / "inner" / "rules.py").write_text("x")
        (two / "plugin.py").unlink()
        assert await next_batch() == {one: {"inner/rules.py"}, two: {"plugin.py"}}


async def test_a_change_in_a_folder_in_a_folder_is_told_for_the_inner_one(tmp_path: Path, one: Path) -> None:
    async with watching(tmp_path, one) as next_batch:
        (one / "plugin.py").write_text("x")
        (tmp_path / "notes.txt").write_text("x")
        assert await next_batch() == {one: {"plugin.py"}, tmp_path: {"notes.txt"}}


async def test_a_linked_folder_is_told_by_the_name_it_was_given(tmp_path: Path, one: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(one)
    async with watching(link) as next_batch:
        (one / "plugin.py").write_text("x")
        assert await next_batch() == {link: {"plugin.py"}}


async def test_what_does_not_concern_a_plugin_is_not_told(one: Path) -> None:
    for folder in ("data", "__pycache__"):
        (one / folder).mkdir()
    async with watching(one) as next_batch:
        (one / "data" / "scores.json").write_text("x")
        (one / "__pycache__" / "plugin.cpython-311.pyc").write_text("x")
        (one / ".plugin.py.swp").write_text("x")
        (one / "plugin.py~").write_text("x")
        (one / "last.py").write_text("x")
        assert await next_batch() == {one: {"last.py"}}


async def test_of_a_write_by_the_host_only_the_configuration_itself_is_told(one: Path) -> None:
    config = configuration(one, MaiBotPlugin(), "a = 1\n")
    async with watching(one) as next_batch:
        config.write({"a": 2})
        assert await next_batch() == {one: {"config.toml"}}


async def test_a_folder_that_goes_is_told_and_the_others_are_still_watched(one: Path, two: Path) -> None:
    (one / "plugin.py").write_text("x")
    async with watching(one, two) as next_batch:
        shutil.rmtree(one)
        assert await next_batch() == {one: {"plugin.py"}}
        (two / "plugin.py").write_text("x")
        assert await next_batch() == {two: {"plugin.py"}}


async def test_what_changes_while_a_batch_is_worked_on_comes_in_the_next(one: Path) -> None:
    async with aclosing(changes_in([one])) as changes:
        first = asyncio.ensure_future(anext(changes))
        await asyncio.sleep(0)
        (one / "plugin.py").write_text("x")
        assert await asyncio.wait_for(first, SECONDS) == {one: {"plugin.py"}}
        (one / "config.py").write_text("x")
        assert await asyncio.wait_for(anext(changes), SECONDS) == {one: {"config.py"}}


async def test_a_watch_ends_with_its_task_again_and_again(one: Path) -> None:
    async with watching(one):
        threads = threading.active_count()
    for _ in range(10):
        async with watching(one):
            pass
    assert threading.active_count() <= threads + 1


async def test_a_folder_that_does_not_exist_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nowhere"):
        await anext(changes_in([tmp_path / "nowhere"]))


@pytest.mark.parametrize(
    "path",
    [
        "plugin.py",
        "_manifest.json",
        "config.toml",
        "inner/data/x.json",
        "inner/config_back/x",
        "data.py",
        "templates/a.tmpl",
    ],
)
def test_files_of_a_plugin_concern_it(path: str) -> None:
    assert concerns_plugin(PurePosixPath(path))


@pytest.mark.parametrize(
    "path",
    [
        "data",
        "data/x.py",
        "config_back/config.toml.backup.1",
        "__pycache__/x.pyc",
        "inner/__pycache__",
        "inner/x.pyc",
        ".git/HEAD",
        "inner/.venv/lib/x.py",
        ".config.toml.0123.tmp",
        ".plugin.py.swp",
        "plugin.py~",
        "#plugin.py#",
        ".#plugin.py",
        "4913",
        "plugin.py___jb_tmp___",
        "plugin.py.tmp",
        "update.zip.part",
    ],
)
def test_data_backups_bytecode_hidden_and_temporary_files_do_not(path: str) -> None:
    assert not concerns_plugin(PurePosixPath(path))
