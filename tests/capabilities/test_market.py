"""``ctx.market``: published plugins, from a local file."""

import json
from pathlib import Path
from typing import Any

import pytest

from host.capabilities.market import MARKET
from tests.capabilities.home import home
from tests.capabilities.house import all_of

ALL = all_of(MARKET)
SEARCH, DETAIL, README = "ctx.market.search", "ctx.market.get_detail", "ctx.market.get_readme"


def published(plugin_id: str, name: str, **more: Any) -> dict[str, Any]:
    manifest = {
        "manifest_version": 2,
        "id": plugin_id,
        "name": name,
        "version": "1.0.0",
        "description": f"about {name}",
        "author": {"name": "Ann", "url": "https://example.com"},
        "urls": {"repository": f"https://example.com/{plugin_id}"},
        "host_application": {"min_version": "1.0.0", "max_version": more.pop("until", "9.0.0")},
        "keywords": ["天气"] if "weather" in plugin_id else [],
        "categories": ["tools"],
    }
    return {"id": plugin_id, "manifest": manifest, **more}


ENTRIES = [
    published("demo.weather", "Weather", stats={"downloads": 3}, releases=[{"version": "1.0.0"}], readme="# W" * 300),
    published("demo.tea", "Tea", stats={"downloads": 7}),
    published("team.asker", "Asker", until="1.0.0"),
    {"id": "nothing"},
]


def write(folder: Path, content: object) -> None:
    (folder / "data").mkdir(exist_ok=True)
    (folder / "data" / "market.json").write_text(json.dumps(content), encoding="utf-8")


async def ids(here: Any, call: str) -> list[str]:
    return [each["id"] for each in (await here.ask(f"{SEARCH}({call})"))["plugins"]]


async def test_plugins_are_searched_sorted_and_paged(tmp_path: Path) -> None:
    write(tmp_path, ENTRIES)
    async with home(tmp_path, *ALL) as here:
        assert await ids(here, "") == ["team.asker", "demo.tea", "demo.weather"]
        assert await ids(here, "'天气'") == ["demo.weather"]
        assert await ids(here, "'ABOUT weather'") == ["demo.weather"]
        assert await ids(here, "sort_by='downloads'") == ["demo.tea", "demo.weather", "team.asker"]
        assert await ids(here, "compatible_only=True, category='tools'") == ["demo.tea", "demo.weather"]
        page = await here.ask(f"{SEARCH}(page=2, limit=2, include_manifest=True)")
        assert (page["total"], page["matched"], page["available_categories"]) == (3, 3, ["tools"])
        assert page["pagination"] == {"total_pages": 2, "has_next": False, "has_previous": True}
        [weather] = page["plugins"]
        assert weather["manifest"] == ENTRIES[0]["manifest"]
        assert (weather["repository_url"], "stats" in weather) == ("https://example.com/demo.weather", False)


async def test_one_plugin_is_found_by_any_of_its_names(tmp_path: Path) -> None:
    write(tmp_path, {"plugins": ENTRIES})
    async with home(tmp_path, *ALL) as here:
        for name in ("demo.weather", "Weather", "https://example.com/demo.weather", "weath"):
            found = await here.ask(f"{DETAIL}({name!r})")
            assert (found["plugin"]["id"], found["plugin"]["stats"]) == ("demo.weather", {"downloads": 3})
        assert found["releases"]["recommended_version"] == "1.0.0"
        readme = await here.ask(f"{README}('demo.weather', max_chars=500)")
        assert (len(readme["content"]), readme["chars"], readme["truncated"]) == (500, 900, True)
        assert readme["source_type"] == "remote"
        assert (await here.ask(f"{README}('demo.tea')"))["source_type"] == "missing"
        (tmp_path / "plugins" / "team.asker" / "README.md").write_text("# Asks", encoding="utf-8")
        assert (await here.ask(f"{README}('team.asker')"))["content"] == "# Asks"
        assert (await here.ask(f"{README}('team.asker', prefer_local=False)"))["content"] == ""


WRONG = {
    f"{DETAIL}('demo.wether')": r"nearest: demo\.weather",
    f"{DETAIL}('demo')": r"several .*: demo\.weather, demo\.tea",
    f"{DETAIL}('')": "'plugin_id' is missing",
    f"{SEARCH}(sort_by='mood')": "'sort_by' is 'mood'; allowed are name, downloads",
    f"{SEARCH}(limit=51)": "'limit' is 51",
    "ctx.call_capability('market.search', colour='red')": "'colour' is 'red'; allowed is nothing",
    f"{README}('demo.tea', max_chars=1)": "'max_chars' is 1",
}


async def test_what_cannot_be_found_raises(tmp_path: Path) -> None:
    write(tmp_path, ENTRIES)
    async with home(tmp_path, *ALL) as here:
        for call, why in WRONG.items():
            with pytest.raises(RuntimeError, match=why):
                await here.ask(call)
        write(tmp_path, [published("a.b", "B")])
        with pytest.raises(RuntimeError, match="tells no statistics"):
            await here.ask(f"{SEARCH}(sort_by='likes')")
        write(tmp_path, 5)
        with pytest.raises(RuntimeError, match=r"market\.json is no index"):
            await here.ask(f"{SEARCH}()")
        (tmp_path / "data" / "market.json").unlink()
        with pytest.raises(RuntimeError, match="no index of published plugins"):
            await here.ask(f"{SEARCH}()")
