"""Starting another Python of the same kind as this one."""

import json
import sys


def python_running(module: str, *arguments: str) -> list[str]:
    """The command of a Python that runs ``main()`` of a module.

    It imports from the same places as this one, wherever it is started, and its ``__main__`` is empty: what a plugin
    starts with `multiprocessing` imports that again.

    Args:
        module: the module's full name.
        arguments: its ``sys.argv[1:]``.
    """
    path = json.dumps([str(entry) for entry in sys.path])
    code = f"import json, sys; sys.path[:] = json.loads(sys.argv.pop()); from {module} import main; main()"
    # -P: the working folder is looked in only if this Python does so too.
    return [sys.executable, "-P", "-c", code, *arguments, path]
