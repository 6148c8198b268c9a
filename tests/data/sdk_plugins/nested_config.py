"""Sections, a section inside a section, lists of items, choices, and every option of the form."""
from typing import Annotated, Dict, List, Literal

from maibot_sdk import Field, MaiBotPlugin, PluginConfigBase


class Rule(PluginConfigBase):
    word: str = Field(default="", json_schema_extra={"label": "Word", "placeholder": " w ", "i18n": {"en_US": {"label": "W"}}})
    weight: float = 1.0
    kind: Literal["block", "mark"] = Field(default="block", description="not shown")
    tags: list[Literal["a", "b"]] = Field(default_factory=lambda: ["a"])
    hidden: bool = Field(default=True, json_schema_extra={"hidden": True})


class Limits(PluginConfigBase):
    per_minute: int = Field(default=3, ge=1, le=60)


class PluginSection(PluginConfigBase):
    """About the plugin.

        Indented.
    """

    __ui_label__ = "Plugin"
    __ui_icon__ = "package"
    __ui_order__ = 3
    __ui_i18n__ = {"en_US": {"label": "Plugin", "hint": "  "}, "empty": {"label": None}, "bad": "text"}

    config_version: str = Field(default="1.2.0", json_schema_extra={"disabled": True})
    enabled: bool = True
    limits: Limits = Field(default_factory=Limits)


class Words(PluginConfigBase):
    __ui_order__ = -1

    rules: List[Rule] = Field(default_factory=lambda: [Rule(word="spam")], json_schema_extra={"min_items": 0, "max_items": 9})
    mode: Literal["off", "on", 3, None] = "off"
    choices: list[Literal["x", "y"]] = Field(default_factory=list, json_schema_extra={"x-widget": "checkboxes"})
    numbers: list[int] = Field(default_factory=lambda: [1, 2])
    flags: list[bool] = Field(default_factory=list)
    names: list[str] = Field(default_factory=list)
    table: Dict[str, int] = Field(default_factory=lambda: {"a": 1})
    ratio: Annotated[float, Field(ge=0, le=1)] = 0.5
    secret: str = Field(
        default="",
        description="  a secret  ",
        max_length=5,
        json_schema_extra={
            "label": " Secret ",
            "hint": " h ",
            "placeholder": "  ",
            "order": "7",
            "input_type": "password",
            "x-icon": "key",
            "rows": "5",
            "group": "g",
            "depends_on": "mode",
            "depends_value": ["on"],
            "step": 2,
            "pattern": "^x",
            "max_length": 9,
            "example": {"a": 1},
            "x-widget": "textarea",
            "unknown": 1,
            "i18n": {"en_US": {"label": "S", "hint": 5, "other": " "}, "zh_CN": {}},
        },
    )


class Config(PluginConfigBase):
    plugin: PluginSection = Field(default_factory=PluginSection)
    words: Words = Field(default_factory=Words, description="ignored", json_schema_extra={"label": "ignored"})
    debug: bool = False
    level: int = Field(default=0, gt=-1, lt=10, multiple_of=1)


class Plugin(MaiBotPlugin):
    config_model = Config


def create_plugin():
    return Plugin()


async def story(plugin):
    told = []
    for data in (
        {"plugin": {"config_version": "1.2.0"}, "words": {"rules": [{"word": "x", "weight": "2"}]}, "unknown": 1},
        {"plugin": {"config_version": " 0.9 ", "limits": {"per_minute": "5"}}, "debug": "yes"},
        plugin.get_default_config(),
        None,
        {},
    ):
        told.append(plugin.normalize_plugin_config(data))
    plugin.set_plugin_config({"plugin": {"config_version": "1", "enabled": "false"}})
    told.append(plugin.get_plugin_config_data())
    told.append(plugin.config.plugin.enabled)
    plugin.config.level = "4"
    told.append((plugin.config.level, plugin.get_plugin_config_data()["level"]))
    return told
