"""Commands, tools and home cards of active plugins, in the shapes that front ends know."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from host.runtime import Isolation
from tests.cli.running import write_plugin

from .test_web_plugins import GOOD, PLUGINS, RUNTIME, served

CORE_CLEAR = {
    "id": "core.clear",
    "name": "clear",
    "plugin_name": "core",
    "pattern": "^/clear$",
    "permission": "operator",
    "aliases": [],
    "enabled": True,
}


def declaring(components: str) -> str:
    """A plugin that says itself what it consists of."""
    return f"""
class P:
    def get_components(self):
        return {components}

def create_plugin():
    return P()
"""


async def components(folder: Path, plugin_id: str = "b.odd", isolation: Isolation = "process") -> list[dict[str, Any]]:
    async with served(folder, isolation) as client:
        answer = await client.get(f"{PLUGINS}/{plugin_id}/components")
    assert answer.status_code == 200
    assert answer.json()["success"] is True
    found: list[dict[str, Any]] = answer.json()["components"]
    return found


async def cards(folder: Path) -> list[dict[str, Any]]:
    async with served(folder) as client:
        answer = await client.get(f"{RUNTIME}/home-cards")
    assert answer.status_code == 200
    assert answer.json()["success"] is True
    found: list[dict[str, Any]] = answer.json()["cards"]
    return found


def card(**metadata: object) -> str:
    """The code of one card's declaration."""
    return repr([{"name": "c", "type": "HOME_CARD", "metadata": {"title": "T", **metadata}}])


async def test_commands_and_tools_are_listed_and_nothing_else(tmp_path: Path) -> None:
    tool, command = await components(write_plugin(tmp_path / "plugins", "b.good", GOOD), "b.good")
    assert command == {
        "name": "hello",
        "description": "Greets",
        "enabled": True,
        "plugin_name": "b.good",
        "component_type": "command",
        "pattern": "^/hello$",
        "aliases": ["/hi"],
        "permission": "operator",
    }
    assert tool == {
        "name": "add",
        "description": "Adds",
        "enabled": True,
        "plugin_name": "b.good",
        "component_type": "tool",
        "parameters_schema": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
    }


async def test_a_plugin_that_is_not_active_has_no_components_commands_or_cards(tmp_path: Path) -> None:
    write_plugin(tmp_path / "plugins", "b.good", GOOD)
    async with served(tmp_path / "plugins") as client:
        assert (await client.post(f"{PLUGINS}/b.good/unload")).status_code == 200
        assert (await client.get(f"{PLUGINS}/b.good/components")).json()["components"] == []
        assert len((await client.get(f"{RUNTIME}/commands")).json()["commands"]) == 1
        assert (await client.get(f"{RUNTIME}/home-cards")).json()["cards"] == []


async def test_an_id_that_no_plugin_can_have_is_a_bad_request(tmp_path: Path) -> None:
    async with served(write_plugin(tmp_path / "plugins", "b.good", GOOD)) as client:
        for bad in (".b.good", "b.good.", "b%5Cgood", "b%00good", "b%0Agood", "b%09good"):
            answer = await client.get(f"{PLUGINS}/{bad}/components")
            assert (answer.status_code, list(answer.json())) == (400, ["detail"]), bad


async def test_commands_are_sorted_by_plugin_and_name_with_the_hosts_own_among_them(tmp_path: Path) -> None:
    command = "@Command('{}')\n    async def {}(self, **kwargs): ..."
    for plugin_id, names in {"d.last": ["b", "a"], "a.first": ["z"]}.items():
        methods = "\n    ".join(command.format(name, f"m{name}") for name in names)
        code = f"from maibot_sdk import Command, MaiBotPlugin\nclass P(MaiBotPlugin):\n    {methods}\n"
        write_plugin(tmp_path / "plugins", plugin_id, f"{code}def create_plugin(): return P()\n")
    async with served(tmp_path / "plugins") as client:
        answer = await client.get(f"{RUNTIME}/commands")
    assert answer.json()["success"] is True
    commands = answer.json()["commands"]
    assert [each["id"] for each in commands] == ["a.first.z", "core.clear", "d.last.a", "d.last.b"]
    assert commands[1].pop("description")
    assert commands[1] == CORE_CLEAR
    assert commands[0] == {
        "id": "a.first.z",
        "name": "z",
        "description": "",
        "enabled": True,
        "plugin_name": "a.first",
        "component_type": "command",
        "pattern": "",
        "aliases": [],
        "permission": "public",
    }


