"""Python packages that plugins need are found missing, and installed beside those of the host, which stay as is."""

import os
import sys
import zipfile
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

from host.runtime.dependencies.packages import (
    PROVIDED,
    InstalledPackages,
    InstallError,
    PackageNeed,
    install,
    install_command,
)
from tests.runtime.made_manifests import made

INSTALLED = InstalledPackages(
    {"aiohttp": "3.9.1", "pillow": "11.0.0rc1", "pydantic": "2.14.4", "odd": "not-a-version"}, frozenset({"pydantic"})
)


def unmet(*packages: str) -> list[tuple[str, str | None, bool]]:
    needs = INSTALLED.unmet([made("p.a", packages=packages)])
    return [(need.requirement, need.found, need.held) for need in needs]


def test_what_is_installed_in_a_version_that_fits_is_not_missing() -> None:
    assert unmet("aiohttp >=3.8.0", "Pillow >=10.0", "pydantic >=2.0.0", "AIOHTTP 3.9.1") == []


def test_what_is_not_there_or_does_not_fit_is_told_with_what_is_there() -> None:
    assert unmet("tomli_w >=1.0.0", "aiohttp >=4", "odd >=1") == [
        ("aiohttp>=4", "3.9.1", False),
        ("odd>=1", "not-a-version", False),
        ("tomli-w>=1.0.0", None, False),
    ]


def test_a_package_of_the_host_is_held() -> None:
    assert unmet("pydantic <2") == [("pydantic<2", "2.14.4", True)]


@pytest.mark.parametrize("name", ["maibot-plugin-sdk", "maibot_plugin_sdk", "MaiBot"])
def test_what_the_host_stands_for_is_never_missing(name: str) -> None:
    assert unmet(f"{name} >=99") == []


def test_what_several_plugins_need_is_needed_once_with_all_their_ranges() -> None:
    manifests = [
        made("p.b", packages=("httpx <1",)),
        made("p.a", packages=("httpx >=0.25", "Httpx >=0.26")),
        made("p.c", packages=("brotli >=1",)),
    ]
    brotli, httpx = INSTALLED.unmet(manifests)
    assert (brotli.name, brotli.plugins) == ("brotli", ("p.c",))
    assert httpx == PackageNeed("httpx", SpecifierSet(">=0.25,>=0.26,<1"), None, False, ("p.a", "p.b"))


def test_the_command_is_one_of_this_interpreter_and_leaves_out_what_is_held() -> None:
    needs = INSTALLED.unmet([made("p.a", packages=("tomli_w >=1.0", "pydantic <2", "aiohttp 4.0"))])
    command = [sys.executable, "-m", "pip", "install"]
    assert install_command(needs) == [*command, "aiohttp==4.0", "tomli-w>=1.0"]
    assert install_command(needs, Path("held.txt"))[4:6] == ["--constraint", "held.txt"]


def test_the_packages_that_the_host_needs_are_found_with_all_that_they_need() -> None:
    here = InstalledPackages.here()
    assert {"maibot-host", "pydantic", "pydantic-core", "typing-extensions", "starlette"} <= here.held
    assert "pytest" in here.versions
    assert "pytest" not in here.held
    assert f"pydantic-core=={here.versions['pydantic-core']}\n" in here.constraints()


def write_distribution(folder: Path, name: str, *requires: str) -> None:
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    lines = ["Metadata-Version: 2.1", f"Name: {name}", "Version: 1.0", *(f"Requires-Dist: {each}" for each in requires)]
    (info / "METADATA").write_text("\n".join([*lines, ""]), encoding="utf-8")


def test_only_what_applies_here_is_needed_by_the_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_distribution(tmp_path, "maibot_host", "Alpha[fast]>=1", 'old; python_version < "3"', 'lint; extra == "dev"')
    write_distribution(tmp_path, "alpha", 'beta; extra == "fast"', 'gamma; extra == "slow"', "maibot-host")
    for name in ("beta", "gamma", "old", "lint"):
        write_distribution(tmp_path, name)
    (tmp_path / "~eta-1.0.dist-info").mkdir()
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    here = InstalledPackages.here()
    assert here.held == {"maibot-host", "alpha", "beta"}
    assert here.versions == dict.fromkeys(["maibot-host", "alpha", "beta", "gamma", "old", "lint"], "1.0")


def test_where_nobody_knows_what_the_host_needs_everything_is_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_distribution(tmp_path, "some_thing")
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    assert InstalledPackages.here() == InstalledPackages({"some-thing": "1.0"}, frozenset({"some-thing"}))


def write_wheel(folder: Path, name: str, *requires: str) -> None:
    info = f"{name}-1.0.dist-info"
    lines = ["Metadata-Version: 2.1", f"Name: {name}", "Version: 1.0", *(f"Requires-Dist: {each}" for each in requires)]
    with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{name}.py", "")
        wheel.writestr(f"{info}/METADATA", "\n".join([*lines, ""]))
        wheel.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{info}/RECORD", "")


@pytest.fixture
def target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where pip puts packages in this test, and whence it takes them: a folder of wheels, no index."""
    pytest.importorskip("pip")
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    write_wheel(wheels, "wanted")
    write_wheel(wheels, "pydantic")
    write_wheel(wheels, "maibot_plugin_sdk")
    write_wheel(wheels, "wants_old_pydantic", "pydantic<2")
    write_wheel(wheels, "wants_the_sdk", "maibot-plugin-sdk")
    settings = {
        "NO_INDEX": "1",
        "FIND_LINKS": str(wheels),
        "TARGET": str(tmp_path / "target"),
        "CONFIG_FILE": os.devnull,
    }
    for key, value in {**settings, "DISABLE_PIP_VERSION_CHECK": "1", "NO_CACHE_DIR": "1"}.items():
        monkeypatch.setenv(f"PIP_{key}", value)
    return tmp_path / "target"


def test_a_missing_package_is_installed(target: Path) -> None:
    install(INSTALLED.unmet([made("p.a", packages=("wanted >=1", "maibot-plugin-sdk >=1"))]), INSTALLED)
    assert [file.name for file in target.glob("*.py")] == ["wanted.py"]


def test_where_everything_is_held_nothing_is_run(target: Path) -> None:
    install(INSTALLED.unmet([made("p.a", packages=("pydantic <2",))]), INSTALLED)
    assert not target.exists()


@pytest.mark.parametrize("name", ["wants_old_pydantic", "wants_the_sdk"])
def test_a_package_that_would_replace_what_the_host_runs_on_is_not_installed(target: Path, name: str) -> None:
    with pytest.raises(InstallError) as caught:
        install(INSTALLED.unmet([made("p.a", packages=(name,))]), INSTALLED)
    assert caught.value.exit_code != 0
    assert name.replace("_", "-") in str(caught.value)
    assert "pip install" in caught.value.text("zh")
    assert not list(target.glob("*.py"))


def test_what_the_host_stands_for_is_kept_out_by_the_constraints() -> None:
    assert {f"{name}<0" for name in PROVIDED} <= set(INSTALLED.constraints().splitlines())
