"""The Python packages that plugins need: what of them is not there, and how it is installed beside the host's own."""

import importlib.metadata
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import join
from tempfile import TemporaryDirectory
from typing import Self

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from host.hooks.texts import Locale
from host.runtime.dependencies.texts import DEPENDENCY_TEXTS
from host.runtime.manifests.manifest import Manifest
from host.runtime.manifests.versions import fits

HOST_PACKAGE = "maibot-host"
PROVIDED = frozenset({"maibot-plugin-sdk", "maibot"})
"""Distributions that this host stands for. They are never installed: that would overwrite `maibot_sdk`. Which releases
of them a plugin is for, its manifest says in ``sdk`` and ``host_application``."""


@dataclass(frozen=True, slots=True)
class PackageNeed:
    """A Python package that plugins need and that is not there, or not in a version that fits.

    Args:
        name: of the distribution, in its normal form: ``tomli-w``.
        version_spec: the versions that would do.
        found: the version that is installed; None when none is.
        held: whether the host itself runs on the installed version, so that it stays.
        plugins: ids of those who need it.
    """

    name: str
    version_spec: SpecifierSet
    found: str | None
    held: bool
    plugins: tuple[str, ...]

    @property
    def requirement(self) -> str:
        """As an installer takes it: ``aiohttp>=3.8``."""
        return f"{self.name}{self.version_spec}"

    def text(self, locale: Locale = "en") -> str:
        """What is needed, and what is there."""
        code = "package_absent" if self.found is None else "package_other"
        return DEPENDENCY_TEXTS.render(code, {"requirement": self.requirement, "found": self.found}, locale)


@dataclass(frozen=True, slots=True)
class InstalledPackages:
    """What is installed where the host runs.

    Args:
        versions: version by the normal form of a distribution's name.
        held: names of those that the host itself needs. They keep their versions.
    """

    versions: Mapping[str, str]
    held: frozenset[str]

    @classmethod
    def here(cls) -> Self:
        """Look at this interpreter's packages. Where the host is not installed as a package itself, so that nobody
        knows what it needs, all are held."""
        versions: dict[str, str] = {}
        for distribution in importlib.metadata.distributions():
            # A folder that an interrupted removal left behind names nothing; of two copies the first is imported.
            if {"Name", "Version"} <= {*distribution.metadata}:
                versions.setdefault(canonicalize_name(distribution.name), distribution.version)
        return cls(versions, _needed_by(HOST_PACKAGE) if HOST_PACKAGE in versions else frozenset(versions))

    def unmet(self, manifests: Iterable[Manifest]) -> list[PackageNeed]:
        """What the plugins need and do not have, by name; what several need, once, with all their ranges."""
        needs: dict[str, PackageNeed] = {}
        for manifest in sorted(manifests, key=lambda each: each.id):
            for name, spec in manifest.needed_packages.items():
                if name not in PROVIDED and not self._has(name, spec):
                    need = PackageNeed(name, spec, self.versions.get(name), name in self.held, (manifest.id,))
                    needs[name] = _both(needs[name], need) if name in needs else need
        return sorted(needs.values(), key=lambda need: need.name)

    def constraints(self) -> str:
        """A constraints file for pip: what the host needs keeps its version, and what it stands for stays out."""
        kept = [f"{name}=={self.versions[name]}" for name in sorted(self.held & self.versions.keys())]
        return "\n".join([*kept, *(f"{name}<0" for name in sorted(PROVIDED)), ""])

    def _has(self, name: str, spec: SpecifierSet) -> bool:
        return name in self.versions and fits(spec, self.versions[name])


def install_command(needs: Iterable[PackageNeed], constraints: Path | None = None) -> list[str]:
    """The command that installs packages for this interpreter; those that are held are left out.

    Args:
        needs: what to install.
        constraints: a file of `InstalledPackages.constraints`; without one, pip may change what the host runs on.
    """
    held_to = ["--constraint", str(constraints)] if constraints else []
    requirements = sorted(need.requirement for need in needs if not need.held)
    return [sys.executable, "-m", "pip", "install", *held_to, *requirements]


def install(needs: Sequence[PackageNeed], installed: InstalledPackages) -> None:
    """Install packages with pip, which prints what it does; those that are held are left out, and where that leaves
    none, nothing is run. To be called on the owner's word only.

    Raises:
        InstallError: pip did not succeed.
    """
    if all(need.held for need in needs):
        return
    with TemporaryDirectory(prefix="maibot-host-install-") as folder:
        constraints = Path(folder) / "constraints.txt"
        constraints.write_text(installed.constraints(), encoding="utf-8")
        command = install_command(needs, constraints)
        exit_code = subprocess.run(command, check=False).returncode
    if exit_code:
        raise InstallError(command, exit_code)


class InstallError(Exception):
    """Packages were not installed.

    Args:
        command: what was run.
        exit_code: what it ended with.
    """

    code = "install_failed"

    def __init__(self, command: Sequence[str], exit_code: int) -> None:
        self.command = tuple(command)
        self.exit_code = exit_code
        super().__init__(self.text())

    def text(self, locale: Locale = "en") -> str:
        """What was run and how it ended, in the given language."""
        fields = {"command": join(self.command), "exit_code": self.exit_code}
        return DEPENDENCY_TEXTS.render(self.code, fields, locale)


def _both(one: PackageNeed, other: PackageNeed) -> PackageNeed:
    plugins = (*one.plugins, *other.plugins)
    return replace(one, version_spec=one.version_spec & other.version_spec, plugins=plugins)


def _needed_by(package: str) -> frozenset[str]:
    """The names of a distribution and of all that it needs, with the extras that it asks for."""
    needed: set[tuple[str, str]] = set()
    left = [(canonicalize_name(package), "")]
    while left:
        name, extra = left.pop()
        if (name, extra) in needed:
            continue
        needed.add((name, extra))
        for requirement in map(Requirement, _requires(name)):
            if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
                wanted = canonicalize_name(requirement.name)
                left += [(wanted, each) for each in ("", *requirement.extras)]
    return frozenset(name for name, _ in needed)


def _requires(name: str) -> list[str]:
    try:
        return importlib.metadata.requires(name) or []
    except importlib.metadata.PackageNotFoundError:
        return []
