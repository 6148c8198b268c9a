"""The cards that plugins put on the front page, cut to size and with links that lead where links may lead."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field

from host.runtime import Plugin
from maibot_sdk.types import ComponentType
from webui_api.plugin_components import Component, Forgiving, components_of

_LONGEST_TEXT = 4000
_LONGEST_ITEM = 120
_LONGEST_KEY = 40
_LONGEST_LINK = 500
_MOST_BLOCKS = 20
_BLOCK_TYPES = ("markdown", "text", "stat", "key_value", "list", "actions")
_LINK_KEYS = frozenset({"url", "href", "link_url"})
# Browsers read a backslash as a slash and pass over spaces and control characters: none of them may hide a "//".
_LINK = re.compile(r"(?:https?://|mailto:|/(?![/\\]))[^\s\x00-\x1f\x7f]*", re.IGNORECASE)


Content = str | dict[str, Any] | list[dict[str, Any]]
"""What a card shows: a text, a block, or a list of blocks."""


def safe_link(link: str) -> str:
    """`link` where it may stand on the front page, else an empty text.

    Allowed are ``http``, ``https`` and ``mailto``, and paths on this server, of at most 500 characters.
    """
    return link if len(link) <= _LONGEST_LINK and _LINK.fullmatch(link) else ""


def safe_content(content: Any) -> Content:
    """What is left of `content`: of a list the first 20 blocks; texts cut to size, unsafe links emptied.

    Args:
        content: any JSON value.
    """
    match content:
        case dict():
            return _block(content)
        case list():
            return [_block(each if isinstance(each, dict) else {"text": each}) for each in content[:_MOST_BLOCKS]]
    return _text(content)[:_LONGEST_TEXT]


def _block(block: Mapping[str, Any]) -> dict[str, Any]:
    kind = block.get("type")
    fields = {key[:_LONGEST_KEY]: _field(key, value) for key, value in block.items()}
    return {**fields, "type": kind if kind in _BLOCK_TYPES else "text"}


def _field(key: str, value: Any) -> Any:
    if key in _LINK_KEYS:
        return safe_link(_text(value))
    match value:
        case str():
            return value[:_LONGEST_TEXT]
        case list():
            return [_block(each) if isinstance(each, dict) else _text(each)[:_LONGEST_ITEM] for each in value]
        case dict():
            return {name[:_LONGEST_KEY]: _member(name, member) for name, member in value.items()}
    return value


def _member(key: str, value: Any) -> str:
    return safe_link(_text(value)) if key in _LINK_KEYS else _text(value)[:_LONGEST_ITEM]


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _cut(length: int) -> AfterValidator:
    return AfterValidator(lambda text: text[:length])


class HomeCardView(BaseModel):
    """A card, ready to be shown."""

    id: str = Field(description="`plugin:<plugin id>:<name>`.")
    name: str
    plugin_id: str
    title: Annotated[str, _cut(120), Forgiving] = ""
    show_title: Annotated[bool, Forgiving] = True
    description: Annotated[str, _cut(300), Forgiving] = ""
    content: Annotated[Content, BeforeValidator(safe_content)] = Field(
        "", description="Markdown, a block, or a list of blocks; each block has a `type`."
    )
    link_url: Annotated[str, AfterValidator(safe_link), Forgiving] = ""
    link_label: Annotated[str, _cut(40), Forgiving] = ""
    icon: Annotated[str, _cut(40), Forgiving] = ""
    width: Annotated[Literal["small", "medium", "large", "wide", "full"], Forgiving] = "medium"
    order: Annotated[int, Forgiving] = Field(1000, description="Smaller comes first.")
    enabled: Annotated[bool, Forgiving] = True

    @classmethod
    def of(cls, plugin_id: str, card: Component) -> HomeCardView:
        """The view of `card`."""
        own = {"id": f"plugin:{plugin_id}:{card.name}", "name": card.name, "plugin_id": plugin_id}
        return cls.model_validate({**card.metadata, **own})


class HomeCardList(BaseModel):
    """The cards of active plugins that are switched on, by order, then plugin, then name."""

    success: bool = True
    cards: list[HomeCardView]

    @classmethod
    def of(cls, plugins: Iterable[Plugin]) -> HomeCardList:
        """The cards of those of `plugins` that are active."""
        cards = [
            HomeCardView.of(plugin.id, component)
            for plugin in plugins
            for component in components_of(plugin)
            if component.type == ComponentType.HOME_CARD
        ]
        shown = [card for card in cards if card.enabled]
        return cls(cards=sorted(shown, key=lambda card: (card.order, card.plugin_id, card.name)))
