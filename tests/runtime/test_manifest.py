"""A manifest of version 2 loads; everything that is wrong with one is said at once, by JSON path."""

import json
from pathlib import Path
from typing import Any

import pytest
from packaging.specifiers import SpecifierSet

from host.runtime import ManifestError, ManifestProblem, read_manifest
from tests.runtime.plugin_folders import manifest

PACKAGE = {"type": "python_package", "name": "aiohttp", "version_spec": ">=1.0.0"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "_manifest.json"


def refused(file: Path, content: object) -> tuple[ManifestProblem, ...]:
    file.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ManifestError) as caught:
        read_manifest(file)
    assert str(file) in str(caught.value)
    return caught.value.problems


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_manifest_loads_with_or_without_bom(file: Path, encoding: str) -> None:
    file.write_text(json.dumps(manifest("a.b", name="红"), ensure_ascii=False), encoding=encoding)
    assert read_manifest(file).name == "红"


def test_what_a_plugin_need_not_say_is_empty(file: Path) -> None:
    file.write_text(json.dumps(manifest("a.b")), encoding="utf-8")
    read = read_manifest(file)
    assert (read.license, read.urls.repository, read.sdk.min_version, read.display.icon.value) == ("", "", "", "")
    assert (read.dependencies, read.capabilities, read.i18n.supported_locales, read.llm_providers) == ((), (), (), ())


def test_keys_that_nobody_declared_are_kept(file: Path) -> None:
    file.write_text(json.dumps(manifest("a.b", colour="红", urls={"mirror": 3})), encoding="utf-8")
    read = read_manifest(file)
    assert (read.model_extra, read.urls.model_extra) == ({"colour": "红"}, {"mirror": 3})


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


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"name": "\ud800"}, "$.name"),
        ({"colour": [{"dark": "\ud800"}]}, "$.colour[0].dark"),
        ({"\ud800": 1}, '$["\\ud800"]'),
        ({"urls": {"\ud800": 1}}, '$.urls["\\ud800"]'),
    ],
)
def test_half_of_a_character_is_refused_wherever_it_stands(file: Path, changes: dict[str, Any], path: str) -> None:
    (problem,) = refused(file, manifest("a.b", **changes))
    assert (problem.code, problem.path, problem.found) == ("half_character", path, '"\\ud800"')
    problem.text().encode("utf-8")


def test_manifest_version_1_is_refused_with_the_way_up(file: Path) -> None:
    (problem,) = refused(file, manifest("a.b", manifest_version=1))
    assert problem.code == "manifest_version_1"
    assert "HookHandler" in problem.text()
    assert "HookHandler" in problem.text("zh")


@pytest.mark.parametrize("version", [0, 3, 2.0, "2", True, None, [2]])
def test_any_other_manifest_version_than_2_is_refused(file: Path, version: object) -> None:
    (problem,) = refused(file, {**manifest("a.b"), "manifest_version": version})
    assert (problem.code, problem.path) == ("key_wrong", "$.manifest_version")


@pytest.mark.parametrize(
    "plugin_id", ["a.b", "A-b", "team.my-plugin", "0a.b_c.d-e", "x_1.2", "con-b", "a.con", "console.b"]
)
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
        "con.b",
        "NUL.plugin",
        "lpt1.a-b",
        ".hidden",
        "C:.x",
        "a.b" * 99,
        7,
    ],
)
def test_ids_that_could_be_no_folder_name_or_no_id_are_refused(file: Path, plugin_id: object) -> None:
    (problem,) = refused(file, {**manifest("a.b"), "id": plugin_id})
    assert problem.path == "$.id"


@pytest.mark.parametrize(
    "version", ["1", "1.0", "1.0.0.0", "v1.0.0", "1.0.0-rc1", "1.0.0\n", "١.0.0", "1" * 99 + ".0.0", 1.0]
)
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
        (b'{"manifest_version": ' + b"2" * 5_000 + b"}", "manifest_not_json", "too many digits"),
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


