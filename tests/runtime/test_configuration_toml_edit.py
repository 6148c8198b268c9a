"""Changing a TOML text changes what was asked for, and not a byte beside it."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import count, takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from host.runtime.config.toml_edit import edited
from host.runtime.config.toml_layout import TomlLayoutError
from host.runtime.config.toml_values import KeyPath, same
from maibot_sdk import MaiBotPlugin
from tests.runtime.configured import configuration, written_in

TRIVIA = st.sampled_from(["", "  ", "\t", "# a comment", "  # indented", "#", "# [not.a] = 'table'", "# 注释"])
TAILS = st.sampled_from(["", " ", "  # tail", "\t#\ttail 'x' [", "# [x]"])
NAMES = st.sampled_from(["{}", "{}", "k-{}", "'k {}'", '"k.{}"', '"名{}"'])
"""Ways to write a key; with a number in it, none comes twice."""
NUMBERS = st.sampled_from(["1", "0x1F", "1_000", "+3", "1.5", "6e3", "inf", "-nan", "true", "false"])
TEXTS = st.sampled_from(
    ["''", '""', "'lit # [x] ='", '"a\\tb \\" c"', "'''m\n # no comment\n'''", '"""\nm\n\\\n   n"""', '"""q"""""']
)
DATES = st.sampled_from(["2026-01-31", "07:30:00", "2026-01-31T07:30:00Z", "2026-01-31 07:30:00.5+01:00"])
SCALARS = NUMBERS | TEXTS | DATES
NEW_VALUES = st.one_of(
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(),
    st.text(max_size=20),
    st.just("several\nlines\n"),
    st.dates(),
    st.lists(st.integers(0, 3) | st.text(max_size=3), max_size=3),
    st.dictionaries(st.text(max_size=3), st.integers(0, 3), max_size=2),
    st.lists(st.dictionaries(st.text(max_size=3), st.integers(0, 3), max_size=2), max_size=2),
)


def nested(items: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Lists and inline tables of `items`, in several layouts."""
    lists = st.lists(items, max_size=3)
    tables = st.lists(items, max_size=2).map(lambda each: [f"k{place} = {item}" for place, item in enumerate(each)])
    return st.one_of(
        lists.map(lambda each: f"[{', '.join(each)}]"),
        lists.map(lambda each: "[ " + " ,".join(each) + " ]"),
        lists.map(lambda each: "[\n" + "".join(f"    {item}, # member\n" for item in each) + "  # end\n]"),
        tables.map(lambda each: f"{{{', '.join(each)}}}"),
        tables.map(lambda each: f"{{ {' , '.join(each)} }}"),
    )


VALUES = st.one_of(SCALARS, SCALARS, nested(SCALARS | nested(SCALARS)))


