"""Functions over configurations: the same on any data."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracle.comparison import Both

pytestmark = pytest.mark.oracle

KEYS = st.sampled_from(["a", "b", "c", "config_version", "plugin"])
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=3)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
TABLES = st.dictionaries(KEYS, VALUES, max_size=5)
PAIRS = st.lists(st.tuples(TABLES, TABLES), min_size=1, max_size=20)

EXTRAS = st.fixed_dictionaries(
    {},
    optional={
        "label": st.sampled_from(["", " L ", None, 5]),
        "hint": st.sampled_from(["", " h ", None, 5]),
        "placeholder": st.sampled_from(["  ", "p", 0]),
        "order": st.sampled_from([0, "3", 2.7, True, "x", None]),
        "rows": st.sampled_from([1, "9", "x"]),
        "hidden": st.sampled_from([True, 0, "no", None]),
        "disabled": st.sampled_from([False, "x"]),
        "input_type": st.sampled_from([" password ", ""]),
        "x-widget": st.sampled_from(["slider", "", " textarea ", None]),
        "x-icon": st.sampled_from(["key", " "]),
        "icon": st.just("not read"),
        "group": st.sampled_from(["g", None]),
        "depends_on": st.sampled_from(["a", 5]),
        "depends_value": SCALARS,
        "step": SCALARS,
        "pattern": SCALARS,
        "max_length": SCALARS,
        "min_items": SCALARS,
        "max_items": SCALARS,
        "example": VALUES,
        "choices": st.just(["not read"]),
        "i18n": st.dictionaries(st.sampled_from(["en", "zh"]), st.none() | st.dictionaries(KEYS, SCALARS)),
    },
)
TYPES = st.sampled_from(
    [
        ("bool", "True"),
        ("int", "1"),
        ("float", "0.5"),
        ("str", "'x'"),
        ("Literal['a', 'b']", "'a'"),
        ("list[str]", "['x']"),
        ("List[int]", "[1]"),
        ("list[Literal['a', 'b']]", "[]"),
        ("list[Item]", "[Item()]"),
        ("dict[str, int]", "{'x': 1}"),
        ("list", "[]"),
        ("dict", "{}"),
        ("int | None", "None"),
        ("Optional[Item]", "None"),
        ("Item", "Item()"),
        ("Any", "None"),
        ("tuple[int, ...]", "(1,)"),
        ("Annotated[int, Field(ge=1)]", "2"),
    ]
)
OPTIONS = st.sampled_from(
    ["", "ge=0, ", "le=9, ", "ge=-1.5, le=1e3, ", "gt=0, lt=9, ", "description=' d ', ", "title='t', "]
)
FIELDS = st.dictionaries(st.sampled_from("abcdef"), st.tuples(TYPES, OPTIONS, EXTRAS), max_size=4)


def asked(function: str, *arguments: Any) -> dict[str, Any]:
    return {"ask": "function", "name": f"maibot_sdk.config.{function}", "arguments": [*arguments]}


@given(PAIRS)
@settings(max_examples=100, deadline=None)
def test_merging_and_rebuilding_give_the_same(both: Both, pairs: list[tuple[dict[str, Any], dict[str, Any]]]) -> None:
    functions = ("merge_plugin_config_data", "rebuild_plugin_config_data")
    told = both.differences([asked(function, *pair) for pair in pairs for function in functions])
    assert [difference for difference in told if difference] == []


@given(st.lists(VALUES, min_size=1, max_size=50))
@settings(max_examples=50, deadline=None)
def test_the_version_is_read_the_same(both: Both, versions: list[Any]) -> None:
    tables = [*({"plugin": {"config_version": version}} for version in versions), {"plugin": versions}, {}]
    told = both.differences([asked("extract_plugin_config_version", table) for table in tables])
    assert [difference for difference in told if difference] == []


def plugin_with(fields: dict[str, Any], data: list[Any]) -> dict[str, Any]:
    """A plugin with a section of these fields and the same fields loose, that tells what it makes of the data."""
    lines = [
        f"    {name}: {kind} = Field(default={default}, {options}json_schema_extra={extra!r})"
        for name, ((kind, default), options, extra) in fields.items()
    ]
    body = "\n".join(lines)
    source = f"""
from typing import Annotated, Any, List, Literal, Optional
from maibot_sdk import Field, MaiBotPlugin, PluginConfigBase

class Item(PluginConfigBase):
    word: str = "w"
    kind: Literal["a", "b"] = Field(default="a", description="Kind")

class PluginSection(PluginConfigBase):
    '''Documented.'''
    config_version: str = "1.0.0"
{body}

class Config(PluginConfigBase):
    plugin: PluginSection = Field(default_factory=PluginSection)
{body}

class Plugin(MaiBotPlugin):
    config_model = Config

def create_plugin():
    return Plugin()

async def story(plugin):
    told = []
    for data in {data!r}:
        try:
            told.append(plugin.normalize_plugin_config(data))
        except Exception as error:
            told.append(type(error).__name__)
    return told
"""
    return {"ask": "plugin", "source": source}


VERSIONED = TABLES.map(lambda table: {**table, "plugin": {"config_version": "2", **_table(table.get("plugin"))}})


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


@given(st.lists(st.tuples(FIELDS, st.lists(VERSIONED, max_size=3)), min_size=1, max_size=5))
@settings(max_examples=20, deadline=None)
def test_any_configuration_has_the_same_form_defaults_and_reading(both: Both, declared: list[Any]) -> None:
    told = both.differences([plugin_with(fields, data) for fields, data in declared])
    assert [difference for difference in told if difference] == []
