"""The language is what was asked for, else what the environment says."""

import pytest

from host.cli.locale import choose_locale


@pytest.mark.parametrize(
    ("wanted", "environment", "locale"),
    [
        ("en", {"LANG": "zh_CN.UTF-8"}, "en"),
        ("zh", {}, "zh"),
        ("auto", {}, "en"),
        ("auto", {"LANG": "zh_TW"}, "zh"),
        ("auto", {"LANG": "zh_CN.UTF-8", "LC_ALL": "en_US.UTF-8"}, "en"),
        ("auto", {"LANG": "en_US", "LANGUAGE": "zh_CN:en"}, "zh"),
        ("auto", {"LC_ALL": "", "LC_MESSAGES": "zh_CN"}, "zh"),
    ],
)
def test_choosing_a_language(wanted: str, environment: dict[str, str], locale: str) -> None:
    assert choose_locale(wanted, environment) == locale
