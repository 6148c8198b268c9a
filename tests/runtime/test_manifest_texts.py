"""What is said about manifests and what plugins need is said in English and in Chinese."""

import pytest

from host.hooks.texts import TextTable
from host.runtime.dependencies.texts import DEPENDENCY_TEXTS
from host.runtime.manifests.texts import MANIFEST_TEXTS

TEXTS = [(table, code) for table in (MANIFEST_TEXTS, DEPENDENCY_TEXTS) for code in sorted(table.codes())]


class Names(dict[str, object]):
    """Has every field, and notes which are asked for."""

    def __init__(self) -> None:
        self.asked: set[str] = set()

    def __missing__(self, name: str) -> object:
        self.asked.add(name)
        return 0


@pytest.mark.parametrize(("table", "code"), TEXTS)
def test_both_languages_of_a_text_name_the_same_facts(table: TextTable, code: str) -> None:
    english, chinese = Names(), Names()
    in_english, in_chinese = table.render(code, english, "en"), table.render(code, chinese, "zh")
    assert english.asked == chinese.asked
    assert not any("\u4e00" <= letter <= "\u9fff" for letter in in_english)
    assert in_english != in_chinese or not any(letter.isalpha() for letter in in_english)
