"""The chapter about Bub: its table is the order that a real turn has."""

from collections.abc import Iterator

import pytest

from host.bub import HOOKS
from host.catalogue import BUILTIN_HOOKS
from tests.bub.order import ORDER
from tests.docs.guide import LOCALES, chapter

_FAMILIES = ("Bub", "MaiBot")
_DISPATCH = {spec.name: spec.dispatch for spec in BUILTIN_HOOKS} | {name: hook.dispatch for name, hook in HOOKS.items()}


def rows() -> Iterator[list[str]]:
    """The rows of the table: place, hook, family, dispatch mode."""
    bub, maibot = _FAMILIES
    for place, hook in enumerate(ORDER, 1):
        yield [str(place), f"`{hook}`", bub if hook in HOOKS else maibot, _DISPATCH[hook]]


@pytest.mark.parametrize("locale", LOCALES)
def test_the_table_is_the_order_of_a_real_turn(locale: str) -> None:
    wanted = list(rows())
    shown = [row for row in chapter(locale, "bub").rows if row[0].isdigit()]
    assert shown == wanted, "\n".join("| " + " | ".join(row) + " |" for row in wanted)


@pytest.mark.parametrize("locale", LOCALES)
def test_every_hook_stands_in_the_chapter(locale: str) -> None:
    text = chapter(locale, "bub").text
    assert [name for name in HOOKS if f"`{name}`" not in text] == []
