"""Types that the form does not know."""
from datetime import date, datetime
from enum import Enum, IntEnum
from pathlib import Path
from typing import Any, Mapping, Optional, Sequence, Union

from pydantic import BaseModel, conint, constr

from maibot_sdk import Field, MaiBotPlugin
from maibot_sdk.config import PluginConfigBase


class Color(Enum):
    RED = "red"


class Level(IntEnum):
    LOW = 1


class Point(BaseModel):
    x: int = 1


class Section(PluginConfigBase):
    a: int = 1


class Config(PluginConfigBase):
    plugin: Section = Field(default_factory=Section)
    general: Section = Field(default_factory=Section)
    maybe: Optional[int] = Field(default=None, ge=1)
    either: Union[int, str] = 1
    text_or_none: str | None = None
    section_or_none: Optional[Section] = None
    color: Color = Color.RED
    level: Level = Level.LOW
    unique: set[int] = Field(default_factory=lambda: {1, 2})
    frozen: frozenset[str] = frozenset()
    pair: tuple[int, str] = (1, "a")
    anything: Any = None
    raw: bytes = b"abc"
    path: Path = Path("data/x")
    when: datetime = datetime(2026, 1, 2, 3, 4, 5)
    day: date = date(2026, 1, 2)
    mapping: Mapping[str, int] = Field(default_factory=dict)
    sequence: Sequence[int] = (1,)
    point: Point = Field(default_factory=Point)
    bare_list: list = Field(default_factory=list)
    bare_dict: dict = Field(default_factory=dict)
    points: list[Point] = Field(default_factory=list)
    maybes: list[Optional[int]] = Field(default_factory=list)
    small: conint(ge=1, le=5) = 3
    short: constr(max_length=5) = "abc"
    excluded: str = Field(default="x", exclude=True)
    aliased: str = Field(default="x", alias="other")
    computed: str = Field(default="x", json_schema_extra=lambda schema: None)


class Plugin(MaiBotPlugin):
    config_model = Config


def create_plugin():
    return Plugin()
