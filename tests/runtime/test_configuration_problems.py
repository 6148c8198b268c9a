"""A broken configuration is refused with the place, and neither the file nor what was configured before is touched."""

from pathlib import Path
from typing import Any, Self

import pytest
from pydantic import field_validator, model_validator

from host.runtime.config.problems import Allowed, ConfigError, ConfigProblem
from host.runtime.config.texts import CONFIG_TEXTS
from maibot_sdk import Field, MaiBotPlugin, PluginConfigBase
from tests.runtime.configured import (
    FRESH,
    PluginSection,
    Wordy,
    backups_in,
    configuration,
    file_in,
    problems_of,
    written_in,
)


class Point(PluginConfigBase):
    x: int
    either: int | bool | list[int] = 0


class Strict(PluginConfigBase):
    plugin: PluginSection = PluginSection()
    points: list[Point] = Field(default=[])
    named: dict[str, Point] = Field(default={})
    place: Point | str = ""
    even: int = 2
    low: int = 1
    high: int = 5

    @field_validator("even")
    @classmethod
    def is_even(cls, value: int) -> int:
        if value % 2:
            raise ValueError("an even number")
        return value

    @model_validator(mode="after")
    def in_order(self) -> Self:
        if self.low > self.high:
            raise ValueError("low at most\nhigh")
        return self


class Demanding(MaiBotPlugin):
    config_model = Strict


@pytest.mark.parametrize(
    ("content", "line", "column", "found"),
    [
        (b"a = 1\nb = \n", 2, 5, "Invalid value"),
        (b"a = 1\r\nb 1\r\n", 2, 3, "'='"),
        (b"a = 1\na = 2\n", 2, 6, ""),
        (b'a = 1\n"\xe5\x90\x8d" = [', 2, 8, ""),
        (b'\xef\xbb\xbfa = 1\nb = "\xff"\n', 2, 6, "0xff"),
        (b"a = 1\n\xff\xfe", 2, 1, "0xff"),
    ],
)
def test_what_is_no_toml_is_refused_with_line_and_column(
    tmp_path: Path, content: bytes, line: int, column: int, found: str
) -> None:
    file_in(tmp_path).write_bytes(content)
    (problem,) = problems_of(configuration(tmp_path, Wordy())).values()
    assert (problem.line, problem.column) == (line, column)
    assert found in problem.found
    assert f"line {line}, column {column}" in problem.text()
    assert f"第 {line} 行第 {column} 列" in problem.text("zh")
    assert file_in(tmp_path).read_bytes() == content


@pytest.mark.parametrize(
    ("text", "found"),
    [("a = " + "[" * 5_000, "nested"), ("a = " + "[" * 101 + "]" * 101, "nested"), ("a = " + "9" * 5_000, "digits")],
)
def test_toml_beyond_all_measure_is_refused(tmp_path: Path, text: str, found: str) -> None:
    (problem,) = problems_of(configuration(tmp_path, Wordy(), text)).values()
    assert found in problem.found


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    file_in(tmp_path).mkdir()
    (problem,) = problems_of(configuration(tmp_path, Wordy())).values()
    assert problem.code == "config_unreadable"


def test_every_wrong_value_is_said_with_its_path_what_was_found_and_what_is_allowed(tmp_path: Path) -> None:
    text = FRESH.replace("limit = 3", "limit = 61").replace('"off"', '"maybe"').replace("weight = 1.0", "weight = 'x'")
    problems = problems_of(configuration(tmp_path, Wordy(), text.replace("debug = false", "debug = 'perhaps'")))
    assert {key: problem.text() for key, problem in problems.items()} == {
        "debug": 'debug is "perhaps"; allowed is true or false.',
        "words.mode": "words.mode is \"maybe\"; allowed is 'off' or 'on'.",
        "words.limit": "words.limit is 61; allowed is a number of at most 60.",
        "words.rules[0].weight": 'words.rules[0].weight is "x"; allowed is a number.',
    }
    assert problems["words.limit"].text("zh") == "words.limit 为 61；只允许不大于 60 的数字。"


