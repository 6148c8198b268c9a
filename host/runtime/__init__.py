"""Plugins as things on disk: their manifests, folders and imports, and how they are loaded and unloaded."""

from host.runtime.border import attempt
from host.runtime.code import HandlerVitals, Housing, Isolation, Vitals
from host.runtime.construction import construct
from host.runtime.discovery import ENTRY_FILE, FoundPlugin, PluginRoot, discover, look
from host.runtime.importing import PluginPackage
from host.runtime.inline import Inline
from host.runtime.isolation import Chosen, isolation_of
from host.runtime.manifests.manifest import MANIFEST_FILE, Author, Manifest, read_manifest
from host.runtime.plugins import Plugins
from host.runtime.problems import (
    AsyncCreatePluginError,
    BundledPluginError,
    ComponentsError,
    DuplicatePluginError,
    ManifestError,
    ManifestProblem,
    NoCreatePluginError,
    NoEntryError,
    NoInstanceError,
    NoManifestError,
    NotRemovedError,
    PluginError,
    Step,
    StepFailedError,
    StepTimeoutError,
    UnknownPluginError,
)
from host.runtime.removal import Removed
from host.runtime.runners import Launcher, launcher
from host.runtime.runners.apart import Apart
from host.runtime.runners.memory_limit import proportional_bytes
from host.runtime.runners.restarts import RestartSettings
from host.runtime.runners.settings import RunnerSettings
from host.runtime.state import Plugin, PluginState

__all__ = [
    "ENTRY_FILE",
    "MANIFEST_FILE",
    "Apart",
    "AsyncCreatePluginError",
    "Author",
    "BundledPluginError",
    "Chosen",
    "ComponentsError",
    "DuplicatePluginError",
    "FoundPlugin",
    "HandlerVitals",
    "Housing",
    "Inline",
    "Isolation",
    "Launcher",
    "Manifest",
    "ManifestError",
    "ManifestProblem",
    "NoCreatePluginError",
    "NoEntryError",
    "NoInstanceError",
    "NoManifestError",
    "NotRemovedError",
    "Plugin",
    "PluginError",
    "PluginPackage",
    "PluginRoot",
    "PluginState",
    "Plugins",
    "Removed",
    "RestartSettings",
    "RunnerSettings",
    "Step",
    "StepFailedError",
    "StepTimeoutError",
    "UnknownPluginError",
    "Vitals",
    "attempt",
    "construct",
    "discover",
    "isolation_of",
    "launcher",
    "look",
    "proportional_bytes",
    "read_manifest",
]