@pytest.mark.parametrize(
    ("changes", "path", "allowed"),
    [
        ({"license": 5}, "$.license", "allowed_text"),
        ({"urls": []}, "$.urls", "allowed_urls"),
        ({"urls": {"issues": 5}}, "$.urls.issues", "allowed_text"),
        ({"sdk": "2.0.0"}, "$.sdk", "allowed_range"),
        ({"sdk": {"max_version": "2.x"}}, "$.sdk.max_version", "allowed_version"),
        ({"host_application": {"min_version": ""}}, "$.host_application.min_version", "allowed_version"),
        ({"dependencies": {}}, "$.dependencies", "allowed_dependencies"),
        ({"dependencies": ["aiohttp"]}, "$.dependencies[0]", "allowed_dependency"),
        ({"dependencies": [{"name": "aiohttp"}]}, "$.dependencies[0].type", "allowed_dependency_type"),
        ({"dependencies": [{"type": "pip"}]}, "$.dependencies[0].type", "allowed_dependency_type"),
        ({"capabilities": "send.text"}, "$.capabilities", "allowed_texts"),
        ({"capabilities": ["send.text", 5]}, "$.capabilities[1]", "allowed_not_blank"),
        ({"i18n": {"locales_path": "../other"}}, "$.i18n.locales_path", "allowed_inner_path"),
        ({"i18n": {"supported_locales": [""]}}, "$.i18n.supported_locales[0]", "allowed_not_blank"),
        ({"llm_providers": [{}]}, "$.llm_providers[0].client_type", "allowed_not_blank"),
        ({"plugin_type": ["tool"]}, "$.plugin_type", "allowed_text"),
        ({"display": {"icon": "icon.png"}}, "$.display.icon", "allowed_icon"),
    ],
)
def test_a_wrong_value_is_refused_by_its_path(file: Path, changes: dict[str, Any], path: str, allowed: str) -> None:
    (problem,) = refused(file, manifest("a.b", **changes))
    assert (problem.path, problem.allowed) == (path, allowed)


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "../icon.png", "a/../../b", "C:\\icon.png", "C:icon.png", "..\\x", "a\0"]
)
def test_a_path_that_leads_out_of_the_plugin_is_refused(file: Path, path: str) -> None:
    problems = refused(file, manifest("a.b", changelog=path, display={"icon": {"type": "local", "value": path}}))
    assert [problem.path for problem in problems] == ["$.display.icon.value", "$.changelog"]


@pytest.mark.parametrize("written", ["wrench", "📋", "./assets/icon.svg", "assets\\icon.png", "..icon.png"])
def test_icons_are_names_characters_and_files_of_the_plugin(file: Path, written: str) -> None:
    file.write_text(json.dumps(manifest("a.b", display={"icon": {"value": written}})), encoding="utf-8")
    assert read_manifest(file).display.icon.value == written


@pytest.mark.parametrize("name", ["", "-r", "--index-url=x", "a b", "httpx[socks]", "aiohttp>=3", "./wheel", "包"])
def test_what_is_no_package_name_never_reaches_an_installer(file: Path, name: str) -> None:
    (problem,) = refused(file, manifest("a.b", dependencies=[{**PACKAGE, "name": name}]))
    assert (problem.path, problem.allowed) == ("$.dependencies[0].name", "allowed_package_name")


@pytest.mark.parametrize(
    ("written", "fitting", "other"),
    [
        (">=1.0.0,<2.0.0", "1.9.9", "2.0.0"),
        (">= 1.0.0 , < 2.0.0", "1.0.0", "0.9.9"),
        ("1.2.0", "1.2.0", "1.2.1"),
        ("==1.2.*", "1.2.7", "1.3.0"),
        ("~=1.2", "1.9.0", "2.0.0"),
    ],
)
def test_dependency_ranges_are_written_as_python_packages_write_them(
    file: Path, written: str, fitting: str, other: str
) -> None:
    dependency = {"type": "plugin", "id": "c.d", "version_spec": written}
    file.write_text(json.dumps(manifest("a.b", dependencies=[dependency])), encoding="utf-8")
    spec = read_manifest(file).needed_plugins["c.d"]
    assert (fitting in spec, other in spec) == (True, False)


@pytest.mark.parametrize("written", ["^1.0", "latest", ">1.0 beta", ">=" + "1" * 5_000, 1.0, None])
def test_what_is_no_range_is_refused(file: Path, written: object) -> None:
    (problem,) = refused(file, manifest("a.b", dependencies=[{**PACKAGE, "version_spec": written}]))
    assert (problem.path, problem.allowed) == ("$.dependencies[0].version_spec", "allowed_version_spec")


def test_a_package_that_is_named_twice_is_needed_once_with_both_ranges(file: Path) -> None:
    twice = [{**PACKAGE, "name": "Tomli_W"}, {**PACKAGE, "name": "tomli-w", "version_spec": "<3"}]
    file.write_text(json.dumps(manifest("a.b", dependencies=twice)), encoding="utf-8")
    assert read_manifest(file).needed_packages == {"tomli-w": SpecifierSet(">=1.0.0,<3")}
