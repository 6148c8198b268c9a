"""The plugins over HTTP: shown as they stand, and moved from state to state, whatever they do wrong."""

from __future__ import annotations

import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import httpx
import pytest

from host import Host, Settings
from host.runtime import Isolation
from host.settings import PluginSettings
from tests.cli.running import write_plugin
from webui_api import AccessToken, create_app

from .serving import SECRET, bearer, serving

RUNTIME = "/plugins/runtime"
PLUGINS = f"{RUNTIME}/plugins"
HOOK = "chat.receive.before_process"

GOOD = """
from maibot_sdk import Command, EventHandler, HookHandler, MaiBotPlugin, Tool

class Good(MaiBotPlugin):
    async def on_load(self): ...
    async def on_unload(self): ...

    @HookHandler("chat.receive.before_process", name="greets", description="Says hello", order="early", timeout_ms=1500)
    async def greets(self, **kwargs): ...

    @HookHandler("chat.receive.after_process", name="looks", mode="observe", error_policy="log")
    async def looks(self, **kwargs): ...

    @Command("hello", description="Greets", pattern="^/hello$", aliases=["/hi"], permission="operator")
    async def hello(self, **kwargs): ...

    @Tool("add", description="Adds", parameters={"a": {"type": "integer", "required": True}})
    async def add(self, **kwargs): ...

    @EventHandler("waits")
    async def waits(self, **kwargs): ...

def create_plugin():
    return Good()
"""


@asynccontextmanager
async def served(plugins: Path, isolation: Isolation = "process") -> AsyncIterator[httpx.AsyncClient]:
    """A client with the right token, of a host that has loaded the plugins in a folder."""
    settings = Settings(
        data_dir=plugins.parent / "data",
        plugin_dirs=(plugins,),
        bundled_plugins=False,
        plugins=PluginSettings(isolation=isolation),
    )
    token = AccessToken(SECRET, Path("webui.json"))
    async with Host(settings) as host, serving(create_app(host, token)) as client:
        client.headers.update(bearer())
        yield client


async def plugin_of(client: httpx.AsyncClient, plugin_id: str, **headers: str) -> dict[str, Any]:
    answer = await client.get(f"{PLUGINS}/{plugin_id}", headers=headers)
    assert answer.status_code == 200, answer.text
    assert answer.json()["success"] is True
    plugin: dict[str, Any] = answer.json()["plugin"]
    return plugin


