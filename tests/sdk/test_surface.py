"""The importable surface is that of the published package at the same version: names, kinds, parameters, defaults."""

import inspect
import json
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

FACTS = json.loads((Path(__file__).parents[1] / "data" / "sdk_surface_core.json").read_text(encoding="utf-8"))
NAMES = [
    (module, name, facts) for module, content in FACTS["modules"].items() for name, facts in content["names"].items()
]
RE_EXPORTS = [
    pytest.param(module, name, origin, id=f"{module}.{name}")
    for module, content in FACTS["modules"].items()
    for name, origin in content["re_exported_from"].items()
]


def of_kind(kind: str) -> list[Any]:
    return [pytest.param(*given, id=f"{given[0]}.{given[1]}") for given in NAMES if given[2]["kind"] == kind]


def shown(value: Any) -> Any:
    """A default as the facts write it."""
    return f"{type(value).__name__}.{value.name}" if isinstance(value, Enum) else value


def shown_type(annotation: Any) -> str:
    if isinstance(annotation, type) and not hasattr(annotation, "__args__"):
        return annotation.__name__
    return str(annotation).replace("typing.", "").replace("maibot_sdk.types.", "")


def signature_of(function: Any) -> list[dict[str, Any]]:
    words: dict[Any, str] = {
        inspect.Parameter.POSITIONAL_OR_KEYWORD: "positional_or_keyword",
        inspect.Parameter.KEYWORD_ONLY: "keyword_only",
        inspect.Parameter.VAR_POSITIONAL: "*args",
        inspect.Parameter.VAR_KEYWORD: "**kwargs",
    }
    parameters = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name in ("self", "cls"):
            continue
        told = {"name": parameter.name, "kind": words[parameter.kind]}
        if parameter.default is not inspect.Parameter.empty:
            told["default"] = shown(parameter.default)
        parameters.append(told)
    return parameters


def recorded(parameters: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in parameter.items() if key != "type"} for parameter in parameters]


def test_the_package_says_the_version_it_stands_for() -> None:
    assert import_module("maibot_sdk").__version__ == FACTS["version"]


def test_every_name_in_all_can_be_imported() -> None:
    for module in FACTS["modules"]:
        loaded = import_module(module)
        assert [name for name in getattr(loaded, "__all__", []) if not hasattr(loaded, name)] == []


@pytest.mark.parametrize(("module", "name", "origin"), RE_EXPORTS)
def test_a_re_exported_name_is_the_object_of_its_origin(module: str, name: str, origin: str) -> None:
    assert getattr(import_module(module), name) is getattr(import_module(origin), name)


@pytest.mark.parametrize(("module", "name", "facts"), of_kind("constant"))
def test_a_constant_has_its_value(module: str, name: str, facts: dict[str, Any]) -> None:
    assert getattr(import_module(module), name) == facts["value"]


@pytest.mark.parametrize(
    ("module", "name", "value"),
    [(module, name, value) for module, names in FACTS["private_constants"].items() for name, value in names.items()],
)
def test_a_private_name_that_plugins_use_has_its_value(module: str, name: str, value: str) -> None:
    assert getattr(import_module(module), name) == value


@pytest.mark.parametrize(("module", "name", "facts"), of_kind("enum"))
def test_an_enum_has_its_members(module: str, name: str, facts: dict[str, Any]) -> None:
    enum = getattr(import_module(module), name)
    assert {member.name: member.value for member in enum} == facts["members"]
    assert [base.__name__ for base in enum.__bases__] == facts["bases"]
    assert str(next(iter(enum))).startswith(name), "plain (str, Enum), not StrEnum"


@pytest.mark.parametrize(("module", "name", "facts"), of_kind("pydantic_model"))
def test_a_model_has_its_fields(module: str, name: str, facts: dict[str, Any]) -> None:
    model: type[BaseModel] = getattr(import_module(module), name)
    told = {
        field_name: {"type": shown_type(field.annotation), "required": field.is_required()}
        | ({} if field.is_required() else {"default": shown(field.get_default(call_default_factory=True))})
        for field_name, field in model.model_fields.items()
    }
    expected = {
        field_name: {key: value for key, value in field.items() if key != "constraints"}
        for field_name, field in facts["fields"].items()
    }
    assert told == expected
    assert {attribute: getattr(model, attribute) for attribute in facts.get("ui_class_attrs", {})} == facts.get(
        "ui_class_attrs", {}
    )


@pytest.mark.parametrize(("module", "name", "facts"), of_kind("function"))
def test_a_function_has_its_parameters(module: str, name: str, facts: dict[str, Any]) -> None:
    assert signature_of(getattr(import_module(module), name)) == recorded(facts["params"])


@pytest.mark.parametrize(("module", "name", "facts"), [*of_kind("class"), *of_kind("pydantic_model")])
def test_a_class_has_its_methods(module: str, name: str, facts: dict[str, Any]) -> None:
    cls = getattr(import_module(module), name)
    if "init" in facts:
        assert signature_of(cls.__init__) == recorded(facts["init"]["params"])
    for method, told in facts.get("methods", {}).items():
        written = inspect.getattr_static(cls, method)
        if told.get("property"):
            assert isinstance(written, property)
            continue
        assert isinstance(written, classmethod) is told.get("class", False)
        assert inspect.iscoroutinefunction(getattr(cls, method)) is told.get("async", False)
        free_text = {"offline_reason"}
        assert [given for given in signature_of(getattr(cls, method)) if given["name"] not in free_text] == [
            given for given in recorded(told["params"]) if given["name"] not in free_text
        ]
    for attribute, value in facts.get("class_attrs", {}).items():
        assert getattr(cls, attribute) == value