async def test_declarations_of_plugins_that_make_them_by_hand_are_read_for_what_they_are_worth(tmp_path: Path) -> None:
    declared = """[
        {"name": "lower", "type": "command", "metadata": {"command_pattern": 7, "aliases": "no", "permission": "all"}},
        {"name": "nested", "type": "COMMAND", "metadata": {"metadata": {"permission": "operator"}, "enabled": False}},
        {"name": "action", "type": "ACTION", "metadata": {"action_parameters": {"why": "the reason"}}},
        {"name": "raw", "type": "TOOL", "metadata": {"parameters_raw": {"type": "object", "properties": {}}}},
        {"name": "wrong", "type": "TOOL", "metadata": {"parameters": [{"no": "name"}]}},
        {"type": "TOOL", "metadata": None},
        {"name": "api", "type": "API", "metadata": {}},
    ]"""
    found = await components(write_plugin(tmp_path / "plugins", "b.odd", declaring(declared)))
    lower, nested, action, raw, wrong, nameless = found
    assert (lower["pattern"], lower["aliases"], lower["permission"]) == ("", [], "public")
    assert (nested["permission"], nested["enabled"]) == ("operator", False)
    assert action["component_type"] == "tool"
    assert action["parameters_schema"]["properties"] == {"why": {"type": "string", "description": "the reason"}}
    empty = {"type": "object", "properties": {}, "required": []}
    assert [each["parameters_schema"] for each in (raw, wrong, nameless)] == [empty] * 3


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("object()", "<object>"),
        ("float('nan')", None),
        ("b'\\xff'", "_w=="),
        ("{1, 1}", [1]),
        ("10 ** 30", 10**30),
        ("'\\udc80'", "left out"),
        ("(lambda d: (d.update(d=d), d)[1])({})", "left out"),
    ],
)
async def test_values_that_json_cannot_hold_break_no_answer(
    tmp_path: Path, value: str, shown: object, logged: list[str]
) -> None:
    declared = f"""[
        {{"name": "odd", "type": "TOOL", "metadata": {{"parameters_raw": {{"a": {{"default": {value}}}}}}}}},
        {{"name": "next", "type": "COMMAND", "metadata": {{}}}},
    ]"""
    folder = write_plugin(tmp_path / "plugins", "b.odd", declaring(declared))
    *odd, command = await components(folder, isolation="inline")
    assert command["name"] == "next"
    told = [each["parameters_schema"]["properties"]["a"]["default"] for each in odd]
    assert told == ([] if shown == "left out" else [shown])
    assert any("b.odd" in line and "not shown" in line for line in logged) is (shown == "left out")


async def test_values_that_cannot_leave_their_process_are_shown_by_their_type(tmp_path: Path) -> None:
    declared = """[{"name": "odd", "type": "TOOL", "metadata": {"parameters_raw": {
        "a": {"default": object()}, "b": {"default": 10 ** 30}, "c": {"default": [print, 1]}
    }}}]"""
    (odd,) = await components(write_plugin(tmp_path / "plugins", "b.odd", declaring(declared)))
    told = {name: each["default"] for name, each in odd["parameters_schema"]["properties"].items()}
    assert told == {"a": "<object>", "b": "<int>", "c": ["<builtin_function_or_method>", 1]}


async def test_cards_are_sorted_by_order_then_plugin_then_name_and_only_those_switched_on(tmp_path: Path) -> None:
    code = """
from maibot_sdk import HomeCard, MaiBotPlugin

class P(MaiBotPlugin):
    @HomeCard("late", "Late", order=2000)
    def late(self): ...
    @HomeCard("b", "B", "*hello*", description="d", link_url="/x", link_label="go", icon="star", width="wide")
    def b(self): ...
    @HomeCard("a", "A", show_title=False)
    def a(self): ...
    @HomeCard("off", "Off", enabled=False)
    def off(self): ...

def create_plugin():
    return P()
"""
    plugins = tmp_path / "plugins"
    write_plugin(plugins, "b.cards", code)
    off = "[{'name': 'off', 'type': 'HOME_CARD', 'metadata': {'title': 'Off', 'enabled': False}}]"
    write_plugin(plugins, "c.off", declaring(off))
    write_plugin(plugins, "a.cards", code)
    found = await cards(plugins)
    shown = [each["id"] for each in found if each["name"] != "off"]
    assert shown == [
        "plugin:a.cards:a",
        "plugin:a.cards:b",
        "plugin:b.cards:a",
        "plugin:b.cards:b",
        "plugin:a.cards:late",
        "plugin:b.cards:late",
    ]
    assert "plugin:c.off:off" not in [each["id"] for each in found]
    (card_b,) = [each for each in found if each["id"] == "plugin:a.cards:b"]
    assert card_b == {
        "id": "plugin:a.cards:b",
        "name": "b",
        "plugin_id": "a.cards",
        "title": "B",
        "show_title": True,
        "description": "d",
        "content": "*hello*",
        "link_url": "/x",
        "link_label": "go",
        "icon": "star",
        "width": "wide",
        "order": 1000,
        "enabled": True,
    }
    assert found[0]["show_title"] is False


