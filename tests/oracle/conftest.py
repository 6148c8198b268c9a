"""Both SDKs, for a whole test run."""

import os
from collections.abc import Iterator

import pytest

from benchmarks.interpreters import NotInstalledError
from tests.oracle import sdk
from tests.oracle.comparison import Both


@pytest.fixture(scope="session")
def both() -> Iterator[Both]:
    """Asks the published SDK and the one here the same questions."""
    try:
        published = sdk.published()
    except NotInstalledError as missing:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"nothing to compare with: {missing}")
    ours = sdk.ours()
    yield Both(published=published, ours=ours)
    ours.close()
    published.close()
