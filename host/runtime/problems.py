"""Why a plugin is not running, or did not end cleanly: one error type a reason, each with its facts as fields."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from types import TracebackType
from typing import Protocol, TypeVar

from host.hooks import RegistrationError
from host.hooks.failure import failure_of
from host.hooks.texts import Locale
from host.runtime.manifests.texts import MANIFEST_TEXTS
from host.runtime.texts import RUNTIME_TEXTS

P = TypeVar("P", bound=Exception)


class PluginError(Exception):
    """Base of everything that keeps one plugin from running; the others are not touched by it.

    Args:
        fields: the facts that the text names.
    """

    code: str
    """Which reason; a key of the runtime's text table."""
    traceback: str = ""
    """Where the plugin's code raised, capped; empty when it was not its code that failed."""

    def __init__(self, **fields: object) -> None:
        self.fields = fields
        super().__init__(self.text())

    def text(self, locale: Locale = "en") -> str:
        """What was found, what is allowed and what to do, in the given language."""
        return RUNTIME_TEXTS.render(self.code, self.fields, locale)


class NoManifestError(PluginError):
    """A folder has a plugin.py and no manifest."""

    code = "no_manifest"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder=folder)


class NoEntryError(PluginError):
    """A plugin's folder has a manifest and no plugin.py."""

    code = "no_entry"

    def __init__(self, plugin_id: str, folder: Path) -> None:
        super().__init__(plugin_id=plugin_id, folder=folder)


class DuplicatePluginError(PluginError):
    """One id stands in the manifests of several folders; none of them is loaded.

    Args:
        plugin_id: the id.
        folders: all folders that claim it.
    """

    code = "duplicate_id"

    def __init__(self, plugin_id: str, folders: Sequence[Path]) -> None:
        self.folders = tuple(folders)
        super().__init__(plugin_id=plugin_id, count=len(folders), folders=", ".join(map(str, folders)))


class GoneError(PluginError):
    """A plugin is to be reloaded, and its folder does not hold it any more."""

    code = "gone"

    def __init__(self, plugin_id: str, folder: Path) -> None:
        super().__init__(plugin_id=plugin_id, folder=folder)


class BundledPluginError(PluginError):
    """A plugin that comes with the host was to be removed."""

    code = "bundled"

    def __init__(self, plugin_id: str) -> None:
        super().__init__(plugin_id=plugin_id)


class NotRemovedError(PluginError):
    """The folder of a plugin cannot be moved into the trash; it lies where it lay.

    Args:
        plugin_id: whose.
        folder: the folder.
        trash: where it was to go.
        why: what the system says.
    """

    code = "not_removed"

    def __init__(self, plugin_id: str, folder: Path, trash: Path, why: str) -> None:
        super().__init__(plugin_id=plugin_id, folder=folder, trash=trash, why=why)


class SwitchedOffError(PluginError):
    """A plugin is not running because nobody wants it to."""

    code = "switched_off"

    def __init__(self, plugin_id: str) -> None:
        super().__init__(plugin_id=plugin_id)


class UnknownPluginError(PluginError):
    """Somebody asked for a plugin that is in no folder."""

    code = "unknown_plugin"

    def __init__(self, plugin_id: str, known: Iterable[str]) -> None:
        super().__init__(plugin_id=plugin_id, known=", ".join(known) or "-")


@dataclass(frozen=True, slots=True)
class ManifestProblem:
    """One thing that is wrong with a manifest, or worth a warning.

    Args:
        code: the rule that was broken; a key of the manifests' text table.
        path: JSON path from the root ``$``, as ``$.author.name``.
        found: what stands there, shortened; empty when nothing does.
        allowed: text code of what may stand there; empty when the rule's text says it.
        fields: further facts that the rule's text names.
    """

    code: str
    path: str
    found: str = ""
    allowed: str = ""
    fields: Mapping[str, object] = field(default_factory=dict, hash=False)

    def text(self, locale: Locale = "en") -> str:
        """One line: where, what was found, what is allowed."""
        allowed = MANIFEST_TEXTS.render(self.allowed, {}, locale) if self.allowed else ""
        place = {"path": self.path, "found": self.found, "allowed": allowed}
        return MANIFEST_TEXTS.render(self.code, {**self.fields, **place}, locale)


class ManifestError(PluginError):
    """A manifest was refused.

    Args:
        file: the manifest.
        problems: everything that is wrong with it.
    """

    code = "manifest_invalid"

    def __init__(self, file: Path, problems: Sequence[ManifestProblem]) -> None:
        self.file = file
        self.problems = tuple(problems)
        super().__init__(file=file, count=len(problems))

    def text(self, locale: Locale = "en") -> str:
        """The whole report, a heading and then a line for each problem."""
        heading = super().text(locale)
        return "\n  - ".join([heading, *(problem.text(locale) for problem in self.problems)])


class NoCreatePluginError(PluginError):
    """plugin.py defines no ``create_plugin``."""

    code = "no_create_plugin"

    def __init__(self, plugin_id: str, file: Path) -> None:
        super().__init__(plugin_id=plugin_id, file=file)


class AsyncCreatePluginError(PluginError):
    """``create_plugin`` is async, or returned a coroutine."""

    code = "create_plugin_async"

    def __init__(self, plugin_id: str, file: Path) -> None:
        super().__init__(plugin_id=plugin_id, file=file)


