"""The guide's table of all capabilities: names, arguments, answers, and whether this host can do them.

``python -m host.authoring.capability_pages [FOLDER]`` writes it to ``FOLDER/en/capability-table.md`` and its Chinese
twin; the folder is ``docs/guide`` unless one is given.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, NotRequired, Union, get_args, get_origin

from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined
from typing_extensions import get_type_hints, is_typeddict

from host.authoring.hook_pages import FOLDER, LOCALES
from host.authoring.texts import PAGE_TEXTS
from host.capabilities.arguments import Arguments, names_of, spelled
from host.capabilities.capability import CapabilitySpec
from host.capabilities.catalogue import CAPABILITIES
from host.capabilities.database_models import MODELS, PublishedColumn
from host.capabilities.names import ALIASES
from host.hooks.texts import Locale
from host.runtime.manifests.capability_names import CAPABILITY_NAMES

FILE = "capability-table.md"


def page(locale: Locale) -> str:
    """The chapter as Markdown.

    Args:
        locale: ``"en"`` or ``"zh"``.
    """
    return "\n\n".join(_paragraphs(locale)) + "\n"


def write_pages(folder: Path) -> None:
    """Write the chapter in both languages below `folder`."""
    for locale in LOCALES:
        (folder / locale / FILE).write_text(page(locale), encoding="utf-8", newline="\n")


def _paragraphs(locale: Locale) -> Iterator[str]:
    yield _say("capabilities_generated", locale)
    yield f"# {_say('capabilities_title', locale)}"
    yield _say("capabilities_intro", locale)
    offered = {spec.name: spec for spec in CAPABILITIES}
    for family in sorted({name.partition(".")[0] for name in CAPABILITY_NAMES}):
        names = sorted(name for name in CAPABILITY_NAMES if name.partition(".")[0] == family)
        yield f"## {family}"
        yield _say(f"data_of_{family}", locale)
        yield _table(
            [_say(each, locale) for each in ("capability", "capability_does", "arguments", "answer", "available")],
            [_row(name, offered.get(name), locale) for name in names],
        )
    yield f"## {_say('dicts', locale)}"
    yield _table(
        [_say("type", locale), _say("key", locale)],
        [(f"`{each.__name__}`", _keys(each)) for each in _nested_dicts()],
    )
    yield f"## {_say('database_models', locale)}"
    yield _say("database_models_intro", locale)
    yield _table(
        [_say(each, locale) for each in ("database_model", "database_columns")],
        [(f"`{name}`", "<br>".join(map(_column, each.columns.values()))) for name, each in sorted(MODELS.items())],
    )
    yield f"## {_say('capability_aliases', locale)}"
    yield _table(
        [_say("capability_alias", locale), _say("capability", locale)],
        [(f"`{alias}`", f"`{name}`") for alias, name in sorted(ALIASES.items())],
    )


def _column(column: PublishedColumn) -> str:
    kind = f"{column.kind.spelled} | None" if column.nullable else column.kind.spelled
    return f"`{column.name}: {_cell(kind)}`"


def _row(name: str, spec: CapabilitySpec[Any] | None, locale: Locale) -> Sequence[str]:
    if spec is None:
        return f"`{name}`", "", "", "", _say("not_yet", locale)
    about = spec.about.zh if locale == "zh" else spec.about.en
    arguments = "<br>".join(_argument(key, field) for key, field in _fields(spec.arguments))
    return f"`{name}`", about, arguments or "–", _keys(spec.answer), "✓"


def _fields(arguments: type[Arguments]) -> list[tuple[str, FieldInfo]]:
    """The arguments that have to be given first, then in the order of their declaration."""
    return sorted(arguments.model_fields.items(), key=lambda each: not each[1].is_required())


def _argument(name: str, field: FieldInfo) -> str:
    names = names_of(name, field)
    shown = f"`{names[0]}: {_cell(spelled(field.annotation))}"
    if not field.is_required():
        default = field.get_default(call_default_factory=True) if field.default is PydanticUndefined else field.default
        shown += f" = {default!r}"
    return shown + "`" + "".join(f" / `{also}`" for also in names[1:])


def _keys(declared: type[Any]) -> str:
    """The keys of an answer, but for ``success``, which all have."""
    hints = get_type_hints(declared, include_extras=True)
    keys = [f"`{key}: {_cell(_spelled(hint))}`" for key, hint in hints.items() if key != "success"]
    return "<br>".join(keys) or "–"


def _spelled(hint: Any) -> str:
    if get_origin(hint) is NotRequired:
        return _spelled(get_args(hint)[0])
    if get_origin(hint) in (Union, UnionType):
        return " | ".join(map(_spelled, get_args(hint)))
    if get_origin(hint) is list and is_typeddict(get_args(hint)[0]):
        return f"list[{get_args(hint)[0].__name__}]"
    if get_origin(hint) is not None and get_origin(hint) not in (list, dict):
        return "str"
    return "None" if hint is NoneType else spelled(hint)


def _nested_dicts() -> list[type[Any]]:
    """Every dict inside an answer, in the order in which the page comes to them."""
    found: dict[type[Any], None] = {}

    def follow(hint: Any) -> None:
        if is_typeddict(hint):
            if hint not in found:
                found[hint] = None
                for inner in get_type_hints(hint).values():
                    follow(inner)
            return
        for argument in get_args(hint):
            follow(argument)

    for spec in CAPABILITIES:
        for hint in get_type_hints(spec.answer).values():
            follow(hint)
    return list(found)


def _cell(code: str) -> str:
    return code.replace("|", "\\|")


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _say(code: str, locale: Locale) -> str:
    return PAGE_TEXTS.render(code, {}, locale)


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
