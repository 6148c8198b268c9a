"""The recorded surface, which the tests of the SDK compare ours with, is that of the published package."""

import json

import pytest

from tests.oracle.comparison import Both, differences
from tests.oracle.sdk import ROOT

pytestmark = pytest.mark.oracle


def test_the_recorded_surface_is_the_published_one(both: Both) -> None:
    question = {"ask": "surface", "path": str(ROOT / "tests" / "sdk" / "surface.py")}
    (theirs,), _ = both.answers([question])
    recorded = json.loads((ROOT / "tests" / "data" / "sdk_surface.json").read_text(encoding="utf-8"))
    assert list(differences(theirs["returns"], recorded)) == []
