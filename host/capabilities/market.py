"""``market.*``: the plugins that are published, from a local index file; nothing is loaded from elsewhere."""

import asyncio
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

from pydantic import ConfigDict, Field, StringConstraints
from typing_extensions import TypedDict

from host.capabilities.arguments import Arguments
from host.capabilities.capability import Capability, CapabilitySpec
from host.capabilities.errors import RefusalError
from host.capabilities.market_index import MarketEntry, MarketIndex
from host.runtime import Plugin, Plugins
from host.runtime.manifests.versions import HostVersions
from maibot_sdk.hooks import Text

STATS = (
    "downloads",
    "likes",
    "rating",
    "downloads_growth_7d",
    "likes_growth_7d",
    "downloads_growth_30d",
    "likes_growth_30d",
)
SORTS = ("name", *STATS)
_READMES = ("README.md", "readme.md", "README.MD", "README")


class Found(TypedDict):
    """What was found; see the guide's chapter on capabilities."""

    success: bool
    result: dict[str, Any]


class _Exact(Arguments):
    model_config = ConfigDict(extra="forbid")
    force_refresh: bool = False


class _Search(_Exact):
    query: Annotated[str, StringConstraints(max_length=500)] = ""
    category: Annotated[str, StringConstraints(max_length=100)] = ""
    page: Annotated[int, Field(ge=1)] = 1
    limit: Annotated[int, Field(ge=1, le=50)] = 20
    sort_by: str = "name"
    compatible_only: bool = False
    include_manifest: bool = False
    include_stats: bool = False


class _Detail(_Exact):
    plugin_id: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]


class _Readme(_Detail):
    max_chars: Annotated[int, Field(ge=500, le=20_000)] = 8000
    prefer_local: bool = True
    branch: str = "main"


SEARCH = CapabilitySpec(
    "market.search",
    _Search,
    Found,
    Text(
        "Published plugins, from the file market.json of the data folder.", "已发布的插件，来自数据目录的 market.json。"
    ),
    raises=True,
)
DETAIL = CapabilitySpec(
    "market.get_detail",
    _Detail,
    Found,
    Text("All about one published plugin.", "某个已发布插件的全部信息。"),
    raises=True,
)
README = CapabilitySpec(
    "market.get_readme",
    _Readme,
    Found,
    Text("The read-me of a plugin: that of its folder, or of the index.", "插件的自述：来自其文件夹或索引。"),
    raises=True,
)
MARKET = (SEARCH, DETAIL, README)


