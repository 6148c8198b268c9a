"""Changing a TOML text here and there: what does not change keeps every byte, with its comments and its layout.

A text is changed by cutting out and putting in; all that is not cut out is the same by nature. tomlkit writes what is
put in, and changes values in brackets and braces. It is not given the text as a whole: reading and writing it again
loses a blank here and there, and new keys would come behind the comment of the table that follows.
"""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from inspect import cleandoc
from typing import Any

import tomlkit
from tomlkit.items import Item, SingleKey

from host.runtime.config.toml_layout import TomlLayoutError, sections_of
from host.runtime.config.toml_values import KeyPath, same

_LONG = 100
"""A list of more characters is written a member a line."""

Describe = Callable[[KeyPath], str]
"""The description of a key, of any number of lines; empty when there is none."""


def edited(text: str, wanted: Mapping[str, Any], describe: Describe) -> str:
    """Change a TOML text so that it says `wanted`.

    Values that differ are replaced where they stand, keys that are not wanted go with their lines. A new key comes
    behind the last one of its table, a new table at the end of the text, each below its description as a comment.

    Args:
        text: valid TOML; empty for a new file.
        wanted: everything that the text shall say, as `toml_value` makes it.
        describe: where the comments of new keys come from.

    Raises:
        TomlLayoutError: that cannot be done with this text.
    """
    stored = tomllib.loads(text)
    if same(stored, wanted):
        return text
    result = _Edit(text, describe).made(stored, wanted)
    if not _says(result, wanted):
        raise TomlLayoutError("the result would say something else")
    return result


