"""The settings for people: a commented file to begin with, and what counts with where it comes from."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

import tomlkit
from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo

from host.hooks.texts import Locale, TextTable
from host.runtime.config.problems import MASK, key_text
from host.runtime.config.toml_values import KeyPath, toml_value
from host.settings.descriptions import CHINESE
from host.settings.keys import plain
from host.settings.sections import Settings
from host.settings.sources import Origin, Sources

PAGE_TEXTS = TextTable(
    {
        "title": (
            "Settings of maibot-host. Every line is a default; take the # away from what you change.\n"
            "'maibot-host config check' tells what is wrong, 'maibot-host config show' what counts.\n"
            "MAIBOT_HOST__WEB__PORT=8080 in the environment goes before port of [web] here, and so on.",
            "maibot-host 的设置。每一行都是默认值；要修改时请去掉行首的 #。\n"
            "maibot-host config check 检查错误，maibot-host config show 显示生效的值。\n"
            "环境变量优先于本文件，例如 MAIBOT_HOST__WEB__PORT=8080 优先于 [web] 中的 port。",
        ),
        "one_of": ("One of: {values}.", "可选值：{values}。"),
        "range": ("Allowed: {values}.", "允许范围：{values}。"),
        "unset": ("Not set by default.", "默认不设置。"),
    }
)

_SIGNS = {"gt": ">", "ge": ">=", "lt": "<", "le": "<="}


def starting_file(locale: Locale = "en") -> str:
    """A settings file that says nothing yet: each setting is a comment with its meaning, what is allowed, its default.

    Args:
        locale: of the comments.
    """
    title = "\n".join(f"# {line}" for line in PAGE_TEXTS.render("title", {}, locale).splitlines())
    return "\n".join([title, *_section(Settings, "", locale)]) + "\n"


def _section(model: type[BaseModel], path: str, locale: Locale) -> Iterator[str]:
    """The keys of a section, then the sections in it; `path` is that of the section, a free key in it as ``"..."``."""
    below: list[tuple[type[BaseModel], str, str, list[str]]] = []
    for name, field in model.model_fields.items():
        whole = f"{path}.{name}".removeprefix(".")
        meaning = [f"# {text}"] if (text := _meaning(whole, field, locale)) else []
        inner, inner_path, header = _inner(field.annotation, whole)
        if inner is not None:
            below.append((inner, inner_path, header, meaning))
        else:
            yield from ("", *meaning, *_rules(field, locale), f"# {name} = {_default(field)}")
    if free := model.__annotations__.get("__pydantic_extra__"):
        inner_path = f'{path}."..."'
        below.append((get_args(free)[-1], inner_path, f"# [{inner_path}]", []))
    for inner, inner_path, header, meaning in below:
        yield from ("", *meaning, header)
        yield from _section(inner, inner_path, locale)


def _meaning(whole: str, field: FieldInfo, locale: Locale) -> str:
    key = whole.replace('"..."', "*")
    return CHINESE.get(key, "") if locale == "zh" else field.description or ""


def _inner(annotation: Any, whole: str) -> tuple[type[BaseModel] | None, str, str]:
    """The model of the tables that a setting holds, their path, and how their header is written."""
    annotation = plain(annotation)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation, whole, f"[{whole}]"
    members = [each for each in get_args(annotation) if isinstance(each, type) and issubclass(each, BaseModel)]
    if not members:
        return None, whole, ""
    if get_origin(annotation) is dict:
        return members[0], f'{whole}."..."', f'# [{whole}."..."]'
    return members[0], whole, f"# [[{whole}]]"


def _rules(field: FieldInfo, locale: Locale) -> Iterator[str]:
    """What a setting may be."""
    if choices := _choices(field.annotation):
        yield f"# {PAGE_TEXTS.render('one_of', {'values': ', '.join(map(_written, choices))}, locale)}"
    bounds = [
        f"{sign} {getattr(rule, name)}"
        for rule in field.metadata
        for name, sign in _SIGNS.items()
        if hasattr(rule, name)
    ]
    if bounds:
        yield f"# {PAGE_TEXTS.render('range', {'values': ', '.join(bounds)}, locale)}"
    if field.get_default(call_default_factory=True) is None:
        yield f"# {PAGE_TEXTS.render('unset', {}, locale)}"


def _choices(annotation: Any) -> Sequence[str]:
    """The words that a setting, or each of its members, may be."""
    annotation = plain(annotation)
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    if get_origin(annotation) in (Union, UnionType, tuple, frozenset):
        return next((found for each in get_args(annotation) if (found := _choices(each))), ())
    return ()


def _default(field: FieldInfo) -> str:
    value = None if field.is_required() else field.get_default(call_default_factory=True)
    return "" if value is None else _written(value)


def _written(value: Any) -> str:
    """A value as it stands in TOML, on one line."""
    value = toml_value(value)
    if isinstance(value, dict):
        table = tomlkit.inline_table()
        table.update(value)
        return str(table.as_string())
    return str(tomlkit.item(value).as_string())


@dataclass(frozen=True, slots=True)
class Shown:
    """One setting as it counts.

    Args:
        key: where it would stand in the file.
        value: what it is; None where it is not set; secrets are masked.
        origin: where it comes from.
    """

    key: str
    value: Any
    origin: Origin

    def line(self, locale: Locale = "en") -> str:
        """As in the file, with where it comes from as a comment; what is not set is a comment as a whole."""
        place = self.origin.text(locale) or "default"
        return f"# {self.key} =  # {place}" if self.value is None else f"{self.key} = {_written(self.value)}  # {place}"

    def as_dict(self) -> dict[str, Any]:
        """The same for machines."""
        origin = self.origin
        return {
            "key": self.key,
            "value": self.value,
            "source": origin.kind,
            "name": origin.name,
            "line": origin.line or None,
        }


def effective(settings: Settings, sources: Sources, environ: Mapping[str, str]) -> Iterator[Shown]:
    """Every setting as it counts. No secret is in it.

    Args:
        settings: those that count.
        sources: what they come from.
        environ: where keys of providers may stand.
    """
    keys: dict[KeyPath, str] = {
        ("models", "providers", number, "api_key"): name
        for number, provider in enumerate(settings.models.providers)
        for name in (provider.key_variable, provider.api_key_env)
        if environ.get(name)
    }
    for path, value in _leaves((), settings.model_dump()):
        if name := keys.get(path):
            yield Shown(key_text(path), MASK, Origin(kind="environment", name=name))
        else:
            yield Shown(key_text(path), _masked(path, value), sources.origin(path))


def _leaves(path: KeyPath, value: Any) -> Iterator[tuple[KeyPath, Any]]:
    if isinstance(value, Mapping) and (value or not path):
        for key, member in value.items():
            yield from _leaves((*path, str(key)), member)
    elif isinstance(value, list | tuple) and value and isinstance(value[0], Mapping):
        for number, member in enumerate(value):
            yield from _leaves((*path, number), member)
    else:
        yield path, value


def _masked(path: KeyPath, value: Any) -> Any:
    # What is added to requests may be a key as well.
    added = path[:2] == ("models", "models") and "extra" in path and not isinstance(value, bool | int | float)
    if isinstance(value, SecretStr) or (added and value):
        return MASK
    return None if value is None else toml_value(value)