class NoInstanceError(PluginError):
    """``create_plugin`` returned None."""

    code = "create_plugin_none"

    def __init__(self, plugin_id: str, file: Path) -> None:
        super().__init__(plugin_id=plugin_id, file=file)


class ComponentsError(PluginError):
    """``get_components`` returned something else than a list."""

    code = "components_not_list"

    def __init__(self, plugin_id: str, found: object) -> None:
        super().__init__(plugin_id=plugin_id, found=f"a value of type {type(found).__name__}")


class Step(Enum):
    """The steps in which code of a plugin runs while it is loaded and unloaded."""

    IMPORT = "import"
    CREATE = "create"
    COMPONENTS = "components"
    CONFIG = "config"
    ON_LOAD = "on_load"
    ON_UNLOAD = "on_unload"
    ON_CONFIG_UPDATE = "on_config_update"


class StepFailedError(PluginError):
    """The plugin's code raised.

    Args:
        plugin_id: whose code.
        step: what it was asked to do.
        folder: where the plugin lies; the innermost line of its own code is named.
        error: what it raised, of any type.

    Attributes:
        file: the file of the plugin that the error came through last, or "".
        line: the line in it, or 0.
    """

    def __init__(self, plugin_id: str, step: Step, folder: Path, error: BaseException) -> None:
        self.code = f"{step.value}_raised"
        own = [frame for frame in _frames(error.__traceback__) if _lies_in(_file(frame), folder)]
        self.file, self.line = (_file(own[-1]), own[-1].tb_lineno) if own else ("", 0)
        if isinstance(error, SyntaxError) and _lies_in(error.filename or "", folder):
            self.file, self.line = error.filename or "", error.lineno or 0
        # Above the plugin's first line stands only the host, which says nothing to the plugin's author.
        failure = failure_of(error.with_traceback(own[0]) if own else error)
        self.traceback = failure.traceback
        where = f" ({self.file}:{self.line})" if self.file else ""
        super().__init__(plugin_id=plugin_id, where=where, error=failure.text)


class StepTimeoutError(PluginError):
    """A life-cycle method did not end in time.

    Args:
        plugin_id: whose method.
        step: which one.
        seconds: the time that it had.
    """

    def __init__(self, plugin_id: str, step: Step, seconds: float) -> None:
        self.code = f"{step.value}_timeout"
        super().__init__(plugin_id=plugin_id, seconds=seconds)


class NoProcessError(PluginError):
    """No process could be made for a plugin. The plugin had no part in it.

    Args:
        plugin_id: whose process.
        why: what kept it from being made, in English and Chinese.
    """

    code = "no_process"

    def __init__(self, plugin_id: str, why: str) -> None:
        super().__init__(plugin_id=plugin_id, why=why)


class ProcessLostError(PluginError):
    """The process of a plugin ended, or was ended, though nobody had unloaded the plugin.

    Args:
        plugin_id: whose process.
        reason: how it ended, or why it was killed; ``text(locale)`` says it.
        charged: whether the plugin has to answer for it.
        last_lines: what it wrote last, the latest at the end.
    """

    code = "process_lost"

    def __init__(self, plugin_id: str, reason: "Reason", *, charged: bool, last_lines: Sequence[str] = ()) -> None:
        self.reason = reason
        self.charged = charged
        self.last_lines = tuple(last_lines)
        super().__init__(plugin_id=plugin_id)

    def text(self, locale: Locale = "en") -> str:
        """How it ended, and what it wrote last."""
        fields = {**self.fields, "reason": self.reason.text(locale)}
        lines = [f"    {line}" for line in self.last_lines]
        return "\n".join([RUNTIME_TEXTS.render(self.code, fields, locale), *lines])


class Reason(Protocol):
    """Why something ended, told in either language."""

    def text(self, locale: Locale = "en") -> str:
        """A clause without a full stop."""


class GivenUpError(PluginError):
    """A plugin's process ended too often, so it is not started any more.

    Args:
        plugin_id: whose process.
        last: why it does not run, the last time.
        ends: how often it ended within `seconds`.
        seconds: the window that counts.
    """

    code = "given_up"

    def __init__(self, plugin_id: str, last: "Reason", ends: int, seconds: float) -> None:
        self.last = last
        self.traceback = last.traceback if isinstance(last, PluginError) else ""
        super().__init__(plugin_id=plugin_id, ends=ends, seconds=seconds)

    def text(self, locale: Locale = "en") -> str:
        """That it was given up, and how it ended the last time."""
        return f"{super().text(locale)} {self.last.text(locale)}"


def without_frames(problem: P) -> P:
    """The problem alone: the frames that it was raised through hold the plugin's objects."""
    problem.__context__ = problem.__cause__ = None
    return problem.with_traceback(None)


def report(problem: PluginError | RegistrationError) -> str:
    """A problem as the log tells it: its text, and below it where the plugin's code raised, if it did."""
    traceback = problem.traceback if isinstance(problem, PluginError) else ""
    return "\n".join(filter(None, [problem.text(), traceback]))


def _frames(frame: TracebackType | None) -> list[TracebackType]:
    frames = []
    while frame is not None:
        frames.append(frame)
        frame = frame.tb_next
    return frames


def _file(frame: TracebackType) -> str:
    return frame.tb_frame.f_code.co_filename


def _lies_in(file: str, folder: Path) -> bool:
    return Path(file).is_relative_to(folder)
