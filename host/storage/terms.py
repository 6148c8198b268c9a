"""The terms of a text, by which it is found: words where a script parts them, pairs of characters where none does."""

import re
import unicodedata

_UNPARTED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_RUN = re.compile(rf"([{_UNPARTED}]+)|[^\W_{_UNPARTED}]+")
LONGEST_WORD = 40
"""Characters of a word that count."""
MOST_WANTED = 32
"""Terms of a query that count."""


def terms_of(text: str) -> str:
    """The terms that a text is found by, with spaces between them.

    Of a run of characters without spaces, as in Chinese, they are each two that follow one another, and the last one:
    so a single character is found as the beginning of a term, wherever it stands.
    """
    found: dict[str, None] = {}
    for run in _RUN.finditer(_folded(text)):
        if run[1]:
            found.update(dict.fromkeys([*_pairs(run[1]), run[1][-1]]))
        else:
            found[run[0][:LONGEST_WORD]] = None
    return " ".join(found)


def wanted_terms(query: str) -> list[tuple[str, bool]]:
    """The terms that a query asks for, and whether each is only the beginning of one."""
    found: dict[str, bool] = {}
    for run in _RUN.finditer(_folded(query)):
        if run[1] and len(run[1]) > 1:
            found.update(dict.fromkeys(_pairs(run[1]), False))
        else:
            found[run[0][:LONGEST_WORD]] = True
    return list(found.items())[:MOST_WANTED]


def score(terms: str, wanted: list[tuple[str, bool]]) -> int:
    """How many of the wanted terms are there."""
    there = terms.split(" ")
    known = set(there)
    return sum(
        any(each.startswith(term) for each in there) if beginning else term in known for term, beginning in wanted
    )


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _pairs(run: str) -> list[str]:
    return [run[index : index + 2] for index in range(len(run) - 1)]
