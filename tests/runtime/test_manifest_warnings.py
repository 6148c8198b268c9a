"""What a manifest says in vain is worth a warning, with the right name beside it; the plugin loads."""

import json
from pathlib import Path
from typing import Any

import pytest

from host.runtime.manifests.capability_names import CAPABILITY_NAMES
from host.runtime.manifests.manifest import Manifest, warnings_of
from host.runtime.manifests.versions import HostVersions, Release
from host.runtime.problems import ManifestProblem
from tests.runtime.plugin_folders import manifest

FACTS = json.loads((Path(__file__).parents[1] / "data" / "capability_names.json").read_text(encoding="utf-8"))


def warned(**changes: Any) -> list[ManifestProblem]:
    return warnings_of(Manifest.model_validate(manifest("a.b", **changes)), HostVersions())


def test_a_plain_manifest_is_worth_no_warning() -> None:
    assert warned() == []


@pytest.mark.parametrize(
    ("changes", "path", "nearest"),
    [
        ({"capabilites": []}, "$.capabilites", "capabilities"),
        ({"Licence": "MIT"}, "$.Licence", "license"),
        ({"CAPABILITIES": []}, "$.CAPABILITIES", "capabilities"),
        ({"repository_url": "x"}, "$.repository_url", "urls.repository"),
        ({"default_locale": "zh-CN"}, "$.default_locale", "i18n.default_locale"),
        ({"urls": {"repo": "x", "isues": "y"}}, "$.urls.isues", "issues"),
        ({"display": {"icon": {"valeu": "x"}}}, "$.display.icon.valeu", "value"),
        ({"llm_providers": [{"client_type": "x", "nam": "y"}]}, "$.llm_providers[0].nam", "name"),
        ({"my key": {}, "changelogs": ""}, "$.changelogs", "changelog"),
    ],
)
def test_an_unknown_key_is_told_with_the_nearest_right_one(changes: dict[str, Any], path: str, nearest: str) -> None:
    assert (path, {"nearest": nearest}) in [(warning.path, warning.fields) for warning in warned(**changes)]


def test_an_unknown_key_that_is_like_no_other_is_told_without_a_guess() -> None:
    (warning,) = warned(**{"my colour": 5})
    assert (warning.code, warning.path) == ("unknown_key", '$["my colour"]')
    assert warning.text() == '$["my colour"] is no key of a manifest, and is ignored. Remove it.'
    assert warning.text("zh") == '$["my colour"] 不是清单的键，将被忽略。请删除。'


def test_a_plugin_that_claims_to_be_built_in_claims_it_in_vain() -> None:
    (warning,) = warned(source="builtin")
    assert warning.path == "$.source"


def test_the_capabilities_are_those_that_the_calls_of_the_sdk_send() -> None:
    assert sorted(CAPABILITY_NAMES) == FACTS["capabilities"]


@pytest.mark.parametrize("name", FACTS["capabilities"])
def test_a_capability_is_worth_no_warning(name: str) -> None:
    assert warned(capabilities=[name]) == []


@pytest.mark.parametrize(
    ("call", "capability"), [(call, name) for call, name in FACTS["calls"].items() if name not in (call, None)]
)
def test_who_names_the_call_is_told_the_capability(call: str, capability: str) -> None:
    (warning,) = warned(capabilities=["send.text", call])
    assert (warning.code, warning.path) == ("unknown_capability_nearest", "$.capabilities[1]")
    assert warning.fields == {"nearest": capability}
    assert f"'{capability}'" in warning.text()
    assert f"'{capability}'" in warning.text("zh")


@pytest.mark.parametrize("call", [call for call, name in FACTS["calls"].items() if name is None] + ["logger"])
def test_a_call_that_needs_no_capability_grants_nothing(call: str) -> None:
    (warning,) = warned(capabilities=[call])
    assert (warning.code, warning.found) == ("unknown_capability", f'"{call}"')


def test_a_host_above_the_maximum_is_worth_a_warning_unless_that_is_refused_anyway() -> None:
    read = Manifest.model_validate(
        manifest("a.b", host_application={"max_version": "1.3.14"}, sdk={"max_version": "2.16.0"})
    )
    (warning,) = warnings_of(read, HostVersions(host=Release(1, 3, 15), sdk=Release(2, 16, 0)))
    assert (warning.code, warning.path) == ("above_maximum", "$.host_application.max_version")
    assert '"1.3.14"' in warning.text()
    assert "1.3.15" in warning.text()
    assert warnings_of(read, HostVersions(host=Release(1, 3, 15), strict=True)) == []
