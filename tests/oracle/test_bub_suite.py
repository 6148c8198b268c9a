"""Bub's own tests, from its source distribution, with the dispatch of this project under them."""

import os
import re
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from benchmarks.interpreters import NotInstalledError, environment, find_interpreters
from benchmarks.measure import ROOT

pytestmark = [pytest.mark.oracle, pytest.mark.timeout(900)]  # installing takes its time

VERSION = "0.5.1"
REQUIREMENTS = (f"bub=={VERSION}", "pytest>=9,<10", "pytest-asyncio>=1.3,<2", "msgspec>=0.19,<1", "pydantic>=2.10,<3")
FILES = {"test_hook_runtime.py": 6, "test_agent_hooks.py": 17, "test_framework.py": 22}
"""Each file that dispatches, with the number of its tests."""
LIMIT_S = 300.0


@pytest.fixture(scope="module")
def python() -> Path:
    """A Python with Bub. Skipped where there is none that is new enough, or nothing can be installed."""
    found = [each for minor, each in find_interpreters().items() if minor >= (3, 12)]
    if not found:
        pytest.skip("Bub needs Python 3.12, and there is none")
    try:
        return environment(found[0], "bub-suite", REQUIREMENTS, seconds=LIMIT_S)
    except NotInstalledError as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def suite(python: Path) -> Iterator[Path]:
    """The folder of the unpacked source distribution."""
    with TemporaryDirectory(prefix="bub-suite-") as folder:
        wanted = [f"bub=={VERSION}", "--no-binary", "bub", "--no-deps", "--dest", folder]
        got = subprocess.run(
            [python, "-m", "pip", "download", "-q", *wanted],
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
        if got.returncode:
            if os.environ.get("CI") == "true":
                pytest.fail(got.stderr)
            pytest.skip("the source distribution of Bub could not be fetched")
        (archive,) = Path(folder).glob("bub-*.tar.gz")
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="data")
        yield Path(folder) / f"bub-{VERSION}"


@pytest.mark.parametrize("file", FILES)
def test_its_own_tests_pass_over_our_dispatch(python: Path, suite: Path, file: str) -> None:
    ran = _run(python, suite, file)
    print(ran.stdout[-2000:])
    assert ran.returncode == 0, ran.stdout[-6000:] + ran.stderr[-2000:]
    assert re.search(rf"^{FILES[file]} passed\b", ran.stdout, re.MULTILINE)
    assert ", 0 of Bub's own" in ran.stdout


def _run(python: Path, suite: Path, file: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [python, "-m", "pytest", "-q", "--tb=short", "-p", "tests.oracle.bub_dispatch", f"tests/{file}"],
        cwd=suite,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
