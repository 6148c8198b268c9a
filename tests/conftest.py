"""Fixtures that several rooms use."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings
from loguru import logger

# How fast inputs are made says something about the machine, and nothing about the host.
settings.register_profile("host", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("host")


@pytest.fixture
def logged() -> Iterator[list[str]]:
    """Every log line written during the test, as ``"LEVEL message"``."""
    lines: list[str] = []
    sink = logger.add(lambda line: lines.append(str(line).rstrip("\n")), format="{level} {message}", level="DEBUG")
    yield lines
    logger.remove(sink)


@pytest.fixture
def anyio_backend() -> str:
    """The host needs asyncio."""
    return "asyncio"