@dataclass(frozen=True)
class Document:
    """A TOML text in pieces.

    Args:
        pieces: every second one is a value.
        paths: where the values stand, in their order.
        tables: where the tables stand that have a header of their own, and the root.
    """

    pieces: list[str]
    paths: list[KeyPath]
    tables: list[KeyPath]

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(self.pieces)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Any layout of tables, lists of tables, dotted keys, comments and blank lines."""
    number = count()
    pieces, paths, tables = [""], list[KeyPath](), list[KeyPath]([()])

    def key() -> tuple[str, str]:
        written = draw(NAMES).format(next(number))
        return written, next(iter(tomllib.loads(f"{written} = 0")))

    def section(path: KeyPath) -> None:
        for _ in range(draw(st.integers(0, 3))):
            pieces[-1] += "".join(f"{line}\n" for line in draw(st.lists(TRIVIA, max_size=2)))
            keys = [key() for _ in range(draw(st.sampled_from([1, 1, 1, 2])))]
            pieces[-1] += draw(st.sampled_from(["", "", "  "])) + draw(st.sampled_from([".", " . "])).join(
                written for written, _ in keys
            )
            pieces[-1] += draw(st.sampled_from([" = ", "=", "\t=  "]))
            pieces.append(draw(VALUES))
            pieces.append(f"{draw(TAILS)}\n")
            paths.append((*path, *(plain for _, plain in keys)))

    section(())
    headers: list[tuple[KeyPath, str]] = [((), "")]
    for _ in range(draw(st.integers(0, 4))):
        (above, written_above), *_ = draw(st.permutations(headers))
        keys = [key() for _ in range(draw(st.sampled_from([1, 1, 2])))]
        written = ".".join(filter(None, [written_above, *(written for written, _ in keys)]))
        path: KeyPath = (*above, *(plain for _, plain in keys))
        members = draw(st.sampled_from([None, None, 1, 2]))
        for position in range(members or 1):
            pieces[-1] += "".join(f"{line}\n" for line in draw(st.lists(TRIVIA, max_size=3)))
            pieces[-1] += (f"[[{written}]]" if members else f"[{written}]") + draw(TAILS) + "\n"
            section((*path, position) if members else path)
        if not members:
            headers.append((path, written))
            tables.append(path)
    pieces[-1] += draw(st.sampled_from(["", "# the end", "\n\n"]))
    newline = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    return Document([piece.replace("\n", newline) for piece in pieces], paths, tables)


def at(data: Any, path: KeyPath) -> Any:
    return reduce(lambda value, key: value[key], path, data)


def in_common(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def undescribed(path: KeyPath) -> str:
    return ""


@settings(max_examples=150)
@given(documents())
def test_a_text_that_says_what_is_wanted_stays_as_it_is(document: Document) -> None:
    assert edited(document.text, tomllib.loads(document.text), undescribed) == document.text


@settings(max_examples=150)
@given(documents().filter(lambda document: document.paths), st.data())
def test_a_changed_value_leaves_every_other_byte_as_it_is(document: Document, data: st.DataObject) -> None:
    which = data.draw(st.sampled_from(range(len(document.paths))))
    path, place = document.paths[which], 2 * which + 1
    wanted = tomllib.loads(document.text)
    present = at(wanted, path)
    value = data.draw(NEW_VALUES.filter(lambda value: not (isinstance(value, dict) and isinstance(present, dict))))
    at(wanted, path[:-1])[path[-1]] = value
    result = edited(document.text, wanted, undescribed)
    before, after = "".join(document.pieces[:place]), "".join(document.pieces[place + 1 :])
    assert result.startswith(before)
    assert result.removeprefix(before).endswith(after)
    assert same(tomllib.loads(result), wanted)


@settings(max_examples=50)
@given(documents(), NEW_VALUES, st.data())
def test_loading_a_file_and_writing_one_key_leave_every_other_byte_as_it_is(
    document: Document, value: Any, data: st.DataObject
) -> None:
    places = [place for place, path in enumerate(document.paths) if not any(isinstance(key, int) for key in path)]
    assume(places)
    which = data.draw(st.sampled_from(places))
    change = reduce(lambda inner, key: {key: inner}, reversed(document.paths[which]), value)
    with TemporaryDirectory() as folder:
        config = configuration(Path(folder), MaiBotPlugin(), document.text)
        config.load()
        assert written_in(Path(folder)) == document.text
        config.write(change)
        result = written_in(Path(folder))
    place = 2 * which + 1
    assert result.startswith("".join(document.pieces[:place]))
    assert result.endswith("".join(document.pieces[place + 1 :]))


@settings(max_examples=150)
@given(documents(), NEW_VALUES, st.data())
def test_a_new_key_is_put_in_and_leaves_every_byte_as_it_is(
    document: Document, value: Any, data: st.DataObject
) -> None:
    path = data.draw(st.sampled_from(document.tables))
    wanted = tomllib.loads(document.text)
    at(wanted, path)["a new key"] = value
    result = edited(document.text, wanted, undescribed)
    assert same(tomllib.loads(result), wanted)
    text = document.text
    kept = in_common(text, result) + in_common(text[::-1], result[::-1])
    assert kept >= len(text) or (not text.endswith("\n") and result.startswith(text))


@settings(max_examples=150)
@given(documents(), st.data())
def test_any_changes_at_once_are_all_made(document: Document, data: st.DataObject) -> None:
    wanted = tomllib.loads(document.text)
    for path in document.tables:
        for number in range(data.draw(st.integers(0, 2))):
            at(wanted, path)[f"new {number}"] = data.draw(NEW_VALUES)
    for path in document.paths:
        *above, key = path
        match data.draw(st.sampled_from(["keep", "keep", "remove", "replace"])):
            case "remove":
                del at(wanted, tuple(above))[key]
            case "replace":
                at(wanted, tuple(above))[key] = data.draw(NEW_VALUES)
    assert same(tomllib.loads(edited(document.text, wanted, undescribed)), wanted)


def test_a_new_key_comes_behind_the_last_of_its_table_and_before_the_comment_of_the_next() -> None:
    text = "# top\na = 1 # a\n\n# about t\n[t]\nb = 2\n\n# about t.u\n[t.u]\n\n# about v\n[v]\n"
    wanted = tomllib.loads(text)
    wanted["new"] = wanted["t"]["new"] = wanted["t"]["u"]["new"] = 1
    assert edited(text, wanted, lambda path: f"the {path[-1]} one") == (
        "# top\na = 1 # a\n# the new one\nnew = 1\n\n# about t\n[t]\nb = 2\n# the new one\nnew = 1\n"
        "\n# about t.u\n[t.u]\n# the new one\nnew = 1\n\n# about v\n[v]\n"
    )


def test_a_text_that_does_not_end_its_last_line_is_continued_on_a_new_one() -> None:
    assert edited("[a]\nx = 1", {"a": {"x": 1, "y": 2, "z": 3}}, undescribed) == "[a]\nx = 1\ny = 2\nz = 3"
    assert edited("[a]\nx = 1", {"a": {"x": 1}, "b": {}}, undescribed) == "[a]\nx = 1\n\n[b]\n"


def test_a_first_key_at_the_top_stands_apart_below_the_title() -> None:
    text = "# My settings.\n\n# about t\n[t]\n"
    assert edited(text, {"t": {}, "a": 1, "b": 2}, undescribed) == (
        "# My settings.\n\na = 1\nb = 2\n\n# about t\n[t]\n"
    )


def test_a_list_of_tables_grows_and_shrinks_at_its_end() -> None:
    text = "[[a]]\nx = 1 # one\n[a.b]\ny = 1\n\n# about c\n[c]\n"
    grown = "[[a]]\nx = 1 # one\n[a.b]\ny = 1\n\n[[a]]\nx = 2\n\n# about c\n[c]\n"
    wanted: dict[str, Any] = {"a": [{"x": 1, "b": {"y": 1}}, {"x": 2}], "c": {}}
    assert edited(text, wanted, lambda path: "new" if path == ("a",) else "") == grown
    assert edited(grown, {"a": wanted["a"][:1], "c": {}}, undescribed) == text.replace("1\n\n#", "1\n\n\n#")
    assert tomllib.loads(edited(grown, {"a": [], "c": {}}, undescribed)) == {"a": [], "c": {}}


def test_a_layout_that_has_no_place_for_a_key_is_refused() -> None:
    with pytest.raises(TomlLayoutError, match=r"a\.0\.b"):
        edited("[[a]]\n[a.b.c]\n", {"a": [{"b": {"c": {}, "new": 1}}]}, undescribed)


def test_a_member_that_joins_a_list_leaves_the_others_as_they_are_laid_out() -> None:
    text = "a = [\n    1,  # one\n    2,\n]\n"
    assert edited(text, {"a": [1, 2, 3]}, undescribed) == "a = [\n    1,  # one\n    2,\n    3,\n]\n"


def test_a_value_in_braces_is_changed_in_place() -> None:
    assert (
        edited("a = {b=1,  c = [ 1 ]} # x\n", {"a": {"b": 2, "c": [1]}}, undescribed) == "a = {b=2,  c = [ 1 ]} # x\n"
    )


def test_a_long_new_list_is_written_a_member_a_line() -> None:
    text = edited("", {"a": ["x" * 60, "y" * 60]}, undescribed)
    assert text == f'a = [\n    "{"x" * 60}",\n    "{"y" * 60}",\n]\n'


def test_a_description_cannot_be_anything_but_a_comment() -> None:
    text = edited("", {"a": 1}, lambda path: "one\n[two]\r\n\x00three\u2028b = 2\x0b\x1b[0m\n\n  four")
    assert text == "# one\n# [two]\n# three\n# b = 2\n# [0m\n#   four\na = 1\n"


def test_a_list_of_tables_is_changed_in_place() -> None:
    text = "[[a]]\nx = 1 # one\n\n# two\n[[a]]\nx = 2\n"
    assert edited(text, {"a": [{"x": 1}, {"x": 3, "y": {"z": 1}}]}, undescribed) == (
        "[[a]]\nx = 1 # one\n\n# two\n[[a]]\nx = 3\ny = {z = 1}\n"
    )


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("x.y = 1\nz = 2\n", {"x": {"y": 1, "q": {"r": 1}}, "z": 2}),
        ("[a.b]\nx = 1\n", {"a": {"b": {"x": 1}, "c": {"d": [{"e": 1}]}}}),
        ("a = {x = 1}\n", {"a": {"x": 1, "c": {"d": [{"e": 1}]}}}),
        ("[a]\nx = 1\n[z]\n[a.b]\ny = 1\n", {"a": {"x": 1, "b": {"y": 1, "q": 2}, "c": {"d": 1}}, "z": {}}),
        ("a = { d.z = [] }\n", {"a": {"d": {}, "new": [{"z": 1}]}}),
        ("[[a]]\n[a.b]\nx = 1\n[[a]]\n[a.b]\nx = 2\n", {"a": [{"b": {"x": 1}}, {"b": {"x": 3}}]}),
        ("[a]\nx = 1", {}),
        ("[a.b]\nx = 1\n[c]\n", {"a": {}, "c": {}}),
        ("a = 1", {"a": 1, "b": {"c": {"d": "e"}}}),
        ("a = 1 # one\n", {"a": {"b": 2}}),
        ("[a]\nb = 2\n", {"a": 1}),
    ],
)
def test_what_is_wanted_is_what_the_text_then_says(text: str, wanted: Mapping[str, Any]) -> None:
    assert same(tomllib.loads(edited(text, wanted, undescribed)), wanted)
