"""mypy and pyright, both strict, run over a folder of plugins as their author would run them."""

import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

Findings = dict[str, dict[int, str]]
"""By file, relative to the folder, and by line, what was found there."""


def mypy(folder: Path) -> Findings:
    """What ``mypy --strict`` finds wrong in a folder."""
    options = ("--strict", "--config-file=", "--explicit-package-bases", "--cache-dir=.mypy_cache", "--output=json")
    found = [json.loads(line) for line in _run(folder, "mypy", *options, ".").splitlines()]
    return _by_place((each["file"], each["line"], each["message"]) for each in found if each["severity"] == "error")


def pyright(folder: Path) -> Findings:
    """What pyright finds wrong in a folder, with its type checking mode set to strict."""
    (folder / "pyrightconfig.json").write_text(json.dumps({"typeCheckingMode": "strict"}), encoding="utf-8")
    told = json.loads(_run(folder, "pyright", "--pythonpath", sys.executable, "--outputjson"))
    assert told["summary"]["filesAnalyzed"] > 0
    return _by_place(
        (
            Path(each["file"]).relative_to(folder.resolve()).as_posix(),
            each["range"]["start"]["line"] + 1,
            each["message"],
        )
        for each in told["generalDiagnostics"]
    )


def _run(folder: Path, module: str, *arguments: str) -> str:
    # Otherwise pyright asks a package index whether there is a newer one.
    environment = {**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
    ran = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    # 1 says that there are findings; anything above, that the checker itself failed.
    assert ran.returncode in (0, 1), ran.stdout + ran.stderr
    return ran.stdout


def _by_place(found: Any) -> Findings:
    findings: Findings = defaultdict(dict)
    for file, line, message in found:
        findings[file][line] = f"{findings[file].get(line, '')}{message}\n"
    return dict(findings)
