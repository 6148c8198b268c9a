"""Finding plugins: folders in, what lies in them out, in an order that is the same on every machine."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from loguru import logger

from host.hooks import Source
from host.runtime.manifests.manifest import MANIFEST_FILE, Manifest, read_manifest
from host.runtime.problems import DuplicatePluginError, ManifestError, NoEntryError, NoManifestError, PluginError

ENTRY_FILE = "plugin.py"
_PASSED_OVER = frozenset({"__pycache__", "data"})


@dataclass(frozen=True, slots=True)
class PluginRoot:
    """A folder of plugin folders.

    Args:
        path: the folder; one that does not exist holds no plugins.
        source: what the plugins in it are. Nothing that a plugin says of itself changes that.
    """

    path: Path
    source: Source


@dataclass(frozen=True, slots=True)
class FoundPlugin:
    """A folder that holds a plugin, or was meant to.

    Args:
        path: the folder, absolute.
        source: by the root it lies in.
        manifest: what it says of itself; None when that cannot be used.
        problem: what keeps it from being loaded; None when nothing does.
    """

    path: Path
    source: Source
    manifest: Manifest | None = None
    problem: PluginError | None = None

    @property
    def id(self) -> str:
        """The plugin's id; without a usable manifest, the name of its folder."""
        return self.manifest.id if self.manifest else self.path.name


def discover(roots: Iterable[PluginRoot]) -> list[FoundPlugin]:
    """Look through the folders of plugin folders, one level deep.

    Plain files, hidden folders, ``__pycache__``, ``data`` and folders with neither manifest nor plugin.py are passed
    over. An id that stands in several places blocks all of them.

    Returns:
        The plugins by id, in code-point order; of one id, by path.
    """
    found = [plugin for root in roots for folder in _folders(root.path) if (plugin := look(folder, root.source))]
    return sorted(_block_duplicates(found), key=lambda plugin: (plugin.id, str(plugin.path)))


def _folders(root: Path) -> list[Path]:
    try:
        entries = list(root.absolute().iterdir())
    except OSError as error:
        logger.warning("plugins are not looked for in {}: {}", root, error.strerror)
        return []
    return [each for each in entries if each.name not in _PASSED_OVER and each.name[0] != "." and each.is_dir()]


def look(folder: Path, source: Source) -> FoundPlugin | None:
    """What lies in one folder; None when it has neither manifest nor plugin.py."""
    file = folder / MANIFEST_FILE
    has_entry = (folder / ENTRY_FILE).is_file()
    if not file.exists():
        return FoundPlugin(folder, source, problem=NoManifestError(folder)) if has_entry else None
    try:
        manifest = read_manifest(file)
    except ManifestError as problem:
        return FoundPlugin(folder, source, problem=problem)
    return FoundPlugin(folder, source, manifest, None if has_entry else NoEntryError(manifest.id, folder))


def _block_duplicates(found: list[FoundPlugin]) -> list[FoundPlugin]:
    folders = defaultdict(list)
    for plugin in found:
        if plugin.manifest:
            folders[plugin.id].append(plugin.path)
    return [
        replace(plugin, problem=DuplicatePluginError(plugin.id, sorted(folders[plugin.id])))
        if plugin.manifest and len(folders[plugin.id]) > 1
        else plugin
        for plugin in found
    ]
