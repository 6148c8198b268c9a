"""How a plugin's modules find each other, and that nobody else finds them."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from host.runtime.importing import PluginPackage
from tests.runtime.plugin_folders import write_files

ON_PATH = "import sys; from pathlib import Path; sys.path.insert(0, str(Path(__file__).parent{}))\n"
"""What many plugins begin with: their folder, or one in it, goes on ``sys.path`` and stays there."""

Load = Callable[..., Any]


@pytest.fixture
def load(tmp_path: Path) -> Iterator[Load]:
    """Writes a plugin's files and imports its plugin.py; afterwards nothing public may be left of any of them."""
    path, modules, finders = list(sys.path), set(sys.modules), list(sys.meta_path)
    packages: list[PluginPackage] = []

    def load(name: str = "demo.plugin", **files: str) -> Any:
        folder = tmp_path / name
        write_files(
            folder, {file.replace("__", "/").replace("INIT", "__init__") + ".py": files[file] for file in files}
        )
        package = PluginPackage(name, folder)
        packages.append(package)
        with package.contained():
            module = package.import_module("plugin")
        assert sys.path == path
        assert {each for each in set(sys.modules) - modules if not each.startswith("_maibot_plugin_")} == set()
        return module

    yield load
    for package in packages:
        package.remove()
    assert sys.path == path
    assert set(sys.modules) - modules == set()
    assert sys.meta_path == finders
    assert [entry for entry in sys.path_importer_cache if entry.startswith(str(tmp_path))] == []


@pytest.mark.parametrize("init", [{}, {"INIT": "", "core__INIT": ""}], ids=["without __init__", "with __init__"])
@pytest.mark.parametrize("statement", ["from .core.box import VALUE", "from core.box import VALUE"])
def test_files_of_the_folder_are_imported_relatively_and_absolutely(
    load: Load, init: dict[str, str], statement: str
) -> None:
    files = {"core__box": "from ..config import VALUE", "config": "VALUE = 7", **init}
    assert load(plugin=statement, **files).VALUE == 7


@pytest.mark.parametrize(
    ("statement", "expression"),
    [
        ("import config", "config.VALUE"),
        ("import config as c", "c.VALUE"),
        ("import core.box", "core.box.VALUE"),
        ("import core.box as box", "box.VALUE"),
        ("from core import box", "box.VALUE"),
        ("from core.box import *", "VALUE"),
        ("box = __import__('core.box', fromlist=['VALUE'])", "box.VALUE"),
        ("core = __import__('core.box')", "core.box.VALUE"),
    ],
)
def test_each_form_of_absolute_import_binds_what_it_binds_elsewhere(
    load: Load, statement: str, expression: str
) -> None:
    plugin = load(plugin=f"{statement}\nresult = {expression}", config="VALUE = 7", core__box="VALUE = 7")
    assert plugin.result == 7


def test_relative_and_absolute_imports_give_one_module(load: Load) -> None:
    plugin = load(plugin="from . import config as one\nimport config as two", config="")
    assert plugin.one is plugin.two


def test_a_package_with_an_init_that_imports_the_plugin_is_imported_once(load: Load) -> None:
    plugin = load(
        INIT="from .plugin import TIMES",
        plugin="import counter\ncounter.TIMES += 1\nTIMES = counter.TIMES",
        counter="TIMES = 0",
    )
    assert plugin.TIMES == 1


def test_plugins_with_equally_named_modules_do_not_see_each_others(load: Load) -> None:
    sources = {"plugin": ON_PATH.format("") + "import config\nfrom core.box import VALUE"}
    one = load("team.one", **sources, config="NAME = 1", core__box="from config import NAME as VALUE")
    two = load("team.two", **sources, config="NAME = 2", core__box="from config import NAME as VALUE")
    assert (one.config.NAME, one.VALUE) == (1, 1)
    assert (two.config.NAME, two.VALUE) == (2, 2)


def test_ids_that_differ_in_their_joints_only_do_not_collide(load: Load) -> None:
    one = load("x.a", plugin="import config", config="NAME = 1")
    two = load("x-a", plugin="import config", config="NAME = 2")
    assert (one.config.NAME, two.config.NAME) == (1, 2)


def test_an_import_inside_a_function_finds_the_plugins_own_file_later(load: Load) -> None:
    later = "def value():\n    import config\n    from core import box\n    return config.NAME + box.NAME"
    one = load("team.one", plugin=later, config="NAME = 1", core__box="NAME = 10")
    two = load("team.two", plugin=later, config="NAME = 2", core__box="NAME = 20")
    assert (one.value(), two.value(), one.value()) == (11, 22, 11)


def test_folders_inside_the_plugin_that_it_puts_on_the_path_are_looked_in(load: Load) -> None:
    plugin = load(
        plugin=ON_PATH.format(" / 'vendor'") + "import lib\ndef later():\n    import other\n    return other",
        vendor__lib="import other",
        vendor__other="",
    )
    assert plugin.later() is plugin.lib.other


