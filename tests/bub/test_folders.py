"""Plugins that lie in folders beside those of the other family."""

from pathlib import Path

import pytest

from host.bub import Framework
from host.bub.folders import plugins_in

MODULE = """
from host.bub import hookimpl
from {sibling} import ANSWER

@hookimpl
def resolve_session(message):
    return ANSWER
"""

FACTORY = """
from host.bub import hookimpl
from .config import ANSWER

class Plugin:
    def __init__(self, framework):
        self.framework = framework

    @hookimpl
    def resolve_session(self):
        return ANSWER if self.framework is not None else None

plugin = Plugin
"""


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def loaded(root: Path) -> Framework:
    host = Framework()
    host.plugins.load(host, plugins_in([root, root / "missing"]))
    return host


async def test_projects_modules_and_factories_come_in_and_share_no_names(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a_module/bub_plugin.py": MODULE.format(sibling="config"),
            "a_module/config.py": "ANSWER = 'module'",
            "b_factory/bub_plugin.py": FACTORY,
            "b_factory/config.py": "ANSWER = 'factory'",
            "c_project/pyproject.toml": "[project.entry-points.bub]\nland = 'land.main:it.plugin'\n",
            "c_project/src/land/__init__.py": "",
            "c_project/src/land/config.py": "ANSWER = 'project'",
            "c_project/src/land/main.py": FACTORY + "\nclass it:\n    plugin = Plugin\n",
        },
    )
    host = loaded(tmp_path)
    assert {name: status.is_success for name, status in host.plugins.statuses.items()} == {
        "a_module": True,
        "b_factory": True,
        "land": True,
    }
    assert await host.runtime.call_many("resolve_session", message={}) == ["project", "factory", "module"]


async def test_a_broken_folder_is_told_and_leaves_the_others(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a_syntax/bub_plugin.py": "def",
            "b_toml/pyproject.toml": "[project",
            "c_attribute/pyproject.toml": "[project.entry-points.bub]\nc = 'main:nothing'\n",
            "c_attribute/main.py": "",
            "d_good/bub_plugin.py": MODULE.format(sibling=".config"),
            "d_good/config.py": "ANSWER = 'good'",
        },
    )
    host = loaded(tmp_path)
    failed = {name: status.detail for name, status in host.plugins.statuses.items() if not status.is_success}
    assert list(failed) == ["a_syntax", "b_toml", "c"]
    assert "nothing" in str(failed["c"])
    assert await host.runtime.call_first("resolve_session", message={}) == "good"


@pytest.mark.parametrize(
    "files",
    [
        {"maibot/_manifest.json": "{}", "maibot/bub_plugin.py": "raise RuntimeError"},
        {"maibot/plugin.py": "raise RuntimeError"},
        {".hidden/bub_plugin.py": "raise RuntimeError"},
        {"other/pyproject.toml": "[project]\nname = 'x'\n"},
        {"bub_plugin.py": "raise RuntimeError"},
    ],
)
def test_what_is_no_plugin_of_this_family_is_passed_over(tmp_path: Path, files: dict[str, str]) -> None:
    write(tmp_path, files)
    assert plugins_in([tmp_path]) == []
