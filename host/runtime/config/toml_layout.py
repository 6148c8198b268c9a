"""Where the tables and the values of a TOML text stand in it. Nothing is kept of the text but places."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from host.runtime.config.toml_values import KeyPath

_KEY = r"""(?: [A-Za-z0-9_-]+ | "(?:[^"\\\n]|\\.)*" | '[^'\n]*' )"""
_KEYS = rf"(?: {_KEY} (?: [ \t]*\.[ \t]* {_KEY} )* )"
_STRING = r"""(?: \"{3}(?:[^\\]|\\.)*?\"{3,5} | '{3}.*?'{3,5} | "(?:[^"\\\n]|\\.)*" | '[^'\n]*' )"""

_TITLE = re.compile(r"(?: [ \t]*\#[^\n]*\n )+ (?: [ \t]*\r?\n )+", re.VERBOSE)
_BETWEEN = re.compile(r"(?: \s | \#[^\n]* )*", re.VERBOSE)
_HEADER = re.compile(rf"(?P<brackets> \[{{1,2}} ) [ \t]* (?P<keys> {_KEYS} ) [ \t]* \]{{1,2}}", re.VERBOSE)
_PAIR = re.compile(rf"(?P<keys> {_KEYS} ) [ \t]*=[ \t]*", re.VERBOSE)
_SCALAR = re.compile(rf"{_STRING} | [^\#\n]*[^\#\s]", re.VERBOSE | re.DOTALL)
_IN_BRACKETS = re.compile(rf"{_STRING} | \#[^\n]* | [\[\]{{}}]", re.VERBOSE | re.DOTALL)
_REST_OF_LINE = re.compile(r"[^\n]*\n?")


class TomlLayoutError(Exception):
    """A text is laid out in a way that cannot be changed in one place alone."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One ``key = value``.

    Args:
        path: where the value stands in the document.
        above: the table of the header, if any, that the pair stands below; the rest of the path is its dotted key.
        start: where its first line begins.
        value: where the value begins.
        value_end: behind the value.
        end: behind its last line.
    """

    path: KeyPath
    above: KeyPath
    start: int
    value: int
    value_end: int
    end: int


@dataclass(frozen=True, slots=True)
class Section:
    """A header and the pairs below it; the first of a document has none.

    Args:
        path: of its table; with the position of the member, for a header in double brackets.
        start: where the line of the header begins.
        header_end: behind that line; without a header, behind the comment over everything.
        pairs: in their order.
    """

    path: KeyPath
    start: int
    header_end: int
    pairs: list[Pair] = field(default_factory=list)

    @property
    def end(self) -> int:
        """Behind the last line that says something."""
        return self.pairs[-1].end if self.pairs else self.header_end


def sections_of(text: str) -> list[Section]:
    """The layout of a text.

    Args:
        text: valid TOML.

    Raises:
        TomlLayoutError: it is valid by rules newer than those of TOML 1.0.
    """
    title = _TITLE.match(text)
    sections = [Section((), 0, title.end() if title else 0)]
    lengths: dict[KeyPath, int] = {}
    place = _found(_BETWEEN, text, 0).end()
    while place < len(text):
        start = text.rfind("\n", 0, place) + 1
        if text[place] == "[":
            header = _found(_HEADER, text, place)
            path = _header_path(_plain(header["keys"]), header["brackets"] == "[[", lengths)
            end = _found(_REST_OF_LINE, text, header.end()).end()
            sections.append(Section(path, start, end))
        else:
            keys = _found(_PAIR, text, place)
            value_end = _end_of_value(text, keys.end())
            end = _found(_REST_OF_LINE, text, value_end).end()
            above = sections[-1].path
            path = (*above, *_plain(keys["keys"]))
            sections[-1].pairs.append(Pair(path, above, start, keys.end(), value_end, end))
        place = _found(_BETWEEN, text, end).end()
    return sections


def _found(pattern: re.Pattern[str], text: str, place: int) -> re.Match[str]:
    found = pattern.match(text, place)
    if found is None:
        raise TomlLayoutError(f"not TOML 1.0: {text[place : place + 40]!r}")
    return found


def _plain(written: str) -> Iterator[str]:
    """The keys of a dotted key, as they are meant."""
    table = tomllib.loads(f"{written} = 0")
    while isinstance(table, dict):
        ((key, table),) = table.items()
        yield key


def _header_path(keys: Iterable[str], is_member: bool, lengths: dict[KeyPath, int]) -> KeyPath:
    """Where the table of a header stands: in lists of tables, in their last member so far.

    Args:
        keys: of the header.
        is_member: whether the header begins a member of a list.
        lengths: of each list, how many members there are; counted up.
    """
    path: KeyPath = ()
    *above, last = keys
    for key in above:
        path = (*path, key)
        if path in lengths:
            path = (*path, lengths[path] - 1)
    path = (*path, last)
    if is_member:
        lengths[path] = lengths.get(path, 0) + 1
        path = (*path, lengths[path] - 1)
    return path


def _end_of_value(text: str, place: int) -> int:
    if text[place] not in "[{":
        return _found(_SCALAR, text, place).end()
    depth = 0
    for token in _IN_BRACKETS.finditer(text, place):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        if depth == 0:
            return token.end()
    raise TomlLayoutError("not TOML 1.0: a bracket is not closed")
