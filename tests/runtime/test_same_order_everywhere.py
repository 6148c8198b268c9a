"""Two machines with the same plugins call them in the same order, however their folders came to be."""

from itertools import permutations
from pathlib import Path

import pytest

from host.hooks import Hooks
from tests.runtime.plugin_folders import PluginsIn, said, write_plugin

TWO_WORDS = """
    from maibot_sdk import HookHandler

    class P:
        @HookHandler("room.say", name="{first}")
        async def b(self, text, **kwargs):
            return {{"modified_kwargs": {{"text": text + " {id}:{first}"}}}}

        @HookHandler("room.say", name="{second}")
        async def a(self, text, **kwargs):
            return {{"modified_kwargs": {{"text": text + " {id}:{second}"}}}}

    create_plugin = P
"""


@pytest.mark.parametrize("ids", list(permutations(["x.a", "x-a", "B.x"])))
async def test_the_order_of_dispatch_does_not_depend_on_when_a_folder_was_made(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path, ids: tuple[str, ...]
) -> None:
    for plugin_id in ids:
        names = ("B", "a") if ids[0] == "x.a" else ("a", "B")
        write_plugin(tmp_path, plugin_id, TWO_WORDS.format(id=plugin_id, first=names[0], second=names[1]))
    await plugins_in(tmp_path).load_all()
    assert await said(hooks) == " B.x:B B.x:a x-a:B x-a:a x.a:B x.a:a"


@pytest.mark.parametrize("ids", list(permutations(["x.a", "x-a", "B.x"])))
async def test_nor_on_which_was_loaded_first(
    plugins_in: PluginsIn, hooks: Hooks, tmp_path: Path, ids: tuple[str, ...]
) -> None:
    for plugin_id in ids:
        write_plugin(tmp_path, plugin_id, TWO_WORDS.format(id=plugin_id, first="B", second="a"))
    plugins = plugins_in(tmp_path)
    for plugin_id in ids:
        await plugins.load(plugin_id)
    assert await said(hooks) == " B.x:B B.x:a x-a:B x-a:a x.a:B x.a:a"
