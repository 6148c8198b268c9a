"""Configuration as data: defaults, version, merging, rebuilding, checking, and how a plugin keeps it."""

from copy import deepcopy
from enum import Enum
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from maibot_sdk import Field, MaiBotPlugin, PluginConfigBase
from maibot_sdk.config import (
    PluginConfigVersionError,
    build_plugin_default_config,
    extract_plugin_config_version,
    is_plugin_config_class,
    merge_plugin_config_data,
    rebuild_plugin_config_data,
    validate_plugin_config,
)

KEYS = st.sampled_from(["a", "b", "c", "config_version"])
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=3))
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
TABLES = st.dictionaries(KEYS, VALUES, max_size=4)


class Color(Enum):
    RED = "red"


class PluginSection(PluginConfigBase):
    config_version: str = "1.0.0"
    enabled: bool = True


class Settings(PluginConfigBase):
    plugin: PluginSection = Field(default_factory=PluginSection)
    limit: int = 3
    color: Color = Color.RED
    nickname: str | None = None
    secret: str = Field(default="s", exclude=True)


class ConfiguredPlugin(MaiBotPlugin):
    config_model = Settings


DEFAULTS = {
    "plugin": {"config_version": "1.0.0", "enabled": True},
    "limit": 3,
    "color": Color.RED,
    "nickname": None,
}


def share(one: Any, other: Any) -> bool:
    """Whether any dict or list within `one` is the same object as one within `other`."""

    def containers(value: Any) -> list[Any]:
        members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        return [value, *(found for member in members for found in containers(member))] if members != () else []

    return bool({id(value) for value in containers(one)} & {id(value) for value in containers(other)})


class TestConfigBase:
    def test_assignments_are_checked_and_converted_at_every_depth(self) -> None:
        config = Settings()
        config.limit = "7"  # type: ignore[assignment]
        assert config.limit == 7
        with pytest.raises(ValidationError):
            config.plugin.enabled = "perhaps"  # type: ignore[assignment]
        with pytest.raises(ValidationError):
            config.unknown = 1  # type: ignore[attr-defined]

    @pytest.mark.parametrize("candidate", [PluginConfigBase, Settings])
    def test_the_base_and_what_derives_from_it_are_configuration_classes(self, candidate: Any) -> None:
        assert is_plugin_config_class(candidate)

    @pytest.mark.parametrize("candidate", [Settings(), BaseModel, Settings | None, list[Settings], None, "Settings"])
    def test_nothing_else_is(self, candidate: Any) -> None:
        assert not is_plugin_config_class(candidate)


class TestDefaults:
    def test_they_are_python_objects_under_field_names_without_excluded_fields(self) -> None:
        assert build_plugin_default_config(Settings) == DEFAULTS

    def test_a_field_without_default_anywhere_is_an_error_that_names_class_and_field(self) -> None:
        class Inner(PluginConfigBase):
            token: str

        class Outer(PluginConfigBase):
            inner: Inner = Field(default_factory=lambda: Inner.model_validate({}))

        class Plain(BaseModel):
            token: str

        with pytest.raises(ValueError, match=r"Plain.*token"):
            build_plugin_default_config(Plain)
        with pytest.raises(ValueError, match="token"):
            build_plugin_default_config(Outer)


class TestVersion:
    @pytest.mark.parametrize(("given", "version"), [(" 1.2 ", "1.2"), (2, "2"), (True, "True"), ([1], "[1]")])
    def test_it_is_the_trimmed_text_of_the_plugin_table(self, given: Any, version: str) -> None:
        assert extract_plugin_config_version({"plugin": {"config_version": given}, "config_version": "9"}) == version

    @pytest.mark.parametrize("data", [{}, {"plugin": None}, {"plugin": "1"}, {"config_version": "1"}])
    def test_a_missing_table_is_an_error(self, data: dict[str, Any]) -> None:
        with pytest.raises(PluginConfigVersionError, match=r"no table \[plugin\]"):
            extract_plugin_config_version(data)

    @pytest.mark.parametrize("table", [{}, {"config_version": None}, {"config_version": "  "}])
    def test_a_missing_or_blank_version_is_another_error(self, table: dict[str, Any]) -> None:
        with pytest.raises(PluginConfigVersionError, match="missing or blank"):
            extract_plugin_config_version({"plugin": table})


