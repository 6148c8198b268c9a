"""How much memory a runner's process may use."""

import sys
from contextlib import suppress
from pathlib import Path


def limit_memory(limit: int) -> None:
    """Let this process take at most so many bytes of memory beyond what it has now; more raises MemoryError.

    Does nothing on systems that cannot do it; the host looks at the memory of its processes from outside as well.
    """
    if sys.platform != "linux":
        return
    import resource

    with suppress(ValueError, OSError):  # A lower limit of the machine's owner stands.
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (_data_bytes() + limit, hard))


def own_bytes(pid: int) -> int | None:
    """The memory that a process shares with no other, in bytes; None where the system does not tell, or it is gone."""
    return _rollup(pid, ("Private_Clean:", "Private_Dirty:"))


def proportional_bytes(pid: int) -> int | None:
    """The memory of a process in bytes, with its share of what it shares with others (PSS); None as above.

    Takes some milliseconds for a large process: use a thread.
    """
    return _rollup(pid, ("Pss:",))


def _rollup(pid: int, names: tuple[str, ...]) -> int | None:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    return sum(int(line.split()[1]) for line in lines if line.split()[0] in names) * 1024


def _data_bytes() -> int:
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmData:"):
            return int(line.split()[1]) * 1024
    return 0
