"""Launchers whose runners do as they are told."""

from collections.abc import AsyncIterator
from functools import partial

import pytest

from host.runtime.runners.fresh_interpreter import FreshInterpreter
from host.runtime.runners.process import Launcher
from host.runtime.runners.warm_parent import WarmParent
from tests.runtime.runners.told import ENTRY


@pytest.fixture
async def warm_parent() -> AsyncIterator[WarmParent]:
    launcher = WarmParent(imports=(), entry=ENTRY)
    yield launcher
    await launcher.aclose()


@pytest.fixture(params=[partial(WarmParent, imports=()), FreshInterpreter], ids=["forked", "fresh"])
async def launcher(request: pytest.FixtureRequest) -> AsyncIterator[Launcher]:
    """Each kind of launcher."""
    launcher: Launcher = request.param(entry=ENTRY)
    yield launcher
    await launcher.aclose()
