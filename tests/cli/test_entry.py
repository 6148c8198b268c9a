"""The published SDK in the same environment: the host says so at start, and how to mend it."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

from tests.cli.running import environment

ROOT = Path(__file__).parent.parent.parent


async def _run(*search: Path, cwd: Path) -> tuple[int | None, str]:
    env = environment(PYTHONPATH=os.pathsep.join(map(str, search)))
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "host", "hooks", stdout=PIPE, stderr=PIPE, cwd=cwd, env=env
    )
    _, err = await process.communicate()
    return process.returncode, err.decode()


def _published(folder: Path) -> Path:
    """What pip would have recorded of the published package."""
    info = folder / "maibot_plugin_sdk-2.16.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: maibot-plugin-sdk\nVersion: 2.16.0\n")
    return folder


async def test_beside_the_hosts_own_sdk_it_is_warned_about_in_both_languages(tmp_path: Path) -> None:
    code, err = await _run(_published(tmp_path / "site"), ROOT, cwd=tmp_path)
    assert code == 0, err
    assert "maibot-plugin-sdk 2.16.0 is installed beside this host" in err
    assert "修复方法：pip uninstall maibot-plugin-sdk" in err


async def test_in_the_place_of_the_hosts_own_sdk_nothing_is_started(tmp_path: Path) -> None:
    site = _published(tmp_path / "site")
    (site / "maibot_sdk").mkdir()
    (site / "maibot_sdk" / "__init__.py").write_text("")
    code, err = await _run(site, ROOT, cwd=tmp_path)
    assert code == 1
    assert "was overwritten by maibot-plugin-sdk 2.16.0" in err
    assert "Traceback" not in err


async def test_alone_nothing_is_said(tmp_path: Path) -> None:
    code, err = await _run(ROOT, cwd=tmp_path)
    assert (code, "maibot-plugin-sdk" in err) == (0, False)
