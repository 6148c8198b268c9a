"""Runners: the processes that third-party plugins run in, how they are made, talked to and ended."""

import sys

from host.runtime.runners.process import Launcher

__all__ = ["Launcher", "launcher"]


_FORKS: bool = sys.platform == "linux"


def launcher() -> Launcher:
    """What makes runner processes here: a warm parent that forks where that is safe, else fresh interpreters."""
    if _FORKS:
        from host.runtime.runners.warm_parent import WarmParent

        return WarmParent()
    from host.runtime.runners.fresh_interpreter import FreshInterpreter

    return FreshInterpreter()