class TestMerge:
    def test_what_is_missing_is_added_at_the_end_and_all_else_stays(self) -> None:
        defaults = {"a": {"x": 1, "y": 2}, "b": [1], "c": 3}
        current = {"own": 1, "b": [], "a": {"y": None, "z": 9}}
        merged, changed = merge_plugin_config_data(defaults, current)
        assert merged == {"own": 1, "b": [], "a": {"y": None, "z": 9, "x": 1}, "c": 3}
        assert list(merged) == ["own", "b", "a", "c"]
        assert changed

    def test_a_value_of_another_type_stays(self) -> None:
        assert merge_plugin_config_data({"a": {"x": 1}, "b": 1}, {"a": 5, "b": {}}) == ({"a": 5, "b": {}}, False)

    @pytest.mark.parametrize("wrong", [None, [], "text"])
    def test_what_is_no_mapping_fails(self, wrong: Any) -> None:
        with pytest.raises(AttributeError):
            merge_plugin_config_data({"a": 1}, wrong)
        with pytest.raises(AttributeError):
            merge_plugin_config_data(wrong, {})

    @given(TABLES, TABLES)
    @settings(max_examples=60, deadline=None)
    def test_it_keeps_every_value_changes_neither_input_and_settles(
        self, defaults: dict[str, Any], current: dict[str, Any]
    ) -> None:
        before = deepcopy((defaults, current))
        merged, changed = merge_plugin_config_data(defaults, current)
        assert (defaults, current) == before
        assert not share(merged, defaults)
        assert not share(merged, current)
        assert list(merged)[: len(current)] == list(current)
        assert set(merged) == set(defaults) | set(current)
        assert changed == (merged != current)
        assert merge_plugin_config_data(defaults, merged) == (merged, False)


class TestRebuild:
    def test_keys_and_order_are_those_of_the_defaults_and_values_the_current_ones(self) -> None:
        defaults = {"a": {"x": 1, "config_version": "2"}, "b": [1], "c": {}, "d": 4, "config_version": "2"}
        current = {"d": None, "old": 1, "c": {"z": 1}, "b": [2, 3], "a": {"x": "7", "y": 0, "config_version": "1"}}
        rebuilt = rebuild_plugin_config_data(defaults, current)
        assert rebuilt == {
            "a": {"x": "7", "config_version": "2"},
            "b": [2, 3],
            "c": {},
            "d": None,
            "config_version": "2",
        }
        assert list(rebuilt) == list(defaults)

    @given(TABLES, TABLES)
    @settings(max_examples=60, deadline=None)
    def test_it_changes_neither_input_and_settles(self, defaults: dict[str, Any], current: dict[str, Any]) -> None:
        before = deepcopy((defaults, current))
        rebuilt = rebuild_plugin_config_data(defaults, current)
        assert (defaults, current) == before
        assert not share(rebuilt, defaults)
        assert not share(rebuilt, current)
        assert list(rebuilt) == list(defaults)
        assert rebuild_plugin_config_data(defaults, rebuilt) == rebuilt


class TestValidate:
    def test_values_are_converted_and_unknown_keys_ignored(self) -> None:
        config = validate_plugin_config(Settings, {"limit": "5", "old": 1, "plugin": {"enabled": 0, "old": 1}})
        assert (config.limit, config.plugin.enabled, config.plugin.config_version) == (5, False, "1.0.0")

    @pytest.mark.parametrize("wrong", [{"limit": 1.5}, {"nickname": 5}, {"plugin": []}])
    def test_a_wrong_value_is_refused(self, wrong: dict[str, Any]) -> None:
        with pytest.raises(ValidationError):
            validate_plugin_config(Settings, wrong)

    def test_none_is_an_error_and_an_empty_list_is_empty(self) -> None:
        none: Any = None
        empty: Any = []
        with pytest.raises(TypeError):
            validate_plugin_config(Settings, none)
        assert validate_plugin_config(Settings, empty) == Settings()


