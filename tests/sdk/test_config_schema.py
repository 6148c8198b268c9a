"""The form of a configuration for the web page."""

import json
from collections.abc import Mapping
from datetime import date
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Dict, List, Literal, Optional  # noqa: UP035

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, conint, create_model

from maibot_sdk import Field, PluginConfigBase
from maibot_sdk.config import generate_plugin_config_schema

FACTS = json.loads((Path(__file__).parents[1] / "data" / "sdk_outputs.json").read_text(encoding="utf-8"))


class Color(Enum):
    RED = "red"


class Item(PluginConfigBase):
    """One entry."""

    name: str = Field(
        default="n", json_schema_extra={"label": "Name", "placeholder": " p ", "i18n": {"en": {"l": "x"}}}
    )
    kind: Literal["a", "b"] = "a"
    kinds: list[Literal["a", "b"]] = Field(default_factory=list, description="Which kinds")
    secret: str = Field(default="s", json_schema_extra={"hidden": True})


class Section(PluginConfigBase):
    __doc__ = "  A section.\n\n  indented\n"
    __ui_label__ = "Label"
    __ui_icon__ = "icon"
    __ui_order__ = 7
    __ui_i18n__ = {"en": {"title": " Section ", "blank": " "}, "fr": {"title": ""}}  # noqa: RUF012

    value: int = 1


class Derived(Section): ...


def field_of(annotation: Any, default: Any = None, **extra: Any) -> dict[str, Any]:
    """The schema of a field of this type in a section."""
    options = extra or None
    section = create_model("S", __base__=PluginConfigBase, f=(annotation, Field(default, json_schema_extra=options)))
    outer = create_model("O", __base__=PluginConfigBase, s=(section, Field(default_factory=section)))
    field: dict[str, Any] = generate_plugin_config_schema(outer)["sections"]["s"]["fields"]["f"]
    return field


def test_the_recorded_example_comes_out_as_recorded() -> None:
    class Example(PluginConfigBase):
        """doc text"""

        __ui_label__ = "L"
        __ui_icon__ = "i"
        __ui_order__ = 2

        config_version: str = Field(default="1.0.0", description="v")
        enabled: bool = Field(default=True, description="e")
        n: int = Field(
            default=3,
            ge=0,
            le=9,
            json_schema_extra={
                "label": "N",
                "placeholder": "p",
                "hint": "h",
                "order": 5,
                "x-widget": "slider",
                "rows": 4,
                "group": "g",
                "depends_on": "enabled",
                "depends_value": True,
                "step": 1,
            },
        )
        tags: list[str] = Field(default_factory=list)
        m: Literal["a", "b"] = "a"
        mm: list[Literal["a", "b"]] = Field(default_factory=list)
        d: dict = Field(default_factory=dict)  # type: ignore[type-arg]

    class Whole(PluginConfigBase):
        plugin: Example = Field(default_factory=Example)
        loose: float = 0.5

    schema = generate_plugin_config_schema(
        Whole, plugin_id="p.x", plugin_name="n", plugin_version="1.0.0", plugin_description="d", plugin_author="a"
    )
    assert schema["sections"]["general"].pop("title")
    assert schema == FACTS["config_schema_example"]


def test_a_class_without_fields_gives_no_sections_and_empty_texts() -> None:
    assert generate_plugin_config_schema(PluginConfigBase) == {
        "plugin_id": "",
        "plugin_info": {"name": "", "version": "", "description": "", "author": ""},
        "sections": {},
        "layout": {"type": "auto", "tabs": []},
    }


class TestSections:
    @staticmethod
    def of(**fields: Any) -> dict[str, Any]:
        model = create_model("M", __base__=PluginConfigBase, **fields)
        sections: dict[str, Any] = generate_plugin_config_schema(model)["sections"]
        return sections

    def test_a_section_tells_what_its_class_says(self) -> None:
        section = self.of(s=(Section, Section()))["s"]
        assert section.pop("fields").keys() == {"value"}
        assert section == {
            "name": "s",
            "title": "Label",
            "description": "A section.\n\n  indented",
            "icon": "icon",
            "collapsed": False,
            "order": 7,
            "i18n": {"en": {"title": "Section"}},
        }

    def test_a_docstring_is_not_inherited_and_the_rest_is(self) -> None:
        section = self.of(s=(Derived, Derived()))["s"]
        assert (section["description"], section["title"], section["order"]) == ("", "Label", 7)
        assert list(section["fields"]) == ["value"]

    def test_without_a_label_the_title_is_the_name_of_the_field(self) -> None:
        section = self.of(s=(Item, Item()))["s"]
        assert (section["title"], section["icon"], section["order"], "i18n" in section) == ("s", None, 0, False)

    def test_loose_fields_stand_last_in_a_general_section(self) -> None:
        sections = self.of(loose=(int, 1), s=(Section, Section()), maybe=(Section | None, None), t=(Section, Section()))
        assert list(sections) == ["s", "t", "general"]
        assert list(sections["general"]["fields"]) == ["loose", "maybe"]
        assert (sections["general"]["order"], sections["general"]["icon"]) == (2, "settings")

    def test_a_section_without_fields_is_kept(self) -> None:
        empty = create_model("Empty", __base__=PluginConfigBase)
        assert self.of(s=(empty, empty()))["s"]["fields"] == {}


