"""What the host knows about one plugin, and the states it goes through."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from host.hooks import Declaration, Registration, RegistrationError, Source
from host.runtime.discovery import FoundPlugin
from host.runtime.manifests.manifest import Manifest
from host.runtime.problems import PluginError
from host.runtime.scope import Scope

if TYPE_CHECKING:
    from host.runtime.code import PluginCode


class PluginState(str, Enum):
    """Where a plugin stands."""

    DISCOVERED = "discovered"
    """Found in a folder, and nothing speaks against loading it."""
    BLOCKED = "blocked"
    """Found, and not to be loaded: its manifest is refused, its id stands in two places, or something is missing."""
    LOADING = "loading"
    """Its code is being imported and started; no hook reaches it yet."""
    ACTIVE = "active"
    """``on_load`` has ended and its hook handlers are called."""
    UNLOADING = "unloading"
    """Its hook handlers are gone; ``on_unload`` may be running."""
    INACTIVE = "inactive"
    """Switched off; nothing of it is left."""
    FAILED = "failed"
    """It could not be loaded; nothing of it is left."""


MOVES: Mapping[PluginState, frozenset[PluginState]] = {
    PluginState.DISCOVERED: frozenset({PluginState.LOADING, PluginState.BLOCKED, PluginState.INACTIVE}),
    PluginState.BLOCKED: frozenset(),
    PluginState.LOADING: frozenset(
        {PluginState.ACTIVE, PluginState.FAILED, PluginState.INACTIVE, PluginState.UNLOADING}
    ),
    PluginState.ACTIVE: frozenset({PluginState.UNLOADING, PluginState.LOADING}),
    PluginState.UNLOADING: frozenset({PluginState.INACTIVE, PluginState.LOADING}),
    PluginState.INACTIVE: frozenset(),
    PluginState.FAILED: frozenset(),
}
"""The moves of one record. To load a plugin that is blocked, inactive or failed, its folder is looked at again, which
makes a new record: what was found wrong may have been put right. One that was stopped for a new version of itself which
then does not come up is started again: unloading, loading. One whose process ended is started again too: active,
loading; or it is unloaded in that state: loading, unloading."""


@dataclass(slots=True, kw_only=True, eq=False)
class Plugin:
    """One plugin, from the moment its folder was found. The host changes it; everybody else reads it.

    Args:
        id: its id; the name of its folder where the manifest is refused.
        path: its folder, absolute.
        source: by where the folder lies.
        manifest: what it says of itself; None when it is refused.
        state: where it stands.
        problem: why it is blocked or failed, or how its unloading went wrong; has ``text(locale)``.
        code: its code, here or in a process of its own, while it is loading or active.
        instance: what its ``create_plugin`` returned, while that is in this process.
        components: everything it declares, as ``{"name", "type", "metadata"}``, while it is loading or active.
        declarations: the hook handlers among them as declared, while it is loading or active.
        registration: its hook handlers, while it is loading or active.
        reload_problem: why a newer version of it was not taken; this one serves on.
        config_problem: why what the file says now was not taken; the last good configuration counts on.
        asked: what it asked the host to do since its ``on_load`` began, to be undone before its ``on_unload`` does, or
            when its process ends; None while it may ask for nothing that lasts.
    """

    id: str
    path: Path
    source: Source
    manifest: Manifest | None = None
    state: PluginState = PluginState.DISCOVERED
    problem: PluginError | RegistrationError | None = None
    code: "PluginCode | None" = None
    instance: object = None
    components: list[Mapping[str, Any]] = field(default_factory=list)
    declarations: Sequence[Declaration] = ()
    registration: Registration | None = None
    reload_problem: PluginError | RegistrationError | None = None
    config_problem: PluginError | None = None
    asked: Scope | None = None

    @classmethod
    def of(cls, found: FoundPlugin) -> "Plugin":
        """The record of a folder that was just found: discovered, or blocked by its problem."""
        return cls(
            id=found.id,
            path=found.path,
            source=found.source,
            manifest=found.manifest,
            state=PluginState.BLOCKED if found.problem else PluginState.DISCOVERED,
            problem=found.problem,
        )

    @property
    def runs(self) -> bool:
        """Whether anything of it is in the process."""
        return self.state in (PluginState.LOADING, PluginState.ACTIVE, PluginState.UNLOADING)

    @property
    def name(self) -> str:
        """Its name for people; its id where the manifest is refused."""
        return self.manifest.name if self.manifest else self.id

    @property
    def version(self) -> str:
        """Its version X.Y.Z; empty where the manifest is refused."""
        return self.manifest.version if self.manifest else ""

    @property
    def traceback(self) -> str:
        """Where its code raised, capped; empty when the problem is another one or there is none."""
        return self.problem.traceback if isinstance(self.problem, PluginError) else ""

    def move_to(self, state: PluginState) -> None:
        """Change the state.

        Raises:
            ValueError: there is no such move; a mistake of the host's.
        """
        if state not in MOVES[self.state]:
            allowed = ", ".join(sorted(each.value for each in MOVES[self.state])) or "none"
            raise ValueError(
                f"plugin {self.id!r} is {self.state.value} and cannot be {state.value}; allowed: {allowed}"
            )
        self.state = state
