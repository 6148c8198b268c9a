"""``chat.get_avatar``: the pictures of users and groups, as the adapters of platforms know them."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import StringConstraints
from typing_extensions import TypedDict

from host.capabilities.api_table import ApiEntry, ApiTable
from host.capabilities.arguments import Arguments
from host.capabilities.capability import Capability, CapabilitySpec
from host.capabilities.errors import RefusalError
from host.runtime import Plugin
from host.runtime.components import ComponentGoneError
from maibot_sdk.hooks import Text

API_NAME, API_VERSION = "adapter.avatar.get", "1"
"""The public API by which a plugin that is an adapter offers pictures."""
KEPT_SECONDS, NEGATIVE_SECONDS = 86_400.0, 300.0
"""How long an answer counts at most: with a picture, and without."""
MOST_KEPT = 1000
Status = Literal["available", "unsupported", "missing"]


class Avatar(TypedDict):
    """Whether there is a picture, where, and until when that counts, in seconds since 1970."""

    status: Status
    url: str | None
    expires_at: float


class OneAvatar(TypedDict):
    """A picture of a user or a group."""

    success: bool
    avatar: Avatar


class _GetAvatar(Arguments):
    platform: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=128)]
    target_id: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=512)]
    target_type: str = "user"
    account_id: str = ""
    scope: str = ""
    force_refresh: bool = False


GET_AVATAR = CapabilitySpec(
    "chat.get_avatar",
    _GetAvatar,
    OneAvatar,
    Text(
        "The picture of a user or a group, as an adapter's public API `adapter.avatar.get` (version 1) tells it.",
        "用户或群的头像，来自适配器公开的 API `adapter.avatar.get`（版本 1）。",
    ),
    raises=True,
)
AVATAR = (GET_AVATAR,)


@dataclass(frozen=True, slots=True)
class _Key:
    platform: str
    target_id: str
    target_type: str
    account_id: str
    scope: str


class AvatarFamily:
    """Pictures of users and groups.

    Args:
        table: finds the APIs of adapters.
        clock: what time it is, in seconds since 1970.
    """

    def __init__(self, table: ApiTable, clock: Callable[[], float] = time.time) -> None:
        self._table = table
        self._clock = clock
        self._kept: dict[_Key, Avatar] = {}

    def offers(self) -> Iterable[Capability]:
        """``chat.get_avatar``."""
        return (GET_AVATAR.by(self._get),)

    async def _get(self, plugin: Plugin, asked: _GetAvatar) -> OneAvatar:
        if asked.target_type not in ("user", "group"):
            raise RefusalError("one_of", name="target_type", found=asked.target_type, allowed="user, group")
        key = _Key(asked.platform, asked.target_id, asked.target_type, asked.account_id, asked.scope)
        kept = self._kept.get(key)
        if kept is None or asked.force_refresh or kept["expires_at"] <= self._clock():
            kept = await self._found(key)
            self._kept.pop(key, None)
            self._kept[key] = kept
            if len(self._kept) > MOST_KEPT:
                del self._kept[next(iter(self._kept))]
        return {"success": True, "avatar": kept}

    async def _found(self, key: _Key) -> Avatar:
        """What the first adapter says that knows the platform."""
        for entry in self._adapters():
            avatar = await self._asked(entry, key)
            if avatar["status"] != "unsupported":
                return avatar
        return _without("unsupported", self._clock())

    def _adapters(self) -> list[ApiEntry]:
        return [
            entry
            for entry in self._table.entries()
            if entry.enabled
            and entry.component.metadata.get("public") is True
            and (entry.component.name, entry.component.version) == (API_NAME, API_VERSION)
        ]

    async def _asked(self, entry: ApiEntry, key: _Key) -> Avatar:
        arguments = {
            "platform": key.platform,
            "target_id": key.target_id,
            "target_type": key.target_type,
            "account_id": key.account_id,
            "scope": key.scope,
        }
        name = entry.component.full_name
        try:
            invoked = await entry.component.invoke(arguments)
        except ComponentGoneError as error:
            raise RefusalError("api_failed", name=name, why=str(error)) from None
        if not invoked.success:
            raise RefusalError("api_failed", name=name, why=str(invoked.result))
        found = invoked.result
        status = found.get("status") if isinstance(found, Mapping) else None
        if status in ("unsupported", "missing"):
            return _without("missing" if status == "missing" else "unsupported", self._clock())
        url = found.get("url") if status == "available" else None
        if not isinstance(url, str) or not _is_plain_web_address(url):
            raise RefusalError("avatar_answer", name=name, found=f"{found!r:.200}")
        seconds = _seconds(found.get("expires_in"))
        return {"status": "available", "url": url, "expires_at": self._clock() + seconds}


def _without(status: Status, now: float) -> Avatar:
    return {"status": status, "url": None, "expires_at": now + NEGATIVE_SECONDS}


def _seconds(given: Any) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float) or not given > 0:
        return KEPT_SECONDS
    return min(float(given), KEPT_SECONDS)


def _is_plain_web_address(url: str) -> bool:
    """Whether it is one of the web, and has no name and password in it."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc
