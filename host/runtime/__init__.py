"""Plugins as things on disk: their manifests, folders and imports, and how they are loaded and unloaded."""

from host.runtime.discovery import FoundPlugin, PluginRoot, discover
from host.runtime.manifest import Author, Manifest, read_manifest
from host.runtime.plugins import Plugins
from host.runtime.problems import (
    AsyncCreatePluginError,
    ComponentsError,
    DuplicatePluginError,
    ManifestError,
    ManifestProblem,
    NoCreatePluginError,
    NoEntryError,
    NoInstanceError,
    NoManifestError,
    PluginError,
    Step,
    StepFailedError,
    StepTimeoutError,
    UnknownPluginError,
)
from host.runtime.state import Plugin, PluginState

__all__ = [
    "AsyncCreatePluginError",
    "Author",
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
    "Plugin",
    "PluginError",
    "PluginRoot",
    "PluginState",
    "Plugins",
    "Step",
    "StepFailedError",
    "StepTimeoutError",
    "UnknownPluginError",
    "discover",
    "read_manifest",
]
