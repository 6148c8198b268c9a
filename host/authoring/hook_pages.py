"""The guide's chapter on the built-in hooks: catalogue and payload types, with `hook_facts` and `payload_words`.

``python -m host.authoring.hook_pages [FOLDER]`` writes it to ``FOLDER/en/hooks.md`` and ``FOLDER/zh/hooks.md``; the
folder is ``docs/guide`` unless one is given.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, NotRequired, Required, Union, get_args, get_origin

from pydantic import StringConstraints
from typing_extensions import get_type_hints, is_typeddict

from host.authoring.hook_facts import HOOK_FACTS
from host.authoring.payload_words import DICTS, FORGIVING
from host.authoring.texts import PAGE_TEXTS
from host.catalogue.chat import CHAT_HOOKS
from host.catalogue.command import COMMAND_HOOKS
from host.catalogue.emoji import EMOJI_HOOKS
from host.catalogue.expression import EXPRESSION_HOOKS
from host.catalogue.jargon import JARGON_HOOKS
from host.catalogue.planner import PLANNER_HOOKS
from host.catalogue.replyer import REPLYER_HOOKS
from host.catalogue.send import SEND_HOOKS
from host.hooks import HookSettings, HookSpec
from host.hooks.texts import Locale
from maibot_sdk.hooks import Text

LOCALES = ("en", "zh")
FOLDER = Path("docs/guide")

CHAINS = (
    ("chain_chat", CHAT_HOOKS),
    ("chain_command", COMMAND_HOOKS),
    ("chain_planner", PLANNER_HOOKS),
    ("chain_expression", EXPRESSION_HOOKS),
    ("chain_jargon", JARGON_HOOKS),
    ("chain_emoji", EMOJI_HOOKS),
    ("chain_replyer", REPLYER_HOOKS),
    ("chain_send", SEND_HOOKS),
)
"""The chapters of the page, in the order in which a message meets them: the code of the heading, and the hooks."""


def page(locale: Locale) -> str:
    """The chapter as Markdown.

    Args:
        locale: ``"en"`` or ``"zh"``.
    """
    return "\n\n".join(_paragraphs(locale)) + "\n"


def write_pages(folder: Path) -> None:
    """Write the chapter in both languages below `folder`."""
    for locale in LOCALES:
        (folder / locale / "hooks.md").write_text(page(locale), encoding="utf-8", newline="\n")


def _paragraphs(locale: Locale) -> Iterator[str]:
    yield _say("generated", locale)
    yield f"# {_say('title', locale)}"
    for code in ("intro", "intro_fired", "intro_change"):
        yield _say(code, locale)
    yield _overview(locale)
    for code, specs in CHAINS:
        yield f"## {_say(code, locale)}"
        for spec in specs:
            yield from _hook(spec, locale)
    yield f"## {_say('dicts', locale)}"
    yield _say("dicts_intro", locale)
    for declared in _nested_dicts():
        yield from _dict(declared, locale)
    yield f"## {_say('forgiving', locale)}"
    yield _say("forgiving_intro", locale)
    rows = [(f"`{name}`", _in(locale, told)) for name, (_, told) in FORGIVING.items()]
    yield _table((_say("type", locale), _say("accepts", locale)), rows)


def _overview(locale: Locale) -> str:
    rows = [
        (f"[`{spec.name}`](#{_anchor(spec.name)})", "✓" if HOOK_FACTS[spec.name].fired else "")
        for _, specs in CHAINS
        for spec in specs
    ]
    return _table((_say("fires", locale), _say("fired_today", locale)), rows)


def _hook(spec: HookSpec, locale: Locale) -> Iterator[str]:
    facts = HOOK_FACTS[spec.name]
    yield f"### `{spec.name}`"
    yield spec.describe(locale)
    yield _rules(spec, locale)
    columns = [_say(each, locale) for each in ("key", "type", "meaning", "change")]
    rows = [
        (*cells, _in(locale, facts.read_back[key]) if key in facts.read_back else "–")
        for key, *cells in _keys(spec.payload, locale)
    ]
    yield _table(columns, rows)
    if facts.abort is not None:
        yield _say("abort_does", locale, text=_in(locale, facts.abort))
    if facts.notes:
        yield "\n".join(f"- {_in(locale, note)}" for note in facts.notes)


def _rules(spec: HookSpec, locale: Locale) -> str:
    allowed = [
        _say("allow_abort" if spec.allow_abort else "no_abort", locale),
        _say("allow_change" if spec.allow_kwargs_mutation else "no_change", locale),
    ]
    if HOOK_FACTS[spec.name].fired:
        allowed.append(f"**{_say('fired_today', locale)}**")
    own = spec.default_timeout_ms
    deadline = _say(
        "seconds" if own else "default_seconds", locale, number=(own or HookSettings().default_timeout_ms) / 1000
    )
    return _say(
        "rules",
        locale,
        payload=spec.payload.__name__,
        allows=_say("comma", locale).join(allowed),
        deadline=deadline,
    )


def _dict(declared: type[Any], locale: Locale) -> Iterator[str]:
    yield f"### `{declared.__name__}`"
    told = _in(locale, DICTS[declared])
    yield told if declared.__required_keys__ else told + _say("any_missing", locale)
    columns = [_say(each, locale) for each in ("key", "type", "meaning")]
    yield _table(columns, [cells for _, *cells in _keys(declared, locale)])


def _keys(declared: type[Any], locale: Locale) -> Iterator[tuple[str, str, str, str]]:
    """Name, and the cells for name, type and meaning, of each key of a ``TypedDict``."""
    required = declared.__required_keys__
    for name, hint in get_type_hints(declared, include_extras=True).items():
        kind = _type(hint, locale)
        if required and name not in required:
            kind = f"{kind} {_say('optional', locale)}"
        yield name, f"`{name}`", kind, _in(locale, _text_of(hint))


def _text_of(hint: Any) -> Text:
    _, metadata = _unwrapped(hint)
    return next(each for each in metadata if isinstance(each, Text))


def _type(hint: Any, locale: Locale) -> str:
    """A type as a table shows it, with a link to the dict or the forgiving type in it."""
    _, metadata = _unwrapped(hint)
    code = _spelled(hint).replace("|", "\\|")
    dicts = list(_dicts_in(hint))
    if dicts:
        return f"[`{code}`](#{_anchor(dicts[0].__name__)})"
    if code in FORGIVING:
        return f"[`{code}`](#{_anchor(_say('forgiving', locale))})"
    constraints = [each for each in metadata if isinstance(each, StringConstraints)]
    return f"`{code}`" + (_say("not_empty", locale) if constraints else "")


def _spelled(hint: Any) -> str:
    """A type as Python spells it, forgiving ones by name, and without what an author cannot use."""
    plain, metadata = _unwrapped(hint)
    constraints = tuple(each for each in metadata if not isinstance(each, Text))
    for name, (alias, _) in FORGIVING.items():
        if (plain, constraints) == _unwrapped(alias):
            return name
    origin, arguments = get_origin(plain), get_args(plain)
    if origin in (Union, UnionType):
        return " | ".join(map(_spelled, arguments))
    if origin is list:
        return "list" if arguments == (Any,) else f"list[{_spelled(arguments[0])}]"
    if origin is dict:
        return "dict"
    return "None" if plain is NoneType else str(plain.__name__)


def _unwrapped(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """The plain type of a key, and its metadata."""
    while get_origin(hint) in (Required, NotRequired):
        (hint,) = get_args(hint)
    if get_origin(hint) is Annotated:
        plain, *metadata = get_args(hint)
        return plain, tuple(metadata)
    return hint, ()


def _dicts_in(hint: Any) -> Iterator[type[Any]]:
    plain, _ = _unwrapped(hint)
    if is_typeddict(plain):
        yield plain
    for argument in get_args(plain):
        yield from _dicts_in(argument)


def _nested_dicts() -> list[type[Any]]:
    """Every dict inside a payload or another dict, in the order in which the page comes to them."""
    found: dict[type[Any], None] = {}

    def follow(declared: type[Any]) -> None:
        for hint in get_type_hints(declared, include_extras=True).values():
            for each in _dicts_in(hint):
                if each not in found:
                    found[each] = None
                    follow(each)

    for _, specs in CHAINS:
        for spec in specs:
            follow(spec.payload)
    return list(found)


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _anchor(heading: str) -> str:
    """The anchor that Markdown pages are given for a heading."""
    kept = "".join(letter for letter in heading.lower() if letter.isalnum() or letter in " -_")
    return kept.replace(" ", "-")


def _in(locale: Locale, text: Text) -> str:
    return text.zh if locale == "zh" else text.en


def _say(code: str, locale: Locale, **fields: object) -> str:
    return PAGE_TEXTS.render(code, fields, locale)


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
