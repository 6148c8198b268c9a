"""The console script: looks whether the SDK is the right one before anything that needs it is imported."""

import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

PUBLISHED = "maibot-plugin-sdk"
"""The distribution whose place `maibot_sdk` takes here. Both bring a package of that name: the later one wins."""
_OURS = "maibot_sdk._payloads"

_MEND = "pip uninstall maibot-plugin-sdk && pip install --force-reinstall --no-deps maibot-host"
_BESIDE = (
    f"{PUBLISHED} {{version}} is installed beside this host, which brings its own maibot_sdk; one may overwrite the "
    f"other. To mend it: {_MEND}",
    f"{PUBLISHED} {{version}} 与本宿主安装在同一环境中，而本宿主自带 maibot_sdk，两者可能互相覆盖。修复方法：{_MEND}",
)
_OVERWRITTEN = (
    f"the maibot_sdk of this host was overwritten by {PUBLISHED} {{version}}. To mend it: {_MEND}",
    f"本宿主的 maibot_sdk 已被 {PUBLISHED} {{version}} 覆盖。修复方法：{_MEND}",
)


def sdk_problem() -> tuple[tuple[str, str], bool] | None:
    """What is wrong with the installed SDK.

    Returns:
        The text in English and Chinese, and whether the host can run all the same; None when all is well.
    """
    try:
        found = version(PUBLISHED)
    except PackageNotFoundError:
        return None
    runs = find_spec(_OURS) is not None
    english, chinese = _BESIDE if runs else _OVERWRITTEN
    return (english.format(version=found), chinese.format(version=found)), runs


def main() -> None:
    """Run the command line."""
    problem = sdk_problem()
    if problem is not None:
        texts, runs = problem
        # No language is known yet, and this has to be read.
        sys.stderr.write("\n".join(texts) + "\n")
        if not runs:
            sys.exit(1)
    from host.cli import main as command_line

    command_line()