class TestTypes:
    @pytest.mark.parametrize(
        ("annotation", "kind", "widget"),
        [
            (bool, "boolean", "switch"),
            (int, "integer", "number"),
            (Annotated[int, Field(ge=1)], "integer", "number"),
            (float, "number", "number"),
            (str, "string", "text"),
            (Literal["a", None], "select", "select"),
            (list[Literal["a"]], "select", "select"),
            (list[str], "array", "list"),
            (List, "array", "list"),  # noqa: UP006
            (list, "string", "text"),
            (dict[str, Any], "object", "json"),
            (Dict, "object", "json"),  # noqa: UP006
            (dict, "string", "text"),
            (Section, "object", "json"),
            (BaseModel, "string", "text"),
            (int | None, "string", "text"),
            (Optional[int], "string", "text"),  # noqa: UP045
            (int | str, "string", "text"),
            (Color, "string", "text"),
            (set[str], "string", "text"),
            (tuple[int, ...], "string", "text"),
            (Any, "string", "text"),
            (bytes, "string", "text"),
            (date, "string", "text"),
            (Mapping[str, int], "string", "text"),
        ],
    )
    def test_a_type_has_its_kind_and_widget(self, annotation: Any, kind: str, widget: str) -> None:
        field = field_of(annotation)
        assert (field["type"], field["ui_type"]) == (kind, widget)

    def test_choices_are_the_values_of_a_literal(self) -> None:
        assert field_of(Literal["a", 1, None])["choices"] == ["a", 1, None]
        many = field_of(list[Literal["a", "b"]], [])
        assert (many["choices"], many["multiple"]) == (["a", "b"], True)
        assert field_of(str)["choices"] is None
        assert "multiple" not in field_of(Literal["a"])

    @pytest.mark.parametrize(
        ("item", "item_type"),
        [
            (int, "number"),
            (float, "number"),
            (bool, "boolean"),
            (str, "string"),
            (Any, "string"),
            (dict[str, int], "string"),
            (Color, "string"),
            (int | None, "string"),
            (BaseModel, "string"),
        ],
    )
    def test_a_list_tells_the_type_of_its_items(self, item: Any, item_type: str) -> None:
        field = field_of(list[item], [])
        assert (field["item_type"], field["item_fields"]) == (item_type, None)

    def test_a_list_of_configurations_tells_the_fields_of_an_item(self) -> None:
        field = field_of(list[Item], [])
        assert field["item_type"] == "object"
        assert field["item_fields"] == {
            "name": {
                "type": "string",
                "label": "Name",
                "placeholder": "p",
                "default": "n",
                "i18n": {"en": {"l": "x"}},
            },
            "kind": {"type": "select", "label": "kind", "placeholder": "", "default": "a", "choices": ["a", "b"]},
            "kinds": {
                "type": "select",
                "label": "Which kinds",
                "placeholder": "",
                "default": [],
                "choices": ["a", "b"],
                "multiple": True,
            },
            "secret": {"type": "string", "label": "secret", "placeholder": "", "default": "s"},
        }

    def test_an_item_class_without_defaults_is_refused(self) -> None:
        class Strict(PluginConfigBase):
            token: str

        with pytest.raises(ValueError, match="Strict"):
            field_of(list[Strict], [])


