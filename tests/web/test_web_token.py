"""The file that the access token is kept in."""

from __future__ import annotations

import json
import os
import re
import stat
from pathlib import Path

import pytest
from loguru import logger

from webui_api import AccessToken, TokenFileError

posix_only = pytest.mark.skipif(os.name != "posix", reason="file modes are a matter of POSIX")


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_first_start_makes_a_random_token_in_the_shape_that_front_ends_know(tmp_path: Path) -> None:
    token = AccessToken.load_or_create(tmp_path / "data" / "webui.json")
    other = AccessToken.load_or_create(tmp_path / "other.json")
    record = json.loads(token.path.read_text(encoding="utf-8"))
    assert token.is_new
    assert re.fullmatch("[0-9a-f]{64}", token.secret)
    assert token.secret != other.secret
    assert record["access_token"] == token.secret
    assert record["token_source"] == "temporary"
    assert record["first_setup_completed"] is False
    assert set(record) == {"access_token", "created_at", "updated_at", "first_setup_completed", "token_source"}


@posix_only
def test_the_file_is_never_readable_by_others_not_even_with_a_loose_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        token = AccessToken.load_or_create(tmp_path / "webui.json")
    finally:
        os.umask(before)
    assert mode_of(token.path) == 0o600


def test_nothing_but_the_token_file_is_left_behind(tmp_path: Path) -> None:
    AccessToken.load_or_create(tmp_path / "webui.json")
    assert [path.name for path in tmp_path.iterdir()] == ["webui.json"]


def test_later_starts_keep_the_token_and_the_file(tmp_path: Path) -> None:
    path = tmp_path / "webui.json"
    first = AccessToken.load_or_create(path)
    before = path.read_bytes()
    second = AccessToken.load_or_create(path)
    assert (second.secret, second.is_new) == (first.secret, False)
    assert path.read_bytes() == before


def test_a_token_that_the_owner_chose_is_taken_with_keys_that_are_not_ours(tmp_path: Path) -> None:
    path = tmp_path / "webui.json"
    path.write_text('{"access_token": "Correct-Horse", "token_source": "configured", "theme": 1}', encoding="utf-8-sig")
    assert AccessToken.load_or_create(path).secret == "Correct-Horse"


@posix_only
def test_a_file_that_others_could_read_is_closed_and_its_owner_warned(tmp_path: Path) -> None:
    path = tmp_path / "webui.json"
    secret = AccessToken.load_or_create(path).secret
    path.chmod(0o644)
    lines: list[str] = []
    sink = logger.add(lines.append, format="{level} {message}")
    try:
        again = AccessToken.load_or_create(path)
    finally:
        logger.remove(sink)
    assert again.secret == secret
    assert mode_of(path) == 0o600
    (line,) = lines
    assert line.startswith(f"WARNING {path}")
    assert secret not in line


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "token_file_not_json"),
        (b'{"access_token": "secret-in-a-broken-fi', "token_file_not_json"),
        (b"\xff\xfe\x00", "token_file_not_json"),
        (b'["secret-in-a-list"]', "token_file_not_json"),
        (b"{}", "token_file_no_token"),
        (b'{"access_token": null}', "token_file_no_token"),
        (b'{"access_token": 1234567890}', "token_file_no_token"),
        (b'{"access_token": ""}', "token_file_no_token"),
        (b'{"access_token": "secret123"}', "token_file_no_token"),
        (b'{"access_token": "secret with spaces"}', "token_file_no_token"),
        ('{"access_token": "secret令牌令牌令牌"}'.encode(), "token_file_no_token"),
    ],
)
def test_a_broken_file_is_an_error_that_says_what_to_do_and_is_left_alone(
    tmp_path: Path, content: bytes, code: str
) -> None:
    path = tmp_path / "webui.json"
    path.write_bytes(content)
    with pytest.raises(TokenFileError) as caught:
        AccessToken.load_or_create(path)
    error = caught.value
    assert (error.code, error.path) == (code, path)
    assert "delete" in str(error)
    assert "删除" in error.text("zh")
    assert "secret" not in str(error) + repr(error)
    assert path.read_bytes() == content


def test_a_place_that_cannot_be_written_is_an_error_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where a folder should be")
    with pytest.raises(TokenFileError, match="data") as caught:
        AccessToken.load_or_create(tmp_path / "data" / "webui.json")
    assert caught.value.code == "token_file_unreadable"
    assert caught.value.fields["reason"]


def test_neither_repr_nor_str_of_a_token_shows_it(tmp_path: Path) -> None:
    token = AccessToken.load_or_create(tmp_path / "webui.json")
    assert token.secret not in f"{token!r} {token}"


@pytest.mark.parametrize("wrong", ["", "x", "é", "令牌", "\udcff", "a" * 64])
def test_text_of_any_kind_can_be_compared_and_is_not_the_token(tmp_path: Path, wrong: str) -> None:
    token = AccessToken.load_or_create(tmp_path / "webui.json")
    assert not token.matches(wrong)
    assert token.matches(token.secret)
