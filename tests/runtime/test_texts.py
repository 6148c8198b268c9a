"""Everything that this room says to people can be said in English and in Chinese."""

from pathlib import Path

import pytest

from host.runtime import (
    AsyncCreatePluginError,
    ComponentsError,
    DuplicatePluginError,
    ManifestError,
    ManifestProblem,
    NoCreatePluginError,
    NoEntryError,
    NoInstanceError,
    NoManifestError,
    PluginError,
    Step,
    StepFailedError,
    StepTimeoutError,
    UnknownPluginError,
)
from host.runtime.texts import RUNTIME_TEXTS

HERE = Path("plugins/one")
ERRORS = [
    NoManifestError(HERE),
    NoEntryError("a.b", HERE),
    DuplicatePluginError("a.b", [HERE, Path("plugins/two")]),
    UnknownPluginError("a.b", []),
    ManifestError(HERE, [ManifestProblem("key_missing", "$.id", allowed="allowed_id")]),
    NoCreatePluginError("a.b", HERE),
    AsyncCreatePluginError("a.b", HERE),
    NoInstanceError("a.b", HERE),
    ComponentsError("a.b", {}),
    *(StepFailedError("a.b", step, HERE, ValueError("oh {no}")) for step in Step),
    *(StepTimeoutError("a.b", step, 1.5) for step in (Step.ON_LOAD, Step.ON_UNLOAD)),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.code)
def test_an_error_is_english_as_a_string_and_has_a_chinese_text(error: PluginError) -> None:
    assert str(error) == error.text("en") == error.text()
    assert any("\u4e00" <= letter <= "\u9fff" for letter in error.text("zh"))
    assert not any("\u4e00" <= letter <= "\u9fff" for letter in error.text("en"))


@pytest.mark.parametrize("code", sorted(RUNTIME_TEXTS.codes()))
def test_both_languages_of_a_text_name_the_same_facts(code: str) -> None:
    class Names(dict[str, object]):
        def __missing__(self, name: str) -> object:
            asked.add(name)
            return 0.0

    named = []
    for locale in ("en", "zh"):
        asked: set[str] = set()
        RUNTIME_TEXTS.render(code, Names(), locale)
        named.append(asked)
    assert named[0] == named[1]