class _Edit:
    """The changes of one text: what is put in for what, and the tables that come at the end."""

    def __init__(self, text: str, describe: Describe) -> None:
        self._text = text
        self._newline = "\r\n" if "\r\n" in text else "\n"
        self._describe = describe
        self._sections = {section.path: section for section in sections_of(text)}
        self._pairs = {pair.path: pair for section in self._sections.values() for pair in section.pairs}
        self._cuts: list[tuple[int, int, str]] = []
        self._new_tables: dict[KeyPath, Any] = {}

    def made(self, stored: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
        self._table((), stored, wanted)
        root = self._sections[()]
        if (
            not root.pairs
            and any(start == end == root.end for start, end, _ in self._cuts)
            and len(self._text) > root.end
        ):
            self._cuts.append((root.end, root.end, self._newline))
        pieces, place = [], 0
        for start, end, new in sorted(self._cuts, key=lambda cut: cut[:2]):
            pieces += [self._text[place:start], new]
            place = end
        text = "".join([*pieces, self._text[place:]])
        tables = "".join(
            line
            for path, table in self._new_tables.items()
            for line in self._table_lines(path, table, self._comment(path))
        )
        if not text or not tables:
            return text + tables.removeprefix(self._newline)
        return text + ("" if text.endswith("\n") else self._newline) + tables

    def _table(self, path: KeyPath, stored: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
        for key in stored.keys() - wanted.keys():
            self._remove((*path, key))
        for key, value in wanted.items():
            if key not in stored:
                self._add((*path, key), value)
            elif not same(stored[key], value):
                self._change((*path, key), stored[key], value)

    def _change(self, path: KeyPath, stored: Any, wanted: Any) -> None:
        if pair := self._pairs.get(path):
            value = _changed_value(self._text[pair.value : pair.value_end], stored, wanted)
            self._cuts.append((pair.value, pair.value_end, value))
        elif isinstance(stored, dict) and isinstance(wanted, dict) and wanted:
            self._table(path, stored, wanted)
        elif _are_tables(stored) and _are_tables(wanted):
            for position, (old, new) in enumerate(zip(stored, wanted, strict=False)):
                self._table((*path, position), old, new)
            for position in range(len(wanted), len(stored)):
                self._remove((*path, position))
            self._append(path, wanted[len(stored) :])
        else:
            self._remove(path)
            self._add(path, wanted)

    def _append(self, path: KeyPath, tables: list[Any]) -> None:
        """Put new members behind the last one of a list of tables."""
        place = max(section.end for section in self._sections.values() if section.path[: len(path)] == path)
        if lines := "".join(self._table_lines(path, tables, "")):
            self._put_in(place, lines)

    def _remove(self, path: KeyPath) -> None:
        for section in self._sections.values():
            if section.path[: len(path)] == path:
                self._cuts.append((section.start, section.header_end, ""))
        for pair in self._pairs.values():
            if pair.path[: len(path)] == path:
                self._cuts.append((pair.start, pair.end, ""))

    def _add(self, path: KeyPath, value: Any) -> None:
        above, in_list = path[:-1], any(isinstance(key, int) for key in path)
        dotted = [
            pair for pair in self._pairs.values() if pair.path[: len(above)] == above and len(pair.above) < len(above)
        ]
        if section := self._sections.get(above):
            if _is_tabular(value) and not in_list:
                self._new_tables[path] = value
            else:
                self._put_in(section.end, self._line(path, path[-1:], value))
        elif dotted:
            self._put_in(dotted[-1].end, self._line(path, path[len(dotted[-1].above) :], value))
        elif not in_list:
            # So far the table is there only for the sake of tables in it.
            self._new_tables.setdefault(above, {})[path[-1]] = value
        else:
            raise TomlLayoutError(f"no line can be added to the table {_dotted(above)}")

    def _put_in(self, place: int, line: str) -> None:
        if place == len(self._text) and self._text and not self._text.endswith("\n"):
            line = self._newline + line.removesuffix(self._newline)
        self._cuts.append((place, place, line))

    def _table_lines(self, path: KeyPath, value: Any, comment: str) -> Iterable[str]:
        """A new table with the tables in it, or a new list of tables, below a comment."""
        opening, closing = ("[[", "]]") if isinstance(value, list) else ("[", "]")
        header = _dotted(key for key in path if isinstance(key, str))
        for table in value if isinstance(value, list) else [value]:
            yield f"{self._newline}{comment}{opening}{header}{closing}{self._newline}"
            comment = ""
            for key, member in table.items():
                if not _is_tabular(member):
                    yield self._line((*path, key), (key,), member)
            for key, member in table.items():
                if _is_tabular(member):
                    yield from self._table_lines((*path, key), member, self._comment((*path, key)))

    def _line(self, path: KeyPath, keys: KeyPath, value: Any) -> str:
        return f"{self._comment(path)}{_dotted(keys)} = {_inline(value).as_string()}{self._newline}"

    def _comment(self, path: KeyPath) -> str:
        lines = cleandoc(self._describe(path)).splitlines()
        printable = ("".join(filter(str.isprintable, line)).rstrip() for line in lines)
        return "".join(f"# {line}{self._newline}" for line in printable if line)


def _dotted(keys: Iterable[str | int]) -> str:
    return ".".join(SingleKey(str(key)).as_string() for key in keys)


def _changed_value(text: str, stored: Any, wanted: Any) -> str:
    """The text of a value changed to `wanted`; inside brackets and braces, what is the same stays as it is laid out."""
    if isinstance(stored, dict | list) and type(stored) is type(wanted):
        document = tomlkit.parse(f"value = {text}")
        _change_inside(document, "value", stored, wanted)
        changed = document.as_string().removeprefix("value = ")
        if _says(f"value = {changed}", {"value": wanted}):
            return changed
    return _inline(wanted).as_string()


def _says(text: str, wanted: Mapping[str, Any]) -> bool:
    try:
        return same(tomllib.loads(text), wanted)
    except tomllib.TOMLDecodeError:
        return False


def _change_inside(container: Any, key: str | int, stored: Any, wanted: Any) -> None:
    if same(stored, wanted):
        return
    match stored, wanted:
        case dict(), dict():
            for member in stored.keys() - wanted.keys():
                del container[key][member]
            for member in wanted.keys() - stored.keys():
                container[key][member] = _inline(wanted[member])
            for member in wanted.keys() & stored.keys():
                _change_inside(container[key], member, stored[member], wanted[member])
        case list(), list():
            for position, (old, new) in enumerate(zip(stored, wanted, strict=False)):
                _change_inside(container[key], position, old, new)
            for new in wanted[len(stored) :]:
                container[key].append(_inline(new))
            del container[key][len(wanted) :]
        case _:
            container[key] = _inline(wanted)


def _inline(value: Any) -> Item:
    """A value as it stands behind a ``=``."""
    match value:
        case dict():
            table = tomlkit.inline_table()
            for key, member in value.items():
                table.add(key, _inline(member))
            return table
        case list():
            array = tomlkit.array()
            for member in value:
                array.append(_inline(member))
            return array.multiline(len(array.as_string()) > _LONG)
        case str() if "\n" in value and "\r" not in value:
            return tomlkit.string(value, multiline=True)
    return tomlkit.item(value)


def _is_tabular(value: Any) -> bool:
    return isinstance(value, dict) or _are_tables(value)


def _are_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(member, dict) for member in value)