class MarketFamily:
    """The plugins that are published.

    Args:
        file: the index.
        plugins: those of this host, whose read-mes lie here.
        versions: what plugins are measured against.
    """

    def __init__(self, file: Path, plugins: Plugins, versions: HostVersions) -> None:
        self._file = file
        self._plugins = plugins
        self._versions = versions

    def offers(self) -> Iterable[Capability]:
        """``market.*``."""
        return SEARCH.by(self._search), DETAIL.by(self._detail), README.by(self._readme)

    async def _search(self, plugin: Plugin, asked: _Search) -> Found:
        index = await self._index()
        if asked.sort_by not in SORTS:
            raise RefusalError("one_of", name="sort_by", found=asked.sort_by, allowed=", ".join(SORTS))
        wants_stats = asked.include_stats or asked.sort_by in STATS
        if wants_stats and not index.has_stats:
            raise RefusalError("market_no_stats", path=index.file)
        matched = [
            entry
            for entry in index.entries
            if _has_words(entry, asked.query)
            and (not asked.category or asked.category in entry.categories)
            and (not asked.compatible_only or entry.fits(self._versions))
        ]
        matched.sort(key=lambda entry: (-_stat(entry, asked.sort_by), entry.name.casefold(), entry.plugin_id))
        start = (asked.page - 1) * asked.limit
        pages = -(-len(matched) // asked.limit)
        shown = matched[start : start + asked.limit]
        result = {
            **_about(index),
            "query": asked.query,
            "category": asked.category,
            "sort_by": asked.sort_by,
            "total": len(index.entries),
            "matched": len(matched),
            "page": asked.page,
            "limit": asked.limit,
            "pagination": {"total_pages": pages, "has_next": asked.page < pages, "has_previous": asked.page > 1},
            "available_categories": sorted({each for entry in index.entries for each in entry.categories}),
            "plugins": [_shown(entry, manifest=asked.include_manifest, stats=wants_stats) for entry in shown],
        }
        return {"success": True, "result": result}

    async def _detail(self, plugin: Plugin, asked: _Detail) -> Found:
        index = await self._index()
        entry = _named(index, asked.plugin_id)
        view = _shown(entry, manifest=True, stats=True)
        return {"success": True, "result": {**_about(index), "plugin": view, "releases": entry.releases()}}

    async def _readme(self, plugin: Plugin, asked: _Readme) -> Found:
        index = await self._index()
        entry = _named(index, asked.plugin_id)
        source, kind, content = "", "missing", ""
        local = await self._local_readme(entry.plugin_id) if asked.prefer_local else None
        if local is not None:
            source, kind, content = str(local[0]), "local", local[1]
        elif isinstance(readme := entry.further.get("readme"), str):
            source, kind, content = index.file.as_uri(), "remote", readme
        result = {
            "success": True,
            "plugin": {"id": entry.plugin_id, "name": entry.name},
            "content": content[: asked.max_chars],
            "chars": len(content),
            "truncated": len(content) > asked.max_chars,
            "source": source,
            "source_type": kind,
        }
        return {"success": True, "result": {**result, "cache": _cache(index)} if kind == "remote" else result}

    async def _index(self) -> MarketIndex:
        return await asyncio.to_thread(MarketIndex.read, self._file.absolute())

    async def _local_readme(self, plugin_id: str) -> tuple[Path, str] | None:
        installed = next((each for each in self._plugins if each.id == plugin_id), None)
        return None if installed is None else await asyncio.to_thread(_readme_in, installed.path)


def _readme_in(folder: Path) -> tuple[Path, str] | None:
    file = next((path for name in _READMES if (path := folder / name).is_file()), None)
    return None if file is None else (file, file.read_text(encoding="utf-8", errors="replace"))


def _about(index: MarketIndex) -> dict[str, Any]:
    releases = any(entry.further.get("releases") for entry in index.entries)
    return {
        "success": True,
        "source": "file",
        "source_url": index.file.as_uri(),
        "cache": _cache(index),
        "features": {"stats": index.has_stats, "releases": releases},
    }


def _cache(index: MarketIndex) -> dict[str, Any]:
    return {"path": str(index.file), "modified_at": index.modified_at}


def _shown(entry: MarketEntry, *, manifest: bool, stats: bool) -> dict[str, Any]:
    view = entry.view()
    if manifest:
        view["manifest"] = dict(entry.manifest)
    if stats:
        view["stats"] = None if entry.stats is None else dict(entry.stats)
    return view


def _has_words(entry: MarketEntry, query: str) -> bool:
    view = entry.view()
    told = "\n".join([view["id"], view["name"], view["description"], *view["keywords"], *view["categories"]]).casefold()
    return all(word in told for word in query.casefold().split())


def _stat(entry: MarketEntry, name: str) -> float:
    value = (entry.stats or {}).get(name, 0)
    return float(value) if isinstance(value, int | float) else 0.0


def _named(index: MarketIndex, name: str) -> MarketEntry:
    """The entry of an id, a market id, a name or a repository; else the only one that is like it.

    Raises:
        RefusalError: there is none, or there are several.
    """
    exact = [each for each in index.entries if name in _names(each)]
    like = exact or [
        each for each in index.entries if any(name.casefold() in known.casefold() for known in _names(each))
    ]
    if len(like) == 1:
        return like[0]
    if like:
        raise RefusalError("market_several", name=name, found=", ".join(each.plugin_id for each in like[:10]))
    known = [each.plugin_id for each in index.entries]
    raise RefusalError("market_none", name=name, nearest=", ".join(get_close_matches(name, known)) or "-")


def _names(entry: MarketEntry) -> Sequence[str]:
    return [each for each in (entry.plugin_id, entry.market_id, entry.name, entry.repository) if each]
