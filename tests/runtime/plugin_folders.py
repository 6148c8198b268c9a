"""Plugin folders as plugin authors make them, for the tests of this room."""

import asyncio
import json
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from typing_extensions import TypedDict

from host.hooks import Hooks
from host.runtime import Plugins

PluginsIn = Callable[..., Plugins]
"""The fixture ``plugins_in``: the plugins below a folder."""

SAY = "room.say"

inline_only = pytest.mark.parametrize("isolation", ["inline"], indirect=True)
"""For a test that looks into the process which the plugin runs in."""
process_only = pytest.mark.parametrize("isolation", ["process"], indirect=True)
"""For a test that needs a plugin in a process of its own."""


class Say(TypedDict):
    """The payload of the hook that the plugins of these tests subscribe to."""

    text: str


GREETER = """
    import logging
    from maibot_sdk import HookHandler, MaiBotPlugin

    journal = logging.getLogger("journal")

    class Greeter(MaiBotPlugin):
        async def on_load(self):
            journal.warning("on_load")

        async def on_unload(self):
            journal.warning("on_unload")

        @HookHandler("room.say")
        async def greet(self, text, **kwargs):
            journal.warning("hook")
            return {"modified_kwargs": {"text": text + self.word()}}

        def word(self):
            return "!"

    def create_plugin():
        return Greeter()
"""
"""A whole plugin: life cycle, and one handler that appends a word to what is said."""


def manifest(plugin_id: str, **changes: Any) -> dict[str, Any]:
    """A manifest of version 2; a key changed to None is left out."""
    keys = {
        "manifest_version": 2,
        "id": plugin_id,
        "version": "1.2.3",
        "name": f"Name of {plugin_id}",
        "description": "For a test.",
        "author": {"name": "Somebody", "url": "https://example.org"},
    }
    return {key: value for key, value in {**keys, **changes}.items() if value is not None}


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write source files below `folder`, each dedented."""
    for name, source in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(source), encoding="utf-8")


def write_plugin(
    root: Path, plugin_id: str, source: str = GREETER, files: Mapping[str, str] | None = None, *, folder: str = ""
) -> Path:
    """A plugin's folder below `root`, named like its id unless `folder` is given."""
    path = root / (folder or plugin_id)
    write_files(path, {"_manifest.json": json.dumps(manifest(plugin_id)), "plugin.py": source, **(files or {})})
    return path


async def said(hooks: Hooks, text: str = "") -> str:
    """What the plugins made of `text`."""
    result = await hooks.invoke(SAY, {"text": text})
    assert result.errors == ()
    final: str = result.kwargs["text"]
    return final


class Watcher(logging.Handler):
    """Sets an event once the plugin has written a word into its journal."""

    def __init__(self, word: str) -> None:
        super().__init__()
        self.word = word
        self.seen = asyncio.Event()

    def emit(self, record: logging.LogRecord) -> None:
        if record.getMessage() == self.word:
            self.seen.set()


async def reached(word: str) -> None:
    """Wait until the plugin has written `word`."""
    watcher = Watcher(word)
    logging.getLogger("journal").addHandler(watcher)
    try:
        await watcher.seen.wait()
    finally:
        logging.getLogger("journal").removeHandler(watcher)
