"""Importing a plugin's folder as a package that nobody else can name.

Plugins reach the files beside them in two ways, and many share names such as ``config`` and ``core``:

- ``from .config import X`` works as in any package, with or without ``__init__.py``;
- ``from config import X`` is how scripts do it. The plugin's modules get an ``__import__`` of their own, which looks
  in the plugin's folder first. It is part of the modules, so imports inside functions find their file as well,
  whenever they run. Folders inside the plugin's folder that the plugin puts on ``sys.path`` are looked in too.

Names of the standard library and ``maibot_sdk`` are never taken from the folder, a module never means itself, and a
folder without ``__init__.py`` gives way to an installed module, as everywhere in Python. What asks for a file by its
name without an import statement (``importlib.import_module("config")``) finds it only while the plugin is imported
and loaded, and only if the plugin put its folder on ``sys.path``.
"""

import builtins
import importlib
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from itertools import count, takewhile
from pathlib import Path
from types import ModuleType
from typing import Any

PRIVATE = "_maibot_plugin_"
"""How the names of all private packages begin. A plugin that is reloaded has two for a while, the old and the new."""
_NEVER_SIBLINGS = sys.stdlib_module_names | {"maibot_sdk"}


class PluginPackage:
    """A plugin's folder as a private package.

    Args:
        plugin_id: makes the package's name readable in tracebacks.
        folder: the plugin's folder, absolute.

    Attributes:
        name: the package's name in ``sys.modules``; no two packages of a process have the same.
    """

    def __init__(self, plugin_id: str, folder: Path) -> None:
        self.name = _free_name(plugin_id)
        self._folder = folder
        self._folder_text = str(folder)
        self._real_folder = os.path.realpath(folder)
        self._search = [str(folder)]
        self._seen_on_path: set[str] = set()
        self._siblings: dict[str, bool] = {}
        # The latest is enough, since they stand in the order in which they came. To look at all of them is to write to
        # all of them (their reference counts), which a forked process pays for with memory of its own.
        self._latest_before = next(reversed(sys.modules))
        self._finder = _PackageFinder(self.name, folder, self._search, self._import)

    def import_module(self, name: str) -> ModuleType:
        """Import one module of the folder, and what it imports. Raises whatever its code raises.

        Args:
            name: as written inside the package: ``plugin`` for plugin.py.
        """
        if self._finder not in sys.meta_path:
            sys.meta_path.insert(0, self._finder)
        return importlib.import_module(f"{self.name}.{name}")

    @contextmanager
    def contained(self) -> Iterator[None]:
        """Run code of the plugin, and put ``sys.path`` and the public names in ``sys.modules`` back afterwards."""
        path, entries = sys.path, list(sys.path)
        try:
            yield
        finally:
            self._adopt_search_folders()
            sys.path = path
            sys.path[:] = entries
            self._forget(self._strays())

    def remove(self) -> None:
        """Take everything of the package out of the interpreter. Code of it that still runs can import it no more."""
        if self._finder in sys.meta_path:
            sys.meta_path.remove(self._finder)
        own = [name for name in sys.modules if name == self.name or name.startswith(f"{self.name}.")]
        self._forget([*own, *self._strays()])
        sys.path[:] = [entry for entry in sys.path if not self._is_inside(entry)]
        for entry in [entry for entry in sys.path_importer_cache if self._is_inside(entry)]:
            del sys.path_importer_cache[entry]

    def _import(
        self,
        name: str,
        globals: Mapping[str, Any] | None = None,  # noqa: A002 - the names that Python gives them
        locals: Mapping[str, Any] | None = None,  # noqa: A002
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """``__import__`` as the plugin's modules see it."""
        top = name.partition(".")[0]
        if level != 0 or top in _NEVER_SIBLINGS or not self._is_sibling(top, globals or {}):
            return builtins.__import__(name, globals, locals, fromlist or (), level)
        module = builtins.__import__(f"{self.name}.{name}", globals, locals, fromlist or (), 0)
        return module if fromlist else sys.modules[f"{self.name}.{top}"]

    def _is_sibling(self, top: str, importer: Mapping[str, Any]) -> bool:
        if importer.get("__name__") == f"{self.name}.{top}" and "__path__" not in importer:
            return False
        self._adopt_search_folders()
        if top not in self._siblings:
            self._siblings[top] = self._find_sibling(top)
        return self._siblings[top]

    def _find_sibling(self, top: str) -> bool:
        spec = PathFinder.find_spec(f"{self.name}.{top}", self._search)
        if spec is None:
            return False
        if spec.origin is not None:
            return True
        installed = PathFinder.find_spec(top)
        return installed is None or installed.origin is None

    def _adopt_search_folders(self) -> None:
        for entry in sys.path:
            if entry in self._seen_on_path:
                continue
            self._seen_on_path.add(entry)
            if self._is_inside(entry) and entry not in self._search:
                self._search.append(entry)
                self._siblings.clear()

    def _strays(self) -> list[str]:
        """Modules of the folder that got in under a public name since this package was made."""
        newer = [(name, sys.modules[name]) for name in takewhile(self._latest_before.__ne__, reversed(sys.modules))]
        return [
            name
            for name, module in newer
            if not name.startswith(PRIVATE) and any(map(self._is_inside, _places(module)))
        ]

    def _forget(self, names: list[str]) -> None:
        for name in names:
            sys.modules.pop(name, None)

    def _is_inside(self, path: str) -> bool:
        return _is_below(path, self._folder_text) or _is_below(_real_path(path), self._real_folder)


class _PackageFinder(MetaPathFinder):
    """Finds the modules of one private package, and nothing else."""

    def __init__(self, package: str, folder: Path, search: list[str], importer: Callable[..., ModuleType]) -> None:
        self._package = package
        self._folder = folder
        self._search = search
        self._builtins = {**vars(builtins), "__import__": importer}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None, /
    ) -> ModuleSpec | None:
        if fullname == self._package:
            return self._package_spec()
        if not fullname.startswith(f"{self._package}."):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _PluginLoader(fullname, spec.loader.path, self._builtins)
        return spec

    def _package_spec(self) -> ModuleSpec:
        file = self._folder / "__init__.py"
        if not file.is_file():
            spec = ModuleSpec(self._package, None, is_package=True)
        else:
            loader = _PluginLoader(self._package, str(file), self._builtins)
            spec = ModuleSpec(self._package, loader, origin=str(file), is_package=True)
            spec.has_location = True
        # The very list that the package's `__path__` becomes: a folder adopted later is found at once.
        spec.submodule_search_locations = self._search
        return spec


