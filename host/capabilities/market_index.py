"""The plugins that are published, as a local index file lists them.

The file is JSON: a list, each entry ``{"id", "manifest", "stats", "releases", "readme", "assets", "changelog",
"published_at", "updated_at"}``. Only ``manifest``, the content of a plugin's manifest, has to be there.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from host.capabilities.errors import RefusalError
from host.runtime.manifests.versions import HostVersions, VersionRange

INDEX_FILE = "market.json"
"""What the file is called, in the data folder."""


@dataclass(frozen=True, slots=True)
class MarketEntry:
    """A published plugin.

    Args:
        market_id: what the market calls it.
        manifest: its manifest.
        stats: how it is liked and used, or None.
        further: the entry as it stands in the file.
    """

    market_id: str
    manifest: Mapping[str, Any]
    stats: Mapping[str, Any] | None
    further: Mapping[str, Any]

    @property
    def plugin_id(self) -> str:
        """Its id."""
        return _text(self.manifest, "id") or self.market_id

    @property
    def name(self) -> str:
        """Its name."""
        return _text(self.manifest, "name")

    @property
    def repository(self) -> str:
        """Where its code lies."""
        return self._url("repository")

    @property
    def categories(self) -> list[str]:
        """What it belongs to."""
        return _texts(self.manifest, "categories")

    def view(self) -> dict[str, Any]:
        """The entry as plugins get it."""
        manifest, further = self.manifest, self.further
        locales = _dict(manifest, "i18n")
        author = manifest.get("author")
        author = author if isinstance(author, Mapping) else {"name": author or ""}
        return {
            "id": self.plugin_id,
            "marketplace_id": self.market_id,
            "manifest_version": manifest.get("manifest_version"),
            "name": self.name,
            "version": _text(manifest, "version"),
            "description": _text(manifest, "description"),
            "author": {"name": _text(author, "name"), "url": _text(author, "url")},
            "license": _text(manifest, "license"),
            "host_application": _dict(manifest, "host_application"),
            "sdk": _dict(manifest, "sdk"),
            "repository_url": self.repository,
            "homepage_url": self._url("homepage"),
            "documentation_url": self._url("documentation"),
            "issues_url": self._url("issues"),
            "keywords": _texts(manifest, "keywords"),
            "categories": self.categories,
            "capabilities": _texts(manifest, "capabilities"),
            "dependencies": _list(manifest, "dependencies"),
            "default_locale": _text(locales, "default_locale") or _text(manifest, "default_locale") or "zh-CN",
            "locales_path": _text(locales, "locales_path") or _text(manifest, "locales_path"),
            "source": "market",
            **{key: further.get(key) for key in ("assets", "changelog", "published_at", "updated_at")},
        }

    def releases(self) -> dict[str, Any]:
        """Its releases, and which one to take."""
        versions = _list(self.further, "releases")
        first = versions[0] if versions else None
        recommended = first.get("version") if isinstance(first, Mapping) else first
        return {"mode": "releases" if versions else "none", "versions": versions, "recommended_version": recommended}

    def fits(self, versions: HostVersions) -> bool:
        """Whether it was made for this host."""
        try:
            host = VersionRange.model_validate(_dict(self.manifest, "host_application"))
            sdk = VersionRange.model_validate(_dict(self.manifest, "sdk"))
        except ValueError:
            return False
        ranges = ((host, versions.host), (sdk, versions.sdk))
        return not any(each.begins_above(release) or each.ends_below(release) for each, release in ranges)

    def _url(self, kind: str) -> str:
        return _text(_dict(self.manifest, "urls"), kind) or _text(self.manifest, f"{kind}_url")


@dataclass(frozen=True, slots=True)
class MarketIndex:
    """What the file lists.

    Args:
        file: the file.
        modified_at: when it was written, in seconds since 1970.
        entries: what stands in it.
    """

    file: Path
    modified_at: float
    entries: Sequence[MarketEntry]

    @classmethod
    def read(cls, file: Path) -> "MarketIndex":
        """The index that lies in a file.

        Raises:
            RefusalError: there is none, or it is no index.
        """
        try:
            modified_at, content = file.stat().st_mtime, json.loads(file.read_bytes())
        except FileNotFoundError:
            raise RefusalError("market_missing", path=file) from None
        except (OSError, ValueError) as error:
            raise RefusalError("market_broken", path=file, why=str(error)) from None
        listed = content.get("plugins") if isinstance(content, dict) else content
        if not isinstance(listed, list):
            raise RefusalError("market_broken", path=file, why=f"{type(content).__name__}")
        return cls(file, modified_at, [entry for each in listed if (entry := _entry(each)) is not None])

    @property
    def has_stats(self) -> bool:
        """Whether it tells how plugins are liked and used."""
        return any(entry.stats is not None for entry in self.entries)


def _entry(listed: Any) -> MarketEntry | None:
    """An entry; None of what tells nothing of a plugin."""
    if not isinstance(listed, Mapping) or not isinstance(listed.get("manifest"), Mapping):
        return None
    manifest, stats = listed["manifest"], listed.get("stats")
    market_id = _text(listed, "id") or _text(manifest, "id")
    return (
        MarketEntry(market_id, manifest, stats if isinstance(stats, Mapping) else None, listed) if market_id else None
    )


def _text(owner: Mapping[str, Any], key: str) -> str:
    value = owner.get(key)
    return value if isinstance(value, str) else ""


def _dict(owner: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = owner.get(key)
    return dict(value) if isinstance(value, Mapping) else {}


def _list(owner: Mapping[str, Any], key: str) -> list[Any]:
    value = owner.get(key)
    return list(value) if isinstance(value, list) else []


def _texts(owner: Mapping[str, Any], key: str) -> list[str]:
    return [each for each in _list(owner, key) if isinstance(each, str)]
