"""The table of capabilities is made of the code, and tells all of them."""

from pathlib import Path

import pytest

from host.authoring.capability_pages import FILE, page, write_pages
from host.capabilities.catalogue import CAPABILITIES
from host.runtime.manifests.capability_names import CAPABILITY_NAMES
from tests.docs.guide import GUIDE, LOCALES


@pytest.mark.parametrize("locale", LOCALES)
def test_the_table_is_up_to_date(locale: str) -> None:
    kept = (GUIDE / locale / FILE).read_text(encoding="utf-8")
    assert kept == page(locale), "run python -m host.authoring.capability_pages"


def test_the_generator_writes_both_languages(tmp_path: Path) -> None:
    for locale in LOCALES:
        (tmp_path / locale).mkdir()
    write_pages(tmp_path)
    assert [(tmp_path / locale / FILE).read_text(encoding="utf-8") for locale in LOCALES] == [
        page(locale) for locale in LOCALES
    ]


@pytest.mark.parametrize("locale", LOCALES)
def test_every_capability_has_a_row_that_says_whether_it_can_be_done(locale: str) -> None:
    rows = [line.strip("| ").split(" | ") for line in page(locale).splitlines() if line.startswith("| `")]
    available = {row[0].strip("`"): row[-1] == "✓" for row in rows if row[0].strip("`") in CAPABILITY_NAMES}
    assert available == {name: name in {each.name for each in CAPABILITIES} for name in CAPABILITY_NAMES}
