"""Which language a caller is answered in."""

from __future__ import annotations

import pytest

from webui_api.language import preferred_locale


@pytest.mark.parametrize(
    ("header", "locale"),
    [
        ("", "en"),
        ("zh", "zh"),
        ("ZH-hant-TW", "zh"),
        ("en-US,en;q=0.9,zh;q=0.8", "en"),
        ("zh;q=0.8, en;q=0.9", "en"),
        ("fr, zh;q=0.2", "zh"),
        ("zh;q=0", "en"),
        ("*", "en"),
        ("zh;q=high", "en"),
        ("zhu", "en"),
        (";;,,=;q", "en"),
    ],
)
def test_the_higher_weight_decides_and_english_is_the_default(header: str, locale: str) -> None:
    assert preferred_locale(header) == locale
