"""The READMEs say what is true: their examples run, and both languages say the same."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from host import Host, Settings
from host.catalogue import BUILTIN_HOOKS
from host.runtime import PluginState

ROOT = Path(__file__).parent.parent
READMES = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "README.zh-CN.md")}


def _blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


@pytest.mark.parametrize("name", READMES)
def test_the_embedding_example_runs_as_it_stands(name: str, tmp_path: Path) -> None:
    (code,) = [block for block in _blocks(READMES[name], "python") if "asyncio.run" in block]
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert (run.returncode, run.stdout) == (0, "HELLO\n"), run.stderr


@pytest.mark.parametrize("name", READMES)
async def test_the_first_plugin_loads_without_a_warning(name: str, tmp_path: Path) -> None:
    (manifest,) = [block for block in _blocks(READMES[name], "json") if "manifest_version" in block]
    (code,) = [block for block in _blocks(READMES[name], "python") if "create_plugin" in block]
    folder = tmp_path / "my_plugins" / "hello"
    folder.mkdir(parents=True)
    (folder / "_manifest.json").write_text(manifest, encoding="utf-8")
    (folder / "plugin.py").write_text(code, encoding="utf-8")
    settings = Settings(plugin_dirs=(folder.parent,), data_dir=tmp_path / "data", bundled_plugins=False)
    async with Host(settings) as host:
        plugin = host.plugins[json.loads(manifest)["id"]]
        assert plugin.state is PluginState.ACTIVE
        assert plugin.registration is not None
        assert plugin.registration.warnings == ()
        assert len(plugin.registration.handlers) >= 2


@pytest.mark.parametrize("name", READMES)
def test_the_table_of_hooks_is_the_catalogue(name: str) -> None:
    rows = re.findall(r"^\| `([\w.]+)` \|[^|]*\| (.) \| (.) \| (\d+) (?:s|秒) \|", READMES[name], re.MULTILINE)
    told = {hook: (abort == "✓", change == "✓", int(seconds)) for hook, abort, change, seconds in rows}
    assert told == {
        spec.name: (spec.allow_abort, spec.allow_kwargs_mutation, (spec.default_timeout_ms or 60_000) // 1000)
        for spec in BUILTIN_HOOKS
    }


def test_both_languages_have_the_same_parts_and_the_same_code() -> None:
    english, chinese = READMES.values()
    for pattern in (r"^(#+) ", r"^\|", r"^\d\. ", r"^- "):
        assert len(re.findall(pattern, english, re.MULTILINE)) == len(re.findall(pattern, chinese, re.MULTILINE)), (
            pattern
        )
    for language in ("python", "json", "sh", "toml"):
        assert len(_blocks(english, language)) == len(_blocks(chinese, language))
    assert _blocks(english, "json")[0].count(":") == _blocks(chinese, "json")[0].count(":")


def test_importing_the_kernel_brings_in_no_bot() -> None:
    code = (
        "import sys, host.hooks; print([m for m in sys.modules if m.startswith(('host.bot', 'host.app', 'fastapi'))])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert run.stdout == "[]\n"