async def handlers_of(client: httpx.AsyncClient, hook: str = HOOK) -> list[str]:
    hooks = (await client.get(f"{RUNTIME}/hooks")).json()["hooks"]
    (row,) = [row for row in hooks if row["name"] == hook]
    return [f"{each['plugin_id']} / {each['name']}" for each in row["handlers"]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "plugins"
    path.mkdir()
    return path


async def test_the_list_shows_every_plugin_with_its_state_and_what_is_the_matter(folder: Path) -> None:
    write_plugin(folder, "b.good", GOOD, description="Greets people.")
    write_plugin(folder, "a.raises", "raise RuntimeError('at import')")
    write_plugin(folder, "c.blocked", GOOD, version="one")
    async with served(folder) as client:
        answer = await client.get(PLUGINS)
        chinese = (await client.get(PLUGINS, headers={"Accept-Language": "zh"})).json()["plugins"]
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    assert answer.json()["success"] is True
    raises, good, blocked = answer.json()["plugins"]
    assert good == {
        "id": "b.good",
        "name": "b.good",
        "version": "1.0.0",
        "description": "Greets people.",
        "path": str(folder / "b.good"),
        "source": "third_party",
        "state": "active",
        "problem": None,
        "reload_problem": None,
        "config_problem": None,
        "handlers": 2,
    }
    assert (raises["id"], raises["state"], raises["problem"]["code"]) == ("a.raises", "failed", "import_raised")
    assert "RuntimeError: at import" in raises["problem"]["text"]
    assert "raise RuntimeError('at import')" in raises["problem"]["traceback"]
    assert (blocked["id"], blocked["state"], blocked["version"]) == ("c.blocked", "blocked", "")
    assert blocked["problem"]["code"] == "manifest_invalid"
    assert chinese[0]["problem"]["text"].startswith("插件 'a.raises' 无法导入")


async def test_one_plugin_is_shown_with_its_handlers_components_and_neighbours(folder: Path) -> None:
    needs = [{"type": "plugin", "id": "a.base", "version_spec": ">=1.0.0"}]
    write_plugin(folder, "a.base", "def create_plugin(): return object()")
    write_plugin(folder, "b.good", GOOD, dependencies=needs)
    async with served(folder) as client:
        good = await plugin_of(client, "b.good")
        base = await plugin_of(client, "a.base")
    assert good["hook_handlers"] == [
        {
            "hook": "chat.receive.after_process",
            "name": "looks",
            "description": "",
            "mode": "observe",
            "order": "normal",
            "timeout_ms": 60_000,
            "error_policy": "log",
        },
        {
            "hook": "chat.receive.before_process",
            "name": "greets",
            "description": "Says hello",
            "mode": "blocking",
            "order": "early",
            "timeout_ms": 1500,
            "error_policy": "skip",
        },
    ]
    assert good["components"] == {"COMMAND": 1, "EVENT_HANDLER": 1, "HOOK_HANDLER": 2, "TOOL": 1}
    assert good["warnings"] == []
    assert (good["dependencies"], good["dependents"]) == ([{"id": "a.base", "state": "active"}], [])
    assert (base["dependencies"], base["dependents"]) == ([], [{"id": "b.good", "state": "active"}])


async def test_what_an_author_should_look_at_is_told_in_the_language_of_the_caller(folder: Path) -> None:
    write_plugin(folder, "b.good", GOOD.replace('error_policy="log"', 'error_policy="abort"'))
    async with served(folder) as client:
        (english,) = (await plugin_of(client, "b.good"))["warnings"]
        (chinese,) = (await plugin_of(client, "b.good", **{"Accept-Language": "zh"}))["warnings"]
    assert "an observer cannot abort" in english
    assert "观察者无法中止" in chinese


async def test_an_unknown_plugin_is_answered_with_those_that_there_are(folder: Path) -> None:
    write_plugin(folder, "b.good", GOOD)
    asked = [("GET", ""), ("GET", "/components")]
    asked += [("POST", f"/{action}") for action in ("enable", "disable", "reload", "load", "unload")]
    async with served(folder) as client:
        for method, below in asked:
            answer = await client.request(method, f"{PLUGINS}/no.such{below}")
            assert answer.status_code == 404, (method, below)
            assert "'no.such'" in answer.json()["detail"]
            assert "b.good" in answer.json()["detail"]
        chinese = await client.get(f"{PLUGINS}/no.such", headers={"Accept-Language": "zh"})
        assert (await client.post(f"{PLUGINS}/b.good/explode")).status_code == 422
    assert chinese.json()["detail"].startswith("没有插件 'no.such'")


async def test_a_plugin_is_moved_through_its_states_and_its_handlers_come_and_go(folder: Path) -> None:
    write_plugin(folder, "b.good", GOOD)
    code = folder / "b.good" / "plugin.py"
    config = folder / "b.good" / "config.toml"
    async with served(folder) as client:

        async def after(action: str) -> tuple[str, list[str]]:
            answer = await client.post(f"{PLUGINS}/b.good/{action}")
            assert answer.status_code == 200, answer.text
            assert answer.json()["success"] is True
            state: str = answer.json()["plugin"]["state"]
            assert (await plugin_of(client, "b.good"))["state"] == state
            return state, await handlers_of(client)

        here = ["b.good / greets"]
        assert await after("unload") == ("inactive", [])
        assert await after("unload") == ("inactive", [])
        assert await after("load") == ("active", here)
        assert await after("load") == ("active", here)
        assert await after("disable") == ("inactive", [])
        assert tomllib.loads(config.read_text())["plugin"]["enabled"] is False
        assert await after("enable") == ("active", here)
        assert tomllib.loads(config.read_text())["plugin"]["enabled"] is True
        code.write_text(GOOD.replace('name="greets"', 'name="waves"'))
        assert await after("reload") == ("active", ["b.good / waves"])


async def test_a_new_version_that_cannot_be_taken_is_a_conflict_and_the_old_one_serves_on(folder: Path) -> None:
    write_plugin(folder, "b.good", GOOD)
    async with served(folder) as client:
        (folder / "b.good" / "plugin.py").write_text("raise SystemExit('no more')")
        answer = await client.post(f"{PLUGINS}/b.good/reload")
        plugin = await plugin_of(client, "b.good")
        handlers = await handlers_of(client)
        (folder / "b.good" / "plugin.py").write_text(GOOD)
        mended = await client.post(f"{PLUGINS}/b.good/reload")
    assert answer.status_code == 409
    assert answer.json()["detail"].startswith("The new version was not taken; the old one serves on.")
    assert "SystemExit: no more" in answer.json()["detail"]
    assert answer.json()["plugin"] == plugin
    assert (plugin["state"], plugin["problem"], plugin["reload_problem"]["code"]) == ("active", None, "import_raised")
    assert "raise SystemExit('no more')" in plugin["reload_problem"]["traceback"]
    assert handlers == ["b.good / greets"]
    assert mended.status_code == 200
    assert mended.json()["plugin"]["reload_problem"] is None


@pytest.mark.parametrize(
    "wrong",
    [
        "def create_plugin(:",
        "import sys; sys.exit(3)",
        "class Odd(BaseException): pass\nraise Odd('at import')",
        "x = 1",
        "def create_plugin(): return None",
        GOOD.replace("async def on_load(self): ...", "async def on_load(self): raise KeyError('port')"),
        GOOD.replace('"chat.receive.before_process"', '"no.such.hook"'),
        GOOD.replace("def create_plugin", "Good.get_components = lambda self: [object()]\ndef create_plugin"),
    ],
)
async def test_a_plugin_that_does_not_come_up_is_a_conflict_with_its_problem(folder: Path, wrong: str) -> None:
    write_plugin(folder, "b.bad", wrong)
    async with served(folder) as client:
        for action in ("load", "enable", "reload"):
            answer = await client.post(f"{PLUGINS}/b.bad/{action}")
            assert answer.status_code == 409
            plugin = answer.json()["plugin"]
            assert plugin["state"] == "failed"
            assert answer.json()["detail"] == plugin["problem"]["text"]
            assert "b.bad" in plugin["problem"]["text"]


async def test_an_on_unload_that_raises_unloads_all_the_same_and_is_told(folder: Path) -> None:
    write_plugin(folder, "b.good", GOOD.replace("on_unload(self): ...", "on_unload(self): raise OSError('stuck')"))
    async with served(folder) as client:
        answer = await client.post(f"{PLUGINS}/b.good/unload")
    assert answer.status_code == 200
    assert answer.json()["plugin"]["state"] == "inactive"
    assert "OSError: stuck" in answer.json()["plugin"]["problem"]["text"]


async def test_a_configuration_file_that_cannot_be_changed_is_a_conflict_and_stays(folder: Path) -> None:
    write_plugin(folder, "b.good", GOOD)
    async with served(folder) as client:
        config = folder / "b.good" / "config.toml"
        config.write_text("[plugin\n")
        answer = await client.post(f"{PLUGINS}/b.good/disable")
        handlers = await handlers_of(client)
    assert answer.status_code == 409
    assert "config.toml" in answer.json()["detail"]
    assert config.read_text() == "[plugin\n"
    assert handlers == ["b.good / greets"]


async def test_a_running_plugin_whose_new_configuration_is_not_taken_says_why(folder: Path) -> None:
    write_plugin(folder, "b.good", GOOD)
    settings = Settings(data_dir=folder.parent / "data", plugin_dirs=(folder,), bundled_plugins=False)
    token = AccessToken(SECRET, Path("webui.json"))
    async with Host(settings) as host, serving(create_app(host, token)) as client:
        client.headers.update(bearer())
        (folder / "b.good" / "config.toml").write_text("[plugin\n")
        await host.plugins.reconfigure("b.good")
        plugin = await plugin_of(client, "b.good")
    assert (plugin["state"], plugin["problem"]) == ("active", None)
    assert plugin["config_problem"]["code"] == "config_invalid"
    assert "config.toml" in plugin["config_problem"]["text"]


async def test_one_that_is_switched_off_is_not_loaded_but_has_to_be_enabled(folder: Path) -> None:
    write_plugin(folder, "b.good", GOOD)
    (folder / "b.good" / "config.toml").write_text("[plugin]\nenabled = false\n")
    async with served(folder) as client:
        assert (await plugin_of(client, "b.good"))["state"] == "inactive"
        loaded = await client.post(f"{PLUGINS}/b.good/load")
        enabled = await client.post(f"{PLUGINS}/b.good/enable")
    assert loaded.status_code == 409
    assert loaded.json()["plugin"]["state"] == "inactive"
    assert (enabled.status_code, enabled.json()["plugin"]["state"]) == (200, "active")


async def test_the_graph_has_what_is_not_there_too(folder: Path) -> None:
    def needs(*ids: str) -> list[dict[str, str]]:
        return [{"type": "plugin", "id": each, "version_spec": ">=1.0.0"} for each in ids]

    write_plugin(folder, "a.base", "def create_plugin(): return object()")
    write_plugin(folder, "b.good", GOOD, dependencies=needs("a.base"))
    write_plugin(folder, "c.lost", GOOD, dependencies=needs("z.missing", "a.base"))
    async with served(folder) as client:
        graph = (await client.get(f"{RUNTIME}/graph")).json()
        picture = await client.get(f"{RUNTIME}/graph.svg")
        tree = await client.get(f"{RUNTIME}/graph.txt", headers={"Accept-Language": "zh"})
        lost = await plugin_of(client, "c.lost")
    assert graph["success"] is True
    assert [(node["id"], node["version"], node["state"]) for node in graph["nodes"]] == [
        ("a.base", "1.0.0", "active"),
        ("b.good", "1.0.0", "active"),
        ("c.lost", "1.0.0", "blocked"),
        ("z.missing", "", None),
    ]
    assert [(edge["dependent"], edge["dependency"]) for edge in graph["edges"]] == [
        ("b.good", "a.base"),
        ("c.lost", "a.base"),
        ("c.lost", "z.missing"),
    ]
    assert lost["dependencies"][1] == {"id": "z.missing", "state": None}
    assert picture.headers["content-type"] == "image/svg+xml"
    assert "default-src 'none'" in picture.headers["content-security-policy"]
    drawn = "".join(ElementTree.fromstring(picture.text).itertext())
    assert all(node["id"] in drawn for node in graph["nodes"])
    assert tree.headers["content-type"] == "text/plain; charset=utf-8"
    assert "z.missing" in tree.text
    assert not tree.text.isascii()


async def test_the_routes_are_behind_the_gate_and_the_same_origin_rule_and_under_the_front_ends_prefix(
    folder: Path,
) -> None:
    write_plugin(folder, "b.good", GOOD)
    reading = ["plugins", "plugins/b.good", "plugins/b.good/components", "commands", "home-cards"]
    reading += ["graph", "graph.svg", "graph.txt"]
    async with served(folder) as client:
        token = client.headers.pop("Authorization")
        for prefix in ("", "/api/webui"):
            for path in reading:
                assert (await client.get(f"{prefix}{RUNTIME}/{path}")).status_code == 401, path
                answer = await client.get(f"{prefix}{RUNTIME}/{path}", headers={"Authorization": token})
                assert answer.status_code == 200, path
                assert answer.headers["cache-control"] == "no-store", path
            unload = f"{prefix}{PLUGINS}/b.good/unload"
            assert (await client.post(unload)).status_code == 401
            foreign = {"Authorization": token, "Origin": "https://elsewhere.example"}
            assert (await client.post(unload, headers=foreign)).status_code == 403
        client.headers["Authorization"] = token
        assert (await plugin_of(client, "b.good"))["state"] == "active"
        assert (await client.post(f"/api/webui{PLUGINS}/b.good/unload")).status_code == 200
        assert (await plugin_of(client, "b.good"))["state"] == "inactive"


async def test_every_route_is_described_with_its_answers_and_refusals(folder: Path) -> None:
    async with served(folder) as client:
        document = (await client.get("/openapi.json")).json()
    told = {
        (path.removeprefix(RUNTIME), method): {
            status: answer["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
            for status, answer in operation["responses"].items()
            if "application/json" in answer.get("content", {})
        }
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
        if path.startswith(RUNTIME) and "hooks" not in path and "breakers" not in path
    }
    refused = {"401": "Refusal", "403": "Refusal", "422": "HTTPValidationError"}
    assert told == {
        ("/plugins", "get"): {"200": "PluginList", **refused},
        ("/plugins/{plugin_id}", "get"): {"200": "PluginAnswer", "404": "Refusal", **refused},
        ("/plugins/{plugin_id}", "delete"): {"200": "RemovedPlugin", "404": "Refusal", "409": "Conflict", **refused},
        ("/plugins/{plugin_id}/components", "get"): {
            "200": "ComponentList",
            "400": "Refusal",
            "404": "Refusal",
            **refused,
        },
        ("/plugins/{plugin_id}/{action}", "post"): {
            "200": "PluginAnswer",
            "404": "Refusal",
            "409": "Conflict",
            **refused,
        },
        ("/plugins/{plugin_id}/capabilities", "get"): {"200": "CapabilityList", "404": "Refusal", **refused},
        ("/plugins/{plugin_id}/capabilities/{capability}/{decision}", "post"): {
            "200": "CapabilityList",
            "404": "Refusal",
            "409": "Refusal",
            **refused,
        },
        ("/processes", "get"): {"200": "ProcessList", **refused},
        ("/commands", "get"): {"200": "CommandList", **refused},
        ("/home-cards", "get"): {"200": "HomeCardList", **refused},
        ("/graph", "get"): {"200": "Graph", **refused},
        ("/graph.svg", "get"): refused,
        ("/graph.txt", "get"): refused,
    }
    assert document["components"]["schemas"]["PluginAction"]["enum"] == [
        "enable",
        "disable",
        "reload",
        "load",
        "unload",
    ]
