"""What is installed: the program works in a fresh environment, away from the checkout, and takes nobody's names."""

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.cli.running import environment, sample_lines

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ``bin`` folder of an environment that the project was installed into with plain pip."""
    home = tmp_path_factory.mktemp("fresh") / "env"
    venv.create(home, with_pip=True)
    binaries = home / ("Scripts" if sys.platform == "win32" else "bin")
    subprocess.run(
        [binaries / "python", "-m", "pip", "install", "-q", "-c", ROOT / "requirements.txt", ROOT],
        check=True,
        timeout=600,
        env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
    )
    return binaries


@pytest.mark.timeout(900)
def test_the_installed_program_plays_a_recorded_chat_with_its_bundled_plugins(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "chat.jsonl").write_bytes(b"".join(sample_lines()))
    run = subprocess.run(
        [installed / "maibot-host", "run", "--no-web", "--input", "chat.jsonl"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=environment(),
    )
    assert run.returncode == 0, run.stderr
    assert f"{len(sample_lines())} message(s)" in run.stdout
    assert "maibot-host.word-filter" in run.stdout
    assert "maibot-host.message-log" in run.stderr


def test_only_its_own_names_are_installed(installed: Path) -> None:
    code = """
from importlib.metadata import files
tops = {f.parts[0] for f in files("maibot-host")}
print(*sorted(top for top in tops if not top.endswith(".dist-info") and top != ".."))
print(*sorted(str(f) for f in files("maibot-host") if f.name == "py.typed"))
print(any("bundled_plugins/word_filter/plugin.py" in str(f) for f in files("maibot-host")))
"""
    run = subprocess.run([installed / "python", "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert run.stdout.splitlines() == [
        "host maibot_sdk webui_api",
        "host/py.typed maibot_sdk/py.typed webui_api/py.typed",
        "True",
    ]
