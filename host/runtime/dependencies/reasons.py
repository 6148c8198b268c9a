"""Why a plugin whose manifest is right cannot be loaded all the same: what it needs is not there."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from shlex import join
from typing import Any, ClassVar, Literal

from host.hooks import RegistrationError
from host.hooks.texts import Locale
from host.runtime.dependencies.packages import PackageNeed, install_command
from host.runtime.dependencies.texts import DEPENDENCY_TEXTS
from host.runtime.problems import PluginError

Trouble = PluginError | RegistrationError
"""What may have kept a plugin from being loaded."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that keeps a plugin from being loaded."""

    code: ClassVar[str]
    """Which kind; a key of the dependencies' text table."""

    def predicate(self, locale: Locale = "en") -> str:
        """What is the matter with the plugin, as a predicate of it: ``needs 'a.b', which ...``."""
        return DEPENDENCY_TEXTS.render(self.code, self._facts(locale), locale)

    def advice(self, locale: Locale = "en") -> str:
        """What to do about it."""
        return DEPENDENCY_TEXTS.render(f"{self.code}_advice", self._facts(locale), locale)

    def _facts(self, locale: Locale) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class HostTooOld(Reason):
    """The host offers less than the minimum.

    Args:
        what: the thing that the versions are of.
        needed: the minimum.
        offered: the release that the host offers.
    """

    code = "host_too_old"
    what: Literal["MaiBot", "SDK"]
    needed: str
    offered: str


@dataclass(frozen=True, slots=True)
class HostTooNew(Reason):
    """The host offers more than the maximum, and the settings are strict about it.

    Args:
        what: the thing that the versions are of.
        needed: the maximum.
        offered: the release that the host offers.
    """

    code = "host_too_new"
    what: Literal["MaiBot", "SDK"]
    needed: str
    offered: str


@dataclass(frozen=True, slots=True)
class DependencyMissing(Reason):
    """A plugin that it needs is in no folder."""

    code = "dependency_missing"
    dependency: str


@dataclass(frozen=True, slots=True)
class DependencyVersion(Reason):
    """A plugin that it needs is there in a version that does not fit."""

    code = "dependency_version"
    dependency: str
    version_spec: str
    found: str


@dataclass(frozen=True, slots=True)
class DependencyCycle(Reason):
    """It needs itself, by way of others or at once.

    Args:
        cycle: ids from the plugin to what it needs, and on, back to the plugin: ``("b", "c", "b")``. A shortest one.
    """

    code = "dependency_cycle"
    cycle: tuple[str, ...]

    def _facts(self, locale: Locale) -> dict[str, Any]:
        return {"cycle": " -> ".join(self.cycle)}


@dataclass(frozen=True, slots=True)
class DependencyBlocked(Reason):
    """A plugin that it needs cannot be loaded either.

    Args:
        dependency: the plugin that it names.
        root: the plugin where the trouble starts, which may be the same.
        why: what is the matter with the root.
    """

    code = "dependency_blocked"
    dependency: str
    root: str
    why: "Reason | Trouble"

    def predicate(self, locale: Locale = "en") -> str:
        """Names the root, and what is the matter with it."""
        code = self.code if self.root == self.dependency else f"{self.code}_far"
        return DEPENDENCY_TEXTS.render(code, {**self._facts(locale), "why": self._why(locale)}, locale)

    def _facts(self, locale: Locale) -> dict[str, Any]:
        return {"dependency": self.dependency, "root": self.root}

    def _why(self, locale: Locale) -> str:
        if isinstance(self.why, Reason):
            return self.why.predicate(locale)
        first_line, *_ = self.why.text(locale).splitlines()
        return DEPENDENCY_TEXTS.render("dependency_failed", {"problem": first_line.rstrip(":：.。")}, locale)


@dataclass(frozen=True, slots=True)
class PackagesMissing(Reason):
    """Python packages that it needs are not installed, or not in a version that fits."""

    code = "packages_missing"
    needs: tuple[PackageNeed, ...]

    def _facts(self, locale: Locale) -> dict[str, Any]:
        return {"packages": _listed(self.needs, locale), "command": join(install_command(self.needs))}


@dataclass(frozen=True, slots=True)
class PackagesHeld(Reason):
    """It needs other versions of Python packages than those that the host itself runs on."""

    code = "packages_held"
    needs: tuple[PackageNeed, ...]

    def _facts(self, locale: Locale) -> dict[str, Any]:
        return {"packages": _listed(self.needs, locale)}


class BlockedError(PluginError):
    """What a plugin needs is not there. Its `code` is that of the first reason.

    Args:
        plugin_id: which plugin.
        reasons: everything that keeps it from being loaded, at least one.
    """

    def __init__(self, plugin_id: str, reasons: Sequence[Reason]) -> None:
        self.plugin_id = plugin_id
        self.reasons = tuple(reasons)
        self.code = reasons[0].code
        super().__init__(plugin_id=plugin_id, reasons=self.reasons)

    def text(self, locale: Locale = "en") -> str:
        """What is the matter and what to do; where there are several reasons, a line for each below a heading."""
        if len(self.reasons) == 1:
            return _sentence("blocked", self.plugin_id, self.reasons[0], locale)
        fields = {"plugin_id": self.plugin_id, "count": len(self.reasons)}
        heading = DEPENDENCY_TEXTS.render("blocked_heading", fields, locale)
        lines = [_sentence("blocked_line", self.plugin_id, reason, locale) for reason in self.reasons]
        return "\n  - ".join([heading, *lines])


def _sentence(code: str, plugin_id: str, reason: Reason, locale: Locale) -> str:
    fields = {"plugin_id": plugin_id, "reason": reason.predicate(locale), "advice": reason.advice(locale)}
    return DEPENDENCY_TEXTS.render(code, fields, locale)


def _listed(needs: Iterable[PackageNeed], locale: Locale) -> str:
    return ("、" if locale.lower().startswith("zh") else ", ").join(need.text(locale) for need in needs)