@pytest.mark.parametrize(
    ("text", "key", "said"),
    [
        ("even = 3\n", "even", "even is 3; allowed is what the plugin accepts: an even number."),
        ("[[points]]\nx = 1\n[[points]]\n", "points[1].x", "points[1].x is missing; it must be"),
        ("named = {'a key' = {x = 'y'}}\n", 'named."a key".x', 'named."a key".x is "y"; allowed is a whole number.'),
        (
            "points = [{x = 1, either = 'z'}]\n",
            "points[0].either",
            'points[0].either is "z"; allowed is a whole number or true or false or a list.',
        ),
        ("points = 7\n", "points", "points is 7; allowed is a list."),
        ("points = [7]\n", "points[0]", "points[0] is 7; allowed is a table."),
        ("plugin = 7\n", "plugin", "plugin is 7; allowed is a table."),
        ("even = 2026-01-31\n", "even", 'even is "2026-01-31"; allowed is a whole number.'),
        ("low = 9\n", "", "the values do not fit together; allowed is what the plugin accepts: low at most high."),
    ],
)
def test_a_problem_names_the_innermost_key(tmp_path: Path, text: str, key: str, said: str) -> None:
    problems = problems_of(configuration(tmp_path, Demanding(), text))
    assert list(problems) == [key]
    assert problems[key].text().startswith(said)


def test_a_key_inside_one_of_several_allowed_types_is_named_beside_the_whole(tmp_path: Path) -> None:
    problems = problems_of(configuration(tmp_path, Demanding(), "place = {x = 'y'}\n"))
    assert problems["place.x"].text() == 'place.x is "y"; allowed is a whole number.'
    assert problems["place"].text() == "place is {...}; allowed is text."


def test_a_switch_that_is_neither_on_nor_off_is_refused_without_a_model_too(tmp_path: Path) -> None:
    problems = problems_of(configuration(tmp_path, None, "[plugin]\nenabled = 'perhaps'\n"))
    assert problems["plugin.enabled"].text() == 'plugin.enabled is "perhaps"; allowed is true or false.'


@pytest.mark.parametrize("key", ["hidden", "api_key", "AccessToken"])
def test_what_the_form_hides_or_the_name_calls_secret_is_not_shown(tmp_path: Path, key: str) -> None:
    class Keys(PluginConfigBase):
        plugin: PluginSection = PluginSection()
        hidden: int = Field(default=0, json_schema_extra={"input_type": "password"})
        api_key: int = 0
        AccessToken: int = 0

    class Keyed(MaiBotPlugin):
        config_model = Keys

    problems = problems_of(configuration(tmp_path, Keyed(), f"{key} = 'sk-123'\n"))
    assert problems[key].text() == f"{key} is ***; allowed is a whole number."


def test_long_and_unprintable_values_are_shown_short_and_escaped(tmp_path: Path) -> None:
    text = FRESH.replace('"off"', '"' + "\\u001b\\u202e" * 500 + '"')
    found = problems_of(configuration(tmp_path, Wordy(), text))["words.mode"].found
    assert found.isprintable()
    assert len(found) <= 80


def test_a_model_without_a_version_is_the_authors_to_correct(tmp_path: Path) -> None:
    class Versionless(MaiBotPlugin):
        config_model = PluginConfigBase

    (problem,) = problems_of(configuration(tmp_path, Versionless(), "a = 1\n")).values()
    assert problem.code == "config_without_version"


def test_a_blank_version_in_a_change_is_refused_as_that(tmp_path: Path) -> None:
    config = configuration(tmp_path, Wordy(), FRESH)
    with pytest.raises(ConfigError, match=r"plugin.config_version is \" \""):
        config.write({"plugin.config_version": " "})


