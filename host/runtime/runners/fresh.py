"""What a fresh interpreter runs that becomes a runner: it imports everything by itself, then does as a forked one."""

import socket
import sys

from host.runtime.runners.birth import become_runner, load_entry


def main() -> None:
    """Become a runner: ``sys.argv`` holds the plugin's id, the entry, the host's process, and the socket's descriptor.

    On Windows the socket comes over standard input instead.
    """
    name, entry_name, parent, descriptor = sys.argv[1:]
    if sys.platform == "win32":
        own_socket = socket.fromshare(sys.stdin.buffer.read())
        sys.argv[:] = [name]
    else:
        own_socket = become_runner(name, (int(descriptor), 1, 2), int(parent))
    load_entry(entry_name)(own_socket)