def test_such_a_folder_counts_for_later_imports_even_if_nothing_was_imported_from_it_yet(load: Load) -> None:
    source = "def later():\n    import lib\n    return lib.NAME\n" + ON_PATH.format(" / 'vendor'")
    assert load(plugin=source, vendor__lib="NAME = 3").later() == 3


def test_such_a_folder_counts_for_a_name_that_was_missed_before(load: Load) -> None:
    tries = "try:\n    import lib\nexcept ImportError:\n    lib = None\n"
    plugin = load(
        plugin=tries + "first = lib\n" + ON_PATH.format(" / 'vendor'") + tries + "import lib as again",
        vendor__lib="",
    )
    assert plugin.first is None
    assert plugin.again is plugin.lib
    assert plugin.lib.__name__.startswith("_maibot_plugin_")


def test_what_a_running_plugin_puts_on_the_path_is_taken_off_by_removal(tmp_path: Path) -> None:
    write_files(tmp_path, {"plugin.py": "def run():\n    " + ON_PATH.format("")})
    package = PluginPackage("demo.plugin", tmp_path)
    package.import_module("plugin").run()
    assert str(tmp_path) in sys.path
    package.remove()
    assert str(tmp_path) not in sys.path


def test_a_module_asked_for_by_its_name_is_taken_out_of_the_public_modules(load: Load) -> None:
    source = ON_PATH.format("") + "import importlib\nbox = importlib.import_module('core.box')"
    assert load("team.one", plugin=source, core__box="NAME = 1").box.NAME == 1
    assert load("team.two", plugin=source, core__box="NAME = 2").box.NAME == 2


def test_a_path_list_that_the_plugin_replaces_is_put_back(load: Load) -> None:
    before = sys.path
    load(plugin="import sys\nsys.path = ['/nowhere']")
    assert sys.path is before


def test_names_of_the_standard_library_and_the_sdk_are_never_the_plugins(load: Load) -> None:
    plugin = load(
        plugin="import json, maibot_sdk\nfrom .json import NAME",
        json="import json\nNAME = json.dumps(1)",
        maibot_sdk="",
    )
    assert plugin.json is sys.modules["json"]
    assert plugin.maibot_sdk.MaiBotPlugin
    assert plugin.NAME == "1"


def test_a_module_does_not_mean_itself_by_an_absolute_name(load: Load) -> None:
    plugin = load(plugin="import pytest as mine", pytest="import pytest\nreal = pytest")
    assert plugin.mine is not pytest
    assert plugin.mine.real is pytest


def test_a_folder_without_init_gives_way_to_an_installed_package(load: Load) -> None:
    assert load(plugin="import pytest", pytest__notes="").pytest is pytest


def test_a_sibling_wins_over_an_installed_module_of_the_same_name(load: Load) -> None:
    assert load(plugin="import pluggy", pluggy="NAME = 'mine'").pluggy.NAME == "mine"


def test_a_missing_module_is_an_import_error(load: Load) -> None:
    plugin = load(plugin="try:\n    import not_there_at_all\nexcept ImportError as error:\n    name = error.name")
    assert plugin.name == "not_there_at_all"


def test_annotations_of_plugin_classes_can_be_resolved(load: Load) -> None:
    plugin = load(
        plugin="""
        from __future__ import annotations
        from dataclasses import dataclass
        from typing import get_type_hints
        from pydantic import BaseModel
        import shapes

        @dataclass
        class Pair:
            first: shapes.Point

        class Line(BaseModel):
            start: shapes.Point

        hints = get_type_hints(Pair)
        """,
        shapes="from pydantic import BaseModel\nclass Point(BaseModel):\n    x: int = 0",
    )
    assert plugin.hints == {"first": plugin.shapes.Point}
    assert plugin.Line(start={"x": "3"}).start.x == 3


def test_no_compiled_file_is_written_and_an_edit_within_the_second_counts(
    load: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    for value in (1, 2, 3):
        plugin = load(plugin="from config import number", config=f"number = {value}")
        assert plugin.number == value
    assert list(tmp_path.rglob("__pycache__")) == []


def test_what_a_failed_import_had_imported_is_forgotten_by_removal(tmp_path: Path) -> None:
    write_files(tmp_path, {"plugin.py": "import config\n1 / 0", "config.py": ""})
    package = PluginPackage("demo.plugin", tmp_path)
    with package.contained(), pytest.raises(ZeroDivisionError):
        package.import_module("plugin")
    assert f"{package.name}.config" in sys.modules
    package.remove()
    assert [name for name in sys.modules if name.startswith(package.name)] == []


def test_modules_that_the_host_imported_from_the_folder_before_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, {"plugin.py": "", "known_to_the_host.py": ""})
    monkeypatch.syspath_prepend(str(tmp_path))
    known = __import__("known_to_the_host")
    package = PluginPackage("demo.plugin", tmp_path)
    with package.contained():
        package.import_module("plugin")
    assert sys.modules["known_to_the_host"] is known
    del sys.modules["known_to_the_host"]
    package.remove()
