"""Removing a plugin over HTTP: it is unloaded, its folder goes into the trash, and nothing else is touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from host import Host, Settings
from tests.cli.running import write_plugin
from webui_api import AccessToken, create_app

from .serving import SECRET, bearer, serving
from .test_web_plugins import GOOD, PLUGINS, handlers_of, plugin_of, served


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "plugins"
    path.mkdir()
    return path


def names_in(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def needing(plugin_id: str) -> list[dict[str, str]]:
    return [{"type": "plugin", "id": plugin_id, "version_spec": ">=1.0.0"}]


async def test_a_plugin_is_removed_and_the_answer_tells_what_that_came_to(folder: Path) -> None:
    write_plugin(folder, "a.base", GOOD)
    write_plugin(folder, "b.top", GOOD, dependencies=needing("a.base"))
    data = folder.parent / "data"
    async with served(folder) as client:
        answer = await client.delete(f"{PLUGINS}/a.base")
        assert answer.status_code == 200, answer.text
        assert answer.headers["cache-control"] == "no-store"
        (trashed,) = names_in(data / "trash" / "plugins")
        trash = data / "trash" / "plugins" / trashed
        assert answer.json() == {
            "success": True,
            "id": "a.base",
            "trash": str(trash),
            "data": str(data / "plugins" / "a.base"),
            "unloaded": ["b.top"],
        }
        assert (trash / "plugin.py").read_text(encoding="utf-8") == GOOD
        assert await handlers_of(client) == []
        assert (await client.get(f"{PLUGINS}/a.base")).status_code == 404
        assert (await plugin_of(client, "b.top"))["state"] == "blocked"
        again = await client.delete(f"{PLUGINS}/a.base", headers={"Accept-Language": "zh"})
    assert (again.status_code, again.json()["detail"].startswith("没有插件 'a.base'")) == (404, True)
    assert names_in(folder) == ["b.top"]


async def test_one_that_failed_is_removed(folder: Path) -> None:
    write_plugin(folder, "a.raises", "raise RuntimeError")
    async with served(folder) as client:
        assert (await plugin_of(client, "a.raises"))["state"] == "failed"
        assert (await client.delete(f"/api/webui{PLUGINS}/a.raises")).json()["unloaded"] == []
    assert names_in(folder) == []


async def test_what_cannot_be_removed_is_a_conflict_and_runs_on(folder: Path) -> None:
    write_plugin(folder, "a.good", GOOD)
    trash = folder.parent / "data" / "trash"
    trash.parent.mkdir()
    trash.write_text("in the way")
    async with served(folder) as client:
        answer = await client.delete(f"{PLUGINS}/a.good")
        assert (answer.status_code, answer.json()["plugin"]["state"]) == (409, "active")
        assert str(folder / "a.good") in answer.json()["detail"]
        assert len(await handlers_of(client)) == 1


async def test_a_plugin_that_comes_with_the_host_stays(tmp_path: Path) -> None:
    token = AccessToken(SECRET, tmp_path)
    async with Host(Settings(data_dir=tmp_path)) as host, serving(create_app(host, token)) as client:
        bundled = next(iter(host.plugins))
        headers = {**bearer(), "Accept-Language": "zh"}
        answer = await client.delete(f"{PLUGINS}/{bundled.id}", headers=headers)
        assert (answer.status_code, answer.json()["plugin"]["id"]) == (409, bundled.id)
        assert "随宿主提供" in answer.json()["detail"]
        assert bundled.path.is_dir()
        assert bundled.runs


@pytest.mark.parametrize(
    "plugin_id",
    ["a%2F..%2Fb", "..%2Foutside", "..", "%2e%2e", "%252e%252e", ".hidden", "con", "a.good.", "a.good%00", "a.good%20"],
)
async def test_no_id_leads_anywhere_but_to_the_plugin_of_exactly_that_id(folder: Path, plugin_id: str) -> None:
    write_plugin(folder, "a.good", GOOD)
    write_plugin(folder.parent, "outside", GOOD)
    write_plugin(folder, ".hidden", GOOD)
    async with served(folder) as client:
        # As bytes, so that the client takes no dots away.
        target = f"{PLUGINS}/{plugin_id}".encode()
        answer = await client.send(
            client.build_request("DELETE", client.base_url.copy_with(raw_path=target), headers=bearer())
        )
        assert answer.status_code in (404, 405)
        assert (await plugin_of(client, "a.good"))["state"] == "active"
    assert names_in(folder.parent) == ["data", "outside", "plugins"]
    assert names_in(folder) == [".hidden", "a.good"]
    kept = [name for name in names_in(folder.parent / "data") if not name.startswith("maibot.db")]
    assert kept == ["emoji", "plugins", "temp"]


async def test_removing_takes_the_token_and_the_same_origin(folder: Path) -> None:
    write_plugin(folder, "a.good", GOOD)
    async with served(folder) as client:
        foreign = await client.delete(f"{PLUGINS}/a.good", headers={"Origin": "https://elsewhere.example"})
        assert foreign.status_code == 403
        client.headers.pop("Authorization")
        assert (await client.delete(f"{PLUGINS}/a.good")).status_code == 401
    assert (folder / "a.good").is_dir()
