"""What the log says while a test runs."""

from collections.abc import Iterator

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
