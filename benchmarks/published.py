"""The published package that the SDK here is held against, in an environment of its own. Its source is never read."""

from pathlib import Path

import pydantic

from benchmarks.interpreters import Interpreter, environment

PUBLISHED = "maibot-plugin-sdk"
VERSION = "2.16.0"


def python_of_published(interpreter: Interpreter, seconds: float | None = None) -> Path:
    """The Python of an environment with the published package and the pydantic that is used here.

    The SDK here runs in it too, from this tree, so that both can be measured with the same everything else.

    Args:
        interpreter: what the environment is made with.
        seconds: how long each step of making it may take; any time when None.

    Raises:
        NotInstalledError: it was never made, and cannot be made now.
    """
    requirements = (f"{PUBLISHED}=={VERSION}", f"pydantic=={pydantic.VERSION}")
    return environment(interpreter, PUBLISHED, requirements, seconds=seconds)
