"""What somebody asks to change in a configuration, put into what its file says."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from host.runtime.config.problems import ConfigProblem, shown
from host.runtime.config.toml_values import KeyPath, NotTomlError, toml_value


class ChangeRefusedError(Exception):
    """A change cannot be put into the file.

    Args:
        problem: why.
    """

    def __init__(self, problem: ConfigProblem) -> None:
        self.problem = problem
        super().__init__(problem.text())


def with_changes(
    stored: Mapping[str, Any], changes: Mapping[str, Any], is_section: Callable[[KeyPath], bool]
) -> dict[str, Any]:
    """What the file shall say. Tables that are sections are merged, all other values replaced; None takes a key out.

    Args:
        stored: what the file says; left as it is.
        changes: by key, or by dotted key where `stored` has no key of that very name.
        is_section: whether the keys of a table are declared, not free.

    Raises:
        ChangeRefusedError: a change goes into what is no table, or TOML cannot hold it.
    """
    wanted = dict(stored)
    for key, value in changes.items():
        path = [key] if key in wanted else key.split(".")
        wanted = _changed(wanted, (), path, value, is_section)
    return wanted


def _changed(
    table: Mapping[str, Any], above: KeyPath, path: Sequence[str], value: Any, is_section: Callable[[KeyPath], bool]
) -> dict[str, Any]:
    """`table`, which stands below `above`, with another value at `path` in it."""
    key, *below = path
    here, present = (*above, key), table.get(key)
    if below:
        inner = {} if present is None else present
        if not isinstance(inner, dict):
            fields = {"key": below[0]}
            raise ChangeRefusedError(
                ConfigProblem(code="config_table_in_the_way", path=here, found=shown(inner), fields=fields)
            )
        return {**table, key: _changed(inner, here, below, value, is_section)}
    if value is None:
        return {each: member for each, member in table.items() if each != key}
    if isinstance(value, Mapping) and isinstance(present, dict) and is_section(here):
        for inner_key, inner_value in value.items():
            present = _changed(present, here, [inner_key], inner_value, is_section)
        return {**table, key: present}
    try:
        storable = toml_value(value, here)
    except NotTomlError as error:
        raise ChangeRefusedError(
            ConfigProblem(code="config_not_storable", path=error.path, found=error.found)
        ) from None
    return {**table, key: present if _is_same_number(present, storable) else storable}


def _is_same_number(present: object, wanted: object) -> bool:
    """Whether only the spelling differs: JSON, which changes come in, knows no difference between 3 and 3.0."""
    return {type(present), type(wanted)} == {int, float} and present == wanted
