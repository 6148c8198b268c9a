"""Plugins that lie in folders, beside those of the other family.

A folder is one where it has either

- a ``pyproject.toml`` with entry points of the group ``bub``, as a plugin's own repository has: each of them is a
  plugin, imported from ``src`` where there is such a folder, else from the folder itself; or
- a ``bub_plugin.py``: its attribute ``plugin`` where it has one, else the module.

A folder that says of itself that it is a plugin of the other family is none of this one.
"""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any

from host.bub.plugins import GROUP
from host.runtime.importing import PluginPackage
from host.runtime.manifests.manifest import MANIFEST_FILE

ENTRY_FILE = "bub_plugin.py"
PROJECT_FILE = "pyproject.toml"


@dataclass(frozen=True, slots=True)
class FolderEntryPoint:
    """A plugin in a folder, as the loader takes it: like an entry point of an installed package.

    Args:
        name: the plugin's name.
        folder: what modules are imported from; nobody else can import them by name.
        value: ``module`` or ``module:attribute``.
        optional: the module is the plugin where it has no such attribute.
    """

    name: str
    folder: Path
    value: str
    optional: bool = False

    def load(self) -> Any:
        """Import the module, and give what the entry point names.

        Raises:
            Exception: whatever the code raises; AttributeError where the module has no such attribute.
        """
        module_name, _, attributes = self.value.partition(":")
        package = PluginPackage(f"bub_{self.name}", self.folder)
        with package.contained():
            module = package.import_module(module_name.strip())
        if self.optional and not hasattr(module, attributes):
            return module
        return reduce(getattr, filter(None, attributes.strip().split(".")), module)


@dataclass(frozen=True, slots=True)
class UnreadableProject:
    """A folder whose ``pyproject.toml`` cannot be read; loading it says so."""

    name: str
    problem: Exception

    def load(self) -> Any:
        """Raises the problem."""
        raise self.problem


def plugins_in(roots: Iterable[Path]) -> list[FolderEntryPoint | UnreadableProject]:
    """The plugins in folders of plugin folders, one level deep, by path. Hidden folders are passed over."""
    return [
        point
        for root in roots
        if root.is_dir()
        for folder in sorted(root.absolute().iterdir())
        if folder.is_dir() and folder.name[0] != "." and not (folder / MANIFEST_FILE).exists()
        for point in _in_folder(folder)
    ]


def _in_folder(folder: Path) -> list[FolderEntryPoint | UnreadableProject]:
    project = folder / PROJECT_FILE
    if project.is_file():
        try:
            named = tomllib.loads(project.read_text("utf-8")).get("project", {}).get("entry-points", {}).get(GROUP, {})
        except (OSError, ValueError) as error:
            return [UnreadableProject(folder.name, error)]
        if named:
            source = folder / "src"
            imported_from = source if source.is_dir() else folder
            return [FolderEntryPoint(name, imported_from, value) for name, value in named.items()]
    if (folder / ENTRY_FILE).is_file():
        return [FolderEntryPoint(folder.name, folder, f"{Path(ENTRY_FILE).stem}:plugin", optional=True)]
    return []