@pytest.mark.parametrize("broken", ["limit = [", "limit = 'many'"])
def test_a_broken_file_leaves_the_last_good_configuration_in_place(tmp_path: Path, broken: str) -> None:
    plugin = Wordy()
    config = configuration(tmp_path, plugin, FRESH.replace("limit = 3", "limit = 30"))
    good = config.load()
    file_in(tmp_path).write_text(FRESH.replace("limit = 3", broken))
    with pytest.raises(ConfigError):
        config.load()
    assert config.current is good
    assert plugin.config.words.limit == 30
    file_in(tmp_path).write_text(FRESH.replace("limit = 3", "limit = 31"))
    assert good.changed_by(config.load())
    assert plugin.config.words.limit == 31


def test_nothing_but_a_new_text_and_a_reset_goes_over_a_broken_file(tmp_path: Path) -> None:
    config = configuration(tmp_path, Wordy(), "a = [\n")
    for change in (
        config.load,
        lambda: config.write({"debug": True}),
        lambda: config.set_enabled(False),
        lambda: config.replace_text("a = [ 1"),
        lambda: config.replace_text('a = "\ud800"'),
    ):
        with pytest.raises(ConfigError):
            change()
        assert written_in(tmp_path) == "a = [\n"
    assert config.current is None
    assert backups_in(tmp_path) == []


def test_a_wrong_value_can_be_put_right_by_a_change(tmp_path: Path) -> None:
    config = configuration(tmp_path, Wordy(), FRESH.replace("limit = 3", "limit = 'many'"))
    config.write({"words.limit": 4})
    assert config.load().data["words"]["limit"] == 4


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"words.limit": 61}, "words.limit"),
        ({"words": {"limit": "many", "mode": "on"}}, "words.limit"),
        ({"words": 5}, "words"),
        ({"words.limit.deep": 5}, "words.limit"),
        ({"words.names": ["a", None]}, "words.names[1]"),
        ({"words": {"aliases": {"x": 2**63}}}, "words.aliases.x"),
        ({"other": "\ud800"}, "other"),
        ({"other": {"a": [{"b": object()}]}}, "other.a[0].b"),
    ],
)
def test_a_change_that_cannot_be_is_refused_and_nothing_written(
    tmp_path: Path, changes: dict[str, Any], key: str
) -> None:
    config = configuration(tmp_path, Wordy(), FRESH)
    with pytest.raises(ConfigError) as caught:
        config.write({"debug": True, **changes})
    assert [problem.key for problem in caught.value.problems] == [key]
    assert written_in(tmp_path) == FRESH
    assert backups_in(tmp_path) == []


def test_the_report_has_a_heading_and_a_line_for_each_problem_in_both_languages(tmp_path: Path) -> None:
    problems = (ConfigProblem(code="config_changed_meanwhile"), ConfigProblem(code="config_refused"))
    error = ConfigError("a.b", tmp_path, problems)
    for locale in ("en", "zh"):
        heading, *lines = error.text(locale).splitlines()
        assert str(tmp_path) in heading
        assert [line.removeprefix("  - ") for line in lines] == [problem.text(locale) for problem in problems]
    assert str(error) == error.text("en")


@pytest.mark.parametrize("code", sorted(CONFIG_TEXTS.codes()))
def test_both_languages_of_a_text_name_the_same_facts(code: str) -> None:
    class Names(dict[str, object]):
        def __missing__(self, name: str) -> object:
            asked.add(name)
            return 0

    named = []
    for locale in ("en", "zh"):
        asked: set[str] = set()
        CONFIG_TEXTS.render(code, Names(), locale)
        named.append(asked)
    assert named[0] == named[1]


def test_several_things_that_are_allowed_are_said_together() -> None:
    allowed = (Allowed(code="allowed_integer"), Allowed(code="allowed_text"), Allowed(code="allowed_list"))
    problem = ConfigProblem(code="config_key_wrong", path=("a",), found="true", allowed=allowed)
    assert problem.text() == "a is true; allowed is a whole number or text or a list."
    assert problem.text("zh") == "a 为 true；只允许整数或文本或列表。"
