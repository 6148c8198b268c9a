"""All that is wrong with a plugin, found without running it: no hook is fired, no life-cycle method called.

The plugin is imported, created and asked for its components, as when a host loads it; that much of its code runs.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from host.catalogue import BUILTIN_HOOKS
from host.hooks import Hooks, HookSettings, Problem, Registration, RegistrationError, Source, declarations_of
from host.hooks.texts import Locale
from host.runtime import (
    ENTRY_FILE,
    FoundPlugin,
    ManifestError,
    ManifestProblem,
    Plugin,
    PluginError,
    PluginPackage,
    PluginRoot,
    Step,
    StepFailedError,
    attempt,
    construct,
    discover,
    look,
)

Found = PluginError | ManifestProblem | Problem


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, or worth a warning.

    Args:
        severity: an ``error`` keeps the plugin from loading; a ``warning`` does not.
        found: the fact.
        file: where, or "".
        line: the line in it, or 0.
    """

    severity: Literal["error", "warning"]
    found: Found
    file: str = ""
    line: int = 0

    @property
    def traceback(self) -> str:
        """Where the plugin's code raised; "" for anything else."""
        return self.found.traceback if isinstance(self.found, PluginError) else ""

    def text(self, locale: Locale = "en") -> str:
        """What was found, what is allowed, what to do, without the place."""
        if isinstance(self.found, Problem):
            return self.found.sentence(locale)
        return self.found.text(locale)

    def as_dict(self, locale: Locale = "en") -> dict[str, Any]:
        """For machines: severity, code, handler, file, line, message, traceback."""
        return {
            "severity": self.severity,
            "code": self.found.code,
            "handler": self.found.handler if isinstance(self.found, Problem) else "",
            "file": self.file,
            "line": self.line,
            "message": self.text(locale),
            "traceback": self.traceback,
        }


@dataclass(frozen=True, slots=True)
class PluginReport:
    """What was found about one plugin.

    Args:
        id: its id; the name of its folder where the manifest is refused.
        path: its folder.
        findings: errors first, then by file and line.
        handlers: how many hook handlers it registers.
    """

    id: str
    path: Path
    findings: list[Finding] = field(default_factory=list)
    handlers: int = 0

    @property
    def ok(self) -> bool:
        """Whether it loads."""
        return not any(finding.severity == "error" for finding in self.findings)

    def as_dict(self, locale: Locale = "en") -> dict[str, Any]:
        """For machines."""
        return {
            "id": self.id,
            "path": str(self.path),
            "ok": self.ok,
            "handlers": self.handlers,
            "findings": [finding.as_dict(locale) for finding in self.findings],
        }


def check_plugins(path: Path, settings: HookSettings | None = None) -> list[PluginReport]:
    """Check the plugin in the folder `path`, or every plugin in the folders of `path`.

    Args:
        path: a plugin's folder (with a manifest or a plugin.py), or a folder of such folders.
        settings: the rules that an owner may change; the defaults when None.

    Returns:
        A report for each plugin, by id; none where there is no plugin.
    """
    path = path.absolute()
    alone = look(path, Source.THIRD_PARTY)
    found = [alone] if alone is not None else discover([PluginRoot(path, Source.THIRD_PARTY)])
    with TemporaryDirectory(prefix="maibot-host-check-") as data_dir:
        return [_check(each, settings, Path(data_dir)) for each in found]


def _check(found: FoundPlugin, settings: HookSettings | None, data_dir: Path) -> PluginReport:
    findings = [*_errors(found.problem)] if found.problem is not None else []
    handlers = 0
    # A manifest that is refused says nothing about the code, and its author wants to know everything at once.
    if (found.path / ENTRY_FILE).is_file():
        try:
            registration = _register(Plugin.of(found), settings, data_dir)
        except (PluginError, RegistrationError) as problem:
            findings += _errors(problem)
        else:
            findings += _of_problems("warning", registration.warnings)
            handlers = len(registration.handlers)
    findings.sort(key=lambda each: (each.severity, each.file, each.line))
    return PluginReport(found.id, found.path, findings, handlers)


def _register(plugin: Plugin, settings: HookSettings | None, data_dir: Path) -> Registration:
    """Everything that loading does before ``on_load``."""
    hooks = Hooks(settings)
    for spec in BUILTIN_HOOKS:
        hooks.register_spec(spec)
    package = PluginPackage(plugin.id, plugin.path)
    try:
        construct(plugin, package, data_dir)
        declared = attempt(plugin, Step.COMPONENTS, lambda: declarations_of(plugin.instance, plugin.components))
        return hooks.check(plugin.id, declared)
    finally:
        package.remove()


def _errors(problem: PluginError | RegistrationError) -> Iterator[Finding]:
    if isinstance(problem, RegistrationError):
        yield from _of_problems("error", problem.problems)
        yield from _of_problems("warning", problem.warnings)
    elif isinstance(problem, ManifestError):
        for each in problem.problems:
            yield Finding("error", each, str(problem.file))
    elif isinstance(problem, StepFailedError):
        yield Finding("error", problem, problem.file, problem.line)
    else:
        yield Finding("error", problem)


def _of_problems(severity: Literal["error", "warning"], problems: Iterable[Problem]) -> Iterator[Finding]:
    for problem in problems:
        yield Finding(severity, problem, problem.file, problem.line)
