"""A manifest of version 2 loads, whatever else stands in it; everything that is wrong with one is said at once."""

import json
from pathlib import Path
from typing import Any

import pytest

from host.runtime import ManifestError, ManifestProblem, read_manifest
from tests.runtime.plugin_folders import manifest

REAL_MANIFESTS = (Path(__file__).parents[1] / "data" / "manifests_v2.jsonl").read_text(encoding="utf-8").splitlines()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "_manifest.json"


def refused(file: Path, content: object) -> tuple[ManifestProblem, ...]:
    file.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ManifestError) as caught:
        read_manifest(file)
    assert str(file) in str(caught.value)
    return caught.value.problems


@pytest.mark.parametrize("line", REAL_MANIFESTS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_real_manifest_loads_with_or_without_bom(file: Path, line: str, encoding: str) -> None:
    file.write_text(line, encoding=encoding)
    written = json.loads(line)
    read = read_manifest(file)
    assert (read.id, read.version, read.author.url) == (written["id"], written["version"], written["author"]["url"])


def test_keys_that_nobody_declared_are_kept(file: Path) -> None:
    file.write_text(json.dumps(manifest("a.b", colour="红", urls={"repository": 3})), encoding="utf-8")
    assert read_manifest(file).model_extra == {"colour": "红", "urls": {"repository": 3}}


def test_every_problem_is_reported_with_its_json_path(file: Path) -> None:
    content = manifest("one_word", version="1.0", name=" ", description=None, author={"url": 5})
    assert {problem.path: problem.code for problem in refused(file, content)} == {
        "$.id": "key_wrong",
        "$.version": "key_wrong",
        "$.name": "key_wrong",
        "$.description": "key_missing",
        "$.author.name": "key_missing",
        "$.author.url": "key_wrong",
    }


def test_a_problem_says_what_was_found_and_what_is_allowed_in_both_languages(file: Path) -> None:
    (problem,) = refused(file, manifest("a.b", version="1.0"))
    assert problem.text() == "$.version is \"1.0\"; allowed is text of three numbers, X.Y.Z, as in '1.0.0'."
    assert problem.text("zh") == "$.version 为 \"1.0\"；只允许三段数字 X.Y.Z 的文本，如 '1.0.0'。"


def test_a_long_value_is_shortened_in_the_report(file: Path) -> None:
    (problem,) = refused(file, manifest("a" * 10_000))
    assert len(problem.found) <= 80


def test_a_value_that_cannot_be_printed_is_escaped_in_the_report(file: Path) -> None:
    file.write_text(json.dumps(manifest("a.b", name="\ud800")), encoding="utf-8")
    with pytest.raises(ManifestError) as caught:
        read_manifest(file)
    assert '$.name is "\\ud800"' in caught.value.text().encode("utf-8").decode()


def test_manifest_version_1_is_refused_with_the_way_up(file: Path) -> None:
    (problem,) = refused(file, manifest("a.b", manifest_version=1))
    assert problem.code == "manifest_version_1"
    assert "HookHandler" in problem.text()
    assert "HookHandler" in problem.text("zh")


@pytest.mark.parametrize("version", [0, 3, "2", True, None, [2]])
def test_any_other_manifest_version_than_2_is_refused(file: Path, version: object) -> None:
    (problem,) = refused(file, {**manifest("a.b"), "manifest_version": version})
    assert (problem.code, problem.path) == ("key_wrong", "$.manifest_version")


@pytest.mark.parametrize("plugin_id", ["a.b", "A-b", "team.my-plugin", "0a.b_c.d-e", "x_1.2"])
def test_ids_of_two_or_more_words_are_allowed(file: Path, plugin_id: str) -> None:
    file.write_text(json.dumps(manifest(plugin_id)), encoding="utf-8")
    assert read_manifest(file).id == plugin_id


@pytest.mark.parametrize(
    "plugin_id",
    [
        "",
        "word",
        ".a.b",
        "a.b.",
        "a..b",
        "a.-b",
        "a/../b",
        "..",
        "%2e%2e.x",
        "a.b\n",
        "a b.c",
        "名.字",
        "con",
        "a.b" * 99,
        7,
    ],
)
def test_ids_that_could_be_no_folder_name_or_no_id_are_refused(file: Path, plugin_id: object) -> None:
    (problem,) = refused(file, {**manifest("a.b"), "id": plugin_id})
    assert problem.path == "$.id"


@pytest.mark.parametrize("version", ["1", "1.0", "1.0.0.0", "v1.0.0", "1.0.0-rc1", "1.0.0\n", "١.0.0", 1.0])
def test_versions_that_are_not_three_numbers_are_refused(file: Path, version: object) -> None:
    (problem,) = refused(file, {**manifest("a.b"), "version": version})
    assert problem.path == "$.version"


@pytest.mark.parametrize("content", [[], "text", None, 2])
def test_a_manifest_that_is_no_object_is_refused(file: Path, content: Any) -> None:
    (problem,) = refused(file, content)
    assert (problem.path, problem.allowed) == ("$", "allowed_object")


@pytest.mark.parametrize(
    ("content", "code", "found"),
    [
        (b'{\n  "id" 1\n}', "manifest_not_json", "line 2, column 8"),
        (b"", "manifest_not_json", "line 1, column 1"),
        (b"[" * 200_000, "manifest_not_json", "nested too deep"),
        (b'{"name": "\xff"}', "manifest_not_utf8", "byte 10 is 0xff"),
    ],
)
def test_what_is_no_json_text_is_refused_with_the_place(file: Path, content: bytes, code: str, found: str) -> None:
    file.write_bytes(content)
    with pytest.raises(ManifestError) as caught:
        read_manifest(file)
    (problem,) = caught.value.problems
    assert problem.code == code
    assert found in problem.found


def test_a_manifest_that_cannot_be_read_is_refused(file: Path) -> None:
    file.mkdir()
    with pytest.raises(ManifestError) as caught:
        read_manifest(file)
    assert caught.value.problems[0].code == "manifest_unreadable"
