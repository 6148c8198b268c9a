"""Ten thousand files that went wrong: none brings the host down, and what is reported is what went wrong."""

import os
import random
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from host.runtime.config.problems import ConfigError
from tests.runtime.configured import FRESH, Wordy, configuration, file_in

LINES = FRESH.splitlines(keepends=True)
SYNTAX = [
    "[",
    "]",
    "{",
    "}",
    '"',
    "'",
    "=",
    ".",
    "#",
    "\n",
    "\r",
    "\\",
    '"""',
    "\x00",
    "\ufeff",
    "\u2028",
    "1e",
    "[[",
    "-",
]

WRONG = {
    "debug": ["'perhaps'", "3", "[]", "{}", "2026-01-01", "2.5"],
    "plugin": ["3", "'x'", "[]"],
    "plugin.enabled": ["'perhaps'", "3", "[]", "{a = 1}"],
    "words": ["3", "'x'", "[]", "true"],
    "words.mode": ["'maybe'", "3", "''", "[]", "{}", "07:00:00", "true"],
    "words.limit": ["0", "61", "'many'", "2.5", "nan", "[]", "{}", "99999999999999999999", "2026-01-01T00:00:00Z"],
    "words.names": ["'Anna'", "3", "true", "2026-01-01"],
    "words.names[1]": ["3", "[]", "{}", "true", "2026-01-01"],
    "words.aliases": ["'Anna'", "3", "[]"],
    "words.aliases.a": ["3", "[]", "{}", "true"],
    "words.rules": ["3", "'x'", "true"],
    "words.rules[0]": ["3", "'x'", "true", "[]"],
    "words.rules[0].word": ["3", "[]", "{}", "true"],
    "words.rules[0].weight": ["'heavy'", "[]", "{}", "07:00:00"],
    "words.token": ["3", "[]", "{}", "'far too long'"],
}
"""By key path, values of `Wordy`'s configuration that are wrong."""


def with_bytes_changed(random_: random.Random) -> bytes:
    content = bytearray(FRESH.encode())
    for _ in range(random_.randint(1, 4)):
        place = random_.randrange(len(content))
        match random_.randrange(4):
            case 0:
                content[place] = random_.randrange(256)
            case 1:
                del content[place : place + random_.randint(1, 30)]
            case 2:
                content[place:place] = random_.choice(SYNTAX).encode()
            case 3:
                content[place:place] = random_.randbytes(random_.randint(1, 3))
        content = content or bytearray(b"\n")
    return bytes(content)


def with_lines_changed(random_: random.Random) -> bytes:
    lines = list(LINES)
    for _ in range(random_.randint(1, 4)):
        place = random_.randrange(len(lines))
        match random_.randrange(4):
            case 0:
                lines[place : place + 1] = []
            case 1:
                lines.insert(random_.randrange(len(lines)), lines[place])
            case 2:
                lines[place] = lines[place][: random_.randint(0, len(lines[place]))]
            case 3:
                random_.shuffle(lines)
        lines = lines or ["\n"]
    return "".join(lines).encode()


def test_no_file_brings_the_host_down_and_none_that_is_no_toml_is_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)  # thousands of them are slow
    random_ = random.Random(20)
    config = configuration(tmp_path, Wordy())
    mutate: list[Callable[[random.Random], bytes]] = [with_bytes_changed, with_lines_changed]
    outcomes = {"loaded": 0, "no TOML": 0, "wrong": 0}
    for number in range(9_000):
        content = mutate[number % 2](random_)
        file_in(tmp_path).write_bytes(content)
        before, file = config.current, file_in(tmp_path).stat()
        try:
            config.load()
        except ConfigError as error:
            outcome, texts = "wrong" if is_toml(content) else "no TOML", [error.text(), error.text("zh")]
        else:
            outcome, texts = "loaded", []
        outcomes[outcome] += 1
        if outcome != "loaded":
            after = file_in(tmp_path).stat()
            assert config.current is before
            assert (after.st_ino, after.st_mtime_ns) == (file.st_ino, file.st_mtime_ns), "a refused file is as it was"
            assert all(texts)
        else:
            assert is_toml(content)
    assert min(outcomes.values()) > 100, "all of it was tried"


def is_toml(content: bytes) -> bool:
    try:
        tomllib.loads(content.decode("utf-8-sig"))
    except ValueError:
        return False
    return True


def test_the_key_that_is_wrong_is_the_one_that_is_reported(tmp_path: Path) -> None:
    random_ = random.Random(45)
    config = configuration(tmp_path, Wordy())
    for _ in range(1_000):
        wrong = random_.sample(sorted(WRONG), random_.randint(1, 3))
        wrong = [key for key in wrong if not any(key.startswith((f"{other}.", f"{other}[")) for other in wrong)]
        content = toml({key: random_.choice(WRONG[key]) for key in wrong}).encode()
        file_in(tmp_path).write_bytes(content)
        with pytest.raises(ConfigError) as caught:
            config.load()
        assert sorted(problem.key for problem in caught.value.problems) == sorted(wrong)
        assert file_in(tmp_path).read_bytes() == content


def toml(wrong: dict[str, str]) -> str:
    """`Wordy`'s configuration, all inline, with the values at some key paths replaced."""

    def value(path: str, right: str) -> str:
        return wrong.get(path, right)

    rule = ", ".join(
        [
            f"word = {value('words.rules[0].word', repr('spam'))}",
            f"weight = {value('words.rules[0].weight', '1.0')}",
        ]
    )
    rules = f"[{value('words.rules[0]', f'{{{rule}}}')}]"
    names = f"['Anna', {value('words.names[1]', repr('Ben'))}]"
    aliases = f"{{a = {value('words.aliases.a', repr('Anna'))}}}"
    words = ", ".join(
        [
            f"mode = {value('words.mode', repr('off'))}",
            f"limit = {value('words.limit', '3')}",
            f"names = {value('words.names', names)}",
            f"aliases = {value('words.aliases', aliases)}",
            f"rules = {value('words.rules', rules)}",
            f"token = {value('words.token', repr(''))}",
        ]
    )
    plugin = f"config_version = '1.2.0', enabled = {value('plugin.enabled', 'true')}"
    return "\n".join(
        [
            f"debug = {value('debug', 'false')}",
            f"plugin = {value('plugin', f'{{{plugin}}}')}",
            f"words = {value('words', f'{{{words}}}')}",
        ]
    )
