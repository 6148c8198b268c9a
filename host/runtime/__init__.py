"""Plugins as things on disk: their manifests, folders and imports, and how they are loaded and unloaded."""

from host.runtime.border import attempt
from host.runtime.construction import construct
from host.runtime.discovery import ENTRY_FILE, FoundPlugin, PluginRoot, discover, look
from host.runtime.following import following
from host.runtime.importing import PluginPackage
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
from host.runtime.state import Plugin, PluginState

__all__ = [
    "ENTRY_FILE",
    "MANIFEST_FILE",
    "AsyncCreatePluginError",
    "Author",
    "BundledPluginError",
    "ComponentsError",
    "DuplicatePluginError",
    "FoundPlugin",
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
    "Step",
    "StepFailedError",
    "StepTimeoutError",
    "UnknownPluginError",
    "attempt",
    "construct",
    "discover",
    "following",
    "look",
    "read_manifest",
]
