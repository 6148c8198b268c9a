"""What the log says while a test runs."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from loguru import logger


@pytest.fixture
def said() -> Iterator[list[str]]:
    """Warnings and errors, each as ``LEVEL: message``."""
    lines: list[str] = []

    def keep(message: object) -> None:
        record = message.record  # type: ignore[attr-defined]
        lines.append(f"{record['level'].name}: {record['message']}")

    sink = logger.add(keep, level="WARNING")
    yield lines
    logger.remove(sink)


@pytest.fixture(scope="session")
def bub_hooks() -> list[dict[str, Any]]:
    """Every hook of both editions of the pages and of the released code, as they describe it."""
    pages: list[dict[str, Any]] = json.loads(
        (Path(__file__).parents[1] / "data" / "bub" / "hooks.json").read_text("utf-8")
    )
    return pages