class TestFields:
    def test_a_field_has_all_the_keys_and_no_other(self) -> None:
        assert list(field_of(str)) == FACTS["general_field_keys"]

    @pytest.mark.parametrize("annotation", [int, int | None])
    def test_bounds_come_from_ge_and_le_alone(self, annotation: Any) -> None:
        class S(PluginConfigBase):
            f: annotation = Field(default=2, ge=1, le=3)
            g: annotation = Field(default=2, gt=1, lt=3)
            h: conint(ge=1, le=3) = 2  # type: ignore[valid-type]

        fields = generate_plugin_config_schema(S)["sections"]["general"]["fields"]
        bounds = {name: (field["min"], field["max"]) for name, field in fields.items()}
        assert bounds == {"f": (1.0, 3.0), "g": (None, None), "h": (1.0, 3.0)}
        assert all(isinstance(bound, float) for bound in bounds["f"])

    def test_an_excluded_field_is_shown_without_its_default(self) -> None:
        class S(PluginConfigBase):
            f: str = Field(default="x", exclude=True)

        assert generate_plugin_config_schema(S)["sections"]["general"]["fields"]["f"]["default"] is None

    def test_texts_are_trimmed_and_blank_ones_dropped(self) -> None:
        for option, key in [
            ("placeholder",) * 2,
            ("hint",) * 2,
            ("group",) * 2,
            ("depends_on",) * 2,
            ("x-icon", "icon"),
        ]:
            assert field_of(str, **{option: " t "})[key] == "t"
            assert field_of(str, **{option: "  "})[key] is None
            assert field_of(str, **{option: 5})[key] == "5"

    def test_label_and_widget_are_not_trimmed(self) -> None:
        field = field_of(str, **{"label": " L ", "x-widget": " textarea "})
        assert (field["label"], field["ui_type"]) == (" L ", " textarea ")
        field = field_of(str, **{"label": "", "x-widget": ""})
        assert (field["label"], field["ui_type"]) == ("f", "text")

    def test_switches_order_and_rows_are_converted(self) -> None:
        field = field_of(str, hidden=1, disabled="", order="4", rows=5.0)
        assert [field[key] for key in ("hidden", "disabled", "order", "rows")] == [True, False, 4, 5]
        for option in ("order", "rows"):
            with pytest.raises(ValueError, match="first"):
                field_of(str, **{option: "first"})

    def test_other_options_pass_through_unchanged_and_unknown_ones_are_ignored(self) -> None:
        options = {"step": "x", "pattern": 1, "max_length": None, "min_items": [1], "max_items": 2, "example": {"a": 1}}
        field = field_of(str, **options, depends_value=False, choices=["z"], required=True, odd=1)
        assert {key: field[key] for key in options} == options
        assert (field["depends_value"], field["choices"], field["required"], "odd" in field) == (
            False,
            None,
            False,
            False,
        )

    def test_a_callable_extra_is_ignored(self) -> None:
        class S(PluginConfigBase):
            f: str = Field(default="x", json_schema_extra=lambda schema: None)

        assert generate_plugin_config_schema(S)["sections"]["general"]["fields"]["f"]["label"] == "f"

    @pytest.mark.parametrize(
        ("given", "told"),
        [
            ({"en": {"label": " L ", "n": 5, "none": None, "blank": " "}}, {"en": {"label": "L", "n": "5"}}),
            ({"en": {"label": " "}, "zh": "text"}, None),
            ("text", None),
            ({}, None),
        ],
    )
    def test_translations_keep_what_says_something(self, given: Any, told: Any) -> None:
        assert field_of(str, i18n=given).get("i18n") == told

    def test_fields_keep_their_order_with_inherited_ones_first(self) -> None:
        class More(Section):
            later: int = Field(default=1, json_schema_extra={"order": -5})

        class M(PluginConfigBase):
            s: More = Field(default_factory=More)

        fields = generate_plugin_config_schema(M)["sections"]["s"]["fields"]
        assert [(name, field["order"]) for name, field in fields.items()] == [("value", 0), ("later", -5)]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
FREE_OPTIONS = (
    "label",
    "hint",
    "x-widget",
    "depends_value",
    "step",
    "pattern",
    "example",
    "min_items",
    "i18n",
    "other",
)
EXTRAS = st.dictionaries(st.sampled_from(FREE_OPTIONS), JSON, max_size=4)
TYPES = st.sampled_from(
    [(str, "x"), (int, 1), (float, 0.5), (bool, True), (dict[str, int], {}), (Item, Item())]
) | st.just((list[Item], [Item()]))


@given(st.dictionaries(st.sampled_from("abcd"), st.tuples(TYPES, EXTRAS), max_size=4))
def test_the_form_of_plain_values_survives_json(fields: dict[str, Any]) -> None:
    definitions: dict[str, Any] = {
        name: (kind, Field(default=default, json_schema_extra=extra))
        for name, ((kind, default), extra) in fields.items()
    }
    form = generate_plugin_config_schema(create_model("Config", __base__=PluginConfigBase, **definitions))
    assert json.loads(json.dumps(form)) == form
