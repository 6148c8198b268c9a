"""A PostgreSQL server for the tests: in a folder of its own, on a Unix socket, gone afterwards."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path


@dataclass(frozen=True, slots=True)
class PostgresServer:
    """A running server.

    Args:
        programs: the folder of its programs.
        home: the folder of its data and its socket.
        user: whom it runs as, or None for whoever runs the tests.
    """

    programs: Path
    home: Path
    user: str | None
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def new_database(self) -> str:
        """Make an empty database.

        Returns:
            Its URL.
        """
        name = f"chats_{next(self._numbers)}"
        self.run("createdb", "-h", str(self.home), "-U", "maibot", name)
        return f"postgresql://maibot@/{name}?host={self.home}"

    def run(self, program: str, *arguments: str) -> None:
        """Run one of its programs to the end."""
        # The output goes nowhere: a server that is started keeps it open.
        subprocess.run(
            [self.programs / program, *arguments],
            check=True,
            timeout=60,
            user=self.user,
            cwd=self.home,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


def programs() -> Path | None:
    """Where PostgreSQL's programs lie: on the path, or where Debian puts them; None where it is not installed."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    return max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name), default=None)


@contextmanager
def running_server(programs: Path) -> Iterator[PostgresServer]:
    """A server. It refuses to run as root: there it runs as a user who may do nothing else."""
    user = None
    home = Path(tempfile.mkdtemp(prefix="pg-"))  # Not pytest's folder: a socket's path may have 107 bytes only.
    if os.geteuid() == 0:
        user = "nobody"
        os.chown(home, pwd.getpwnam(user).pw_uid, -1)
    server = PostgresServer(programs, home, user)
    data = str(home / "data")
    try:
        server.run("initdb", "-D", data, "-U", "maibot", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        options = f"-c listen_addresses='' -c unix_socket_directories={home} -c fsync=off"
        server.run("pg_ctl", "-D", data, "-w", "-o", options, "-l", str(home / "log"), "start")
        try:
            yield server
        finally:
            server.run("pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(home)