async def test_texts_of_cards_are_cut_to_size_and_odd_values_count_as_none(tmp_path: Path) -> None:
    long = "x" * 9000
    texts = {"title": long, "description": long, "link_label": long, "icon": long, "content": long}
    (cut,) = await cards(write_plugin(tmp_path / "long" / "plugins", "b.odd", declaring(card(**texts))))
    assert {key: len(cut[key]) for key in texts} == {
        "title": 120,
        "description": 300,
        "link_label": 40,
        "icon": 40,
        "content": 4000,
    }
    odd = card(title=5, width="huge", order="first", show_title="perhaps", link_url=["/"], content=None)
    (plain,) = await cards(write_plugin(tmp_path / "odd" / "plugins", "b.odd", declaring(odd)))
    assert [plain[key] for key in ("title", "width", "order", "show_title", "link_url", "content")] == [
        "",
        "medium",
        1000,
        True,
        "",
        "",
    ]


LINKS = {
    "https://example.org/a?b=c#d": True,
    "HTTP://example.org": True,
    "mailto:somebody@example.org": True,
    "/plugins": True,
    "/": True,
    "//example.org": False,
    "/\\example.org": False,
    "/\t/example.org": False,
    "\t/\n/example.org": False,
    " https://example.org": False,
    "javascript:alert(1)": False,
    "JavaScript:alert(1)": False,
    "data:text/html,hello": False,
    "example.org": False,
    "https://example.org/" + "a" * 480: True,
    "https://example.org/" + "a" * 481: False,
    "": False,
}


async def test_links_lead_to_web_pages_mail_and_this_server_only_wherever_they_stand(tmp_path: Path) -> None:
    blocks = [{"type": "actions", "url": link, "items": [{"href": link}], "more": {"link_url": link}} for link in LINKS]
    declared = [
        {"name": f"{number:02}", "type": "HOME_CARD", "metadata": {"title": "T", "link_url": link, "content": block}}
        for number, (link, block) in enumerate(zip(LINKS, blocks, strict=True))
    ]
    found = await cards(write_plugin(tmp_path / "plugins", "b.odd", declaring(repr(declared))))
    for (link, allowed), shown in zip(LINKS.items(), found, strict=True):
        block = shown["content"]
        told = {shown["link_url"], block["url"], block["items"][0]["href"], block["more"]["link_url"]}
        assert told == {link if allowed else ""}, link


async def test_content_keeps_known_blocks_and_makes_the_others_text(tmp_path: Path) -> None:
    content = [
        {"type": "stat", "value": 5, "label": "y" * 5000, "ok": True, "none": None},
        {"type": "iframe", "text": "hello"},
        {"type": ["list"], "items": ["z" * 500, 7, None, {"type": "markdown", "text": "m"}]},
        {"type": "key_value", "k" * 100: {"a": 1, "b": "w" * 500, "c": [1]}},
        "just text",
        *[{"type": "text"}] * 30,
    ]
    (shown,) = await cards(write_plugin(tmp_path / "plugins", "b.odd", declaring(card(content=content))))
    stat, foreign, listed, pairs, plain, *rest = shown["content"]
    assert stat == {"type": "stat", "value": 5, "label": "y" * 4000, "ok": True, "none": None}
    assert foreign == {"type": "text", "text": "hello"}
    assert listed == {"type": "text", "items": ["z" * 120, "7", "", {"type": "markdown", "text": "m"}]}
    assert pairs == {"type": "key_value", "k" * 40: {"a": "1", "b": "w" * 120, "c": "[1]"}}
    assert plain == {"type": "text", "text": "just text"}
    assert len(shown["content"]) == 20
    assert rest == [{"type": "text"}] * 15
    one = declaring(card(content={"type": "stat", "value": 1}))
    (single,) = await cards(write_plugin(tmp_path / "one" / "plugins", "b.odd", one))
    assert single["content"] == {"type": "stat", "value": 1}


async def test_while_a_plugin_is_loading_the_host_answers_and_shows_nothing_of_it(tmp_path: Path) -> None:
    waits = """
import asyncio
from pathlib import Path
from maibot_sdk import Command, MaiBotPlugin

class P(MaiBotPlugin):
    async def on_load(self):
        while not Path(__file__).with_name("go").exists():
            await asyncio.sleep(0.01)

    @Command("slow")
    async def slow(self, **kwargs): ...

def create_plugin():
    return P()
"""
    plugins = write_plugin(tmp_path / "plugins", "b.slow", declaring("[]"))
    async with served(plugins) as client:
        assert (await client.post(f"{PLUGINS}/b.slow/unload")).status_code == 200
        (plugins / "b.slow" / "plugin.py").write_text(waits)
        loading = asyncio.create_task(client.post(f"{PLUGINS}/b.slow/load"))
        async with asyncio.timeout(30):
            while (await client.get(f"{PLUGINS}/b.slow")).json()["plugin"]["state"] != "loading":
                assert not loading.done()
        assert (await client.get(f"{PLUGINS}/b.slow/components")).json()["components"] == []
        assert [each["id"] for each in (await client.get(f"{RUNTIME}/commands")).json()["commands"]] == ["core.clear"]
        (plugins / "b.slow" / "go").touch()
        assert (await loading).status_code == 200
        assert len((await client.get(f"{PLUGINS}/b.slow/components")).json()["components"]) == 1
