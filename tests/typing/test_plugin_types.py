"""Strict type checkers pass right plugins and find what is wrong in others, in its very line."""

import inspect
import re
from pathlib import Path

import pytest

import maibot_sdk
from tests.typing.checkers import Findings, mypy, pyright

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

RIGHT = (HERE / "sample_plugin.py").read_text(encoding="utf-8")
EVERY_DECORATOR = (HERE / "decorated_plugin.py").read_text(encoding="utf-8")
BUNDLED = {path.parent.name: path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("plugins/*/plugin.py"))}

_MISTAKE = re.compile(r"^( *)\S.*  # not: (.*)$", re.MULTILINE)
WRONG = _MISTAKE.sub(r"\1\2", RIGHT)
MISTAKES = {line: text for line, text in enumerate(WRONG.splitlines(), 1) if text != RIGHT.splitlines()[line - 1]}


def plugin_of_readme(name: str) -> str:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / name).read_text(encoding="utf-8"), re.DOTALL)
    (plugin,) = [block for block in blocks if "create_plugin" in block]
    return str(plugin)


PASSING = {
    "sample": RIGHT,
    "every_decorator": EVERY_DECORATOR,
    "readme": plugin_of_readme("README.md"),
    "readme_zh": plugin_of_readme("README.zh-CN.md"),
    **BUNDLED,
}


@pytest.fixture(scope="module", params=[mypy, pyright], ids=lambda checker: checker.__name__)
def findings(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Findings:
    """All that one checker finds in all plugins, each in a folder of its own away from this tree."""
    folder = tmp_path_factory.mktemp("plugins")
    for name, source in {**PASSING, "wrong": WRONG}.items():
        (folder / name).mkdir()
        (folder / name / "plugin.py").write_text(source, encoding="utf-8")
    found: Findings = request.param(folder)
    return found


@pytest.mark.parametrize("line", MISTAKES, ids=lambda line: MISTAKES[line].strip())
def test_a_mistake_is_found_in_its_line(findings: Findings, line: int) -> None:
    assert line in findings["wrong/plugin.py"]


def test_only_the_mistakes_are_found(findings: Findings) -> None:
    others = {line: text for line, text in findings["wrong/plugin.py"].items() if line not in MISTAKES}
    assert others == {}


@pytest.mark.parametrize("name", PASSING)
def test_there_is_nothing_to_find_in(findings: Findings, name: str) -> None:
    assert findings.get(f"{name}/plugin.py", {}) == {}


def test_the_plugin_with_every_decorator_has_every_decorator() -> None:
    offered = {name: getattr(maibot_sdk, name) for name in maibot_sdk.__all__}
    functions = {name for name, value in offered.items() if inspect.isfunction(value)}
    decorators = functions - {"Field", "WorkflowStep"}
    assert {name: EVERY_DECORATOR.count(f"    @{name}(") for name in decorators} == dict.fromkeys(decorators, 2)