class TestPlugin:
    def test_the_model_is_the_class_attribute_when_it_is_one(self) -> None:
        class Odd(MaiBotPlugin):
            config_model = BaseModel  # type: ignore[assignment]

        assert ConfiguredPlugin.get_config_model() is Settings
        assert ConfiguredPlugin.has_config_model()
        for without in (MaiBotPlugin, Odd):
            assert without.get_config_model() is None
            assert not without.has_config_model()

    def test_without_model_data_passes_through(self) -> None:
        plugin = MaiBotPlugin()
        odd: Any = ["no mapping"]
        assert plugin.get_default_config() == {}
        assert plugin.get_webui_config_schema(plugin_id="p") == {}
        assert plugin.normalize_plugin_config({"a": 1}) == ({"a": 1}, False)
        assert plugin.normalize_plugin_config(odd) == ({}, False)
        plugin.set_plugin_config({"a": 1})
        assert plugin.get_plugin_config_data() == {"a": 1}
        with pytest.raises(RuntimeError, match="config_model"):
            _ = plugin.config

    def test_defaults_and_schema_are_those_of_the_model(self) -> None:
        plugin = ConfiguredPlugin()
        assert plugin.get_default_config() == DEFAULTS
        schema = plugin.get_webui_config_schema(plugin_id="p", plugin_author="a")
        assert (schema["plugin_id"], schema["plugin_info"]["author"]) == ("p", "a")
        assert list(schema["sections"]) == ["plugin", "general"]

    @pytest.mark.parametrize("nothing", [None, {}, [], "text"])
    def test_nothing_counts_as_the_defaults(self, nothing: Any) -> None:
        assert ConfiguredPlugin().normalize_plugin_config(nothing) == (DEFAULTS, True)

    def test_normalising_fills_converts_and_drops_and_keeps_the_old_version(self) -> None:
        given = {"plugin": {"config_version": "0.1", "old": 1}, "limit": "7", "old": 1}
        normalized, changed = ConfiguredPlugin().normalize_plugin_config(given)
        assert normalized == {**DEFAULTS, "plugin": {"config_version": "0.1", "enabled": True}, "limit": 7}
        assert changed
        assert ConfiguredPlugin().normalize_plugin_config(normalized) == (normalized, False)

    def test_an_enum_held_as_text_counts_as_a_change_each_time(self) -> None:
        assert ConfiguredPlugin().normalize_plugin_config({**DEFAULTS, "color": "red"}) == (DEFAULTS, True)

    def test_data_without_version_is_refused(self) -> None:
        with pytest.raises(PluginConfigVersionError):
            ConfiguredPlugin().normalize_plugin_config({"limit": 1})

    def test_a_model_whose_defaults_say_no_version_is_refused_whatever_the_data_say(self) -> None:
        class Versionless(PluginConfigBase):
            limit: int = 3

        class Plugin(MaiBotPlugin):
            config_model = Versionless

        with pytest.raises(PluginConfigVersionError):
            Plugin().normalize_plugin_config({"plugin": {"config_version": "1.0.0"}})

    def test_what_is_set_is_kept_as_instance_and_data(self) -> None:
        plugin = ConfiguredPlugin()
        with pytest.raises(RuntimeError, match="not set yet"):
            _ = plugin.config
        assert plugin.get_plugin_config_data() == {}
        plugin.set_plugin_config({"plugin": {"config_version": "1"}, "limit": "7"})
        config = plugin.config
        assert (config.limit, config is plugin.config) == (7, True)
        config.limit = 8
        assert plugin.get_plugin_config_data()["limit"] == 7
        plugin.get_plugin_config_data()["limit"] = 9
        assert plugin.get_plugin_config_data()["limit"] == 7

    def test_a_wrong_configuration_leaves_the_former_one(self) -> None:
        plugin = ConfiguredPlugin()
        plugin.set_plugin_config({})
        former = plugin.config
        with pytest.raises(ValidationError):
            plugin.set_plugin_config({"plugin": {"config_version": "1"}, "limit": "many"})
        assert plugin.config is former
        assert plugin.get_plugin_config_data() == DEFAULTS
