"""The manifests of 147 public plugins, names replaced: those of version 2 load, those of version 1 are told the way."""

import json
from collections import Counter
from pathlib import Path

import pytest

from host.runtime.manifests.manifest import read_manifest, warnings_of
from host.runtime.manifests.versions import HostVersions
from host.runtime.problems import ManifestError

LINES = (Path(__file__).parents[1] / "data" / "manifests.jsonl").read_text(encoding="utf-8").splitlines()
OLD, NEW = ([line for line in LINES if json.loads(line)["manifest_version"] == version] for version in (1, 2))


@pytest.mark.parametrize("line", NEW)
def test_a_manifest_of_version_2_loads(tmp_path: Path, line: str) -> None:
    file = tmp_path / "_manifest.json"
    file.write_text(line, encoding="utf-8")
    written = json.loads(line)
    read = read_manifest(file)
    assert not read.model_extra
    assert read.capabilities == tuple(written["capabilities"])
    assert read.i18n.locales_path == written["i18n"].get("locales_path", "")
    assert len(read.needed_plugins) + len(read.needed_packages) == len(written.get("dependencies", []))
    assert read.display.model_dump(exclude_unset=True) == written.get("display", {})
    assert read.urls.model_dump(exclude_unset=True) == written["urls"]
    assert read.sdk.model_dump() == written["sdk"]


def test_what_public_plugins_say_in_vain_is_worth_a_warning(tmp_path: Path) -> None:
    file = tmp_path / "_manifest.json"
    warned = []
    for line in NEW:
        file.write_text(line, encoding="utf-8")
        warned += warnings_of(read_manifest(file), HostVersions())
    codes = Counter(warning.code for warning in warned)
    assert codes == {"above_maximum": 17, "unknown_capability": 11, "unknown_capability_nearest": 4}
    named = {warning.found.strip('"') for warning in warned if "capability" in warning.code}
    assert {"logger", "send_message", "paths.data_dir", "gateway.route_message"} <= named


@pytest.mark.parametrize("line", OLD)
def test_a_manifest_of_version_1_is_refused_with_the_way_up(tmp_path: Path, line: str) -> None:
    file = tmp_path / "_manifest.json"
    file.write_text(line, encoding="utf-8")
    with pytest.raises(ManifestError) as caught:
        read_manifest(file)
    first, *others = caught.value.problems
    assert (first.code, first.path) == ("manifest_version_1", "$.manifest_version")
    assert all(step in first.text() for step in ("manifest_version to 2", "urls.repository", "HookHandler"))
    assert all(step in first.text("zh") for step in ("manifest_version 设为 2", "urls.repository", "HookHandler"))
    assert "id" in json.loads(line) or "$.id" in [problem.path for problem in others]