class _PluginLoader(SourceFileLoader):
    """Loads a source file so that its import statements are the plugin's own."""

    def __init__(self, fullname: str, path: str, module_builtins: Mapping[str, Any]) -> None:
        super().__init__(fullname, path)
        self._builtins = module_builtins

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = ModuleType(spec.name)
        vars(module)["__builtins__"] = self._builtins
        return module

    def path_stats(self, path: str) -> Mapping[str, Any]:
        """No compiled files: they know an edit by the second only, too coarse for a reload after a quick fix."""
        raise OSError(f"{path} is always compiled afresh")


def _free_name(plugin_id: str) -> str:
    slug = re.sub(r"[^A-Za-z0-9_]", "_", plugin_id)
    return next(name for n in count(1) if (name := f"{PRIVATE}{slug}_{n}") not in sys.modules)


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}{os.sep}")


def _real_path(path: str) -> str:
    # What a relative path means changes with the working folder.
    return _real_path_of(path) if Path(path).is_absolute() else os.path.realpath(path)


@lru_cache(maxsize=4096)
def _real_path_of(path: str) -> str:
    """Remembered, since every plugin asks for all of ``sys.path``; links on it are not changed while a host runs."""
    return os.path.realpath(path)


def _places(module: ModuleType | None) -> list[str]:
    if not isinstance(module, ModuleType):
        return []
    file = vars(module).get("__file__")
    return [file] if isinstance(file, str) else [str(place) for place in vars(module).get("__path__", ())]
