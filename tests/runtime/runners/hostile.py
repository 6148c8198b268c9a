"""Runs in the processes of plugins: that of ``evil.plugin`` says what the test wants it to say, whatever that is.

It answers as a runner does, with what lies in its folder, and the calls of its one handler with what the payload holds
under ``says``: a list of ``[head, body]``, where 0 in a head stands for the number of the call, or of plain bytes.
"""

import os
import socket
import sys
from pathlib import Path
from typing import Any

import msgspec

from host.hooks.binding import Anatomy
from host.runtime.runners import runner
from host.runtime.runners.messages import Answer, DeclarationData, Handled, Pong, Preparation, PreparedData
from host.runtime.runners.shared_memory import SharedMemory
from host.runtime.runners.wire import PREFIX, Answered, Asked, FrameReader, frame_of
from tests.runtime.plugin_folders import SAY, write_plugin

EVIL = "evil.plugin"
ENTRY = f"{__name__}:main"
HONEST = [[[1, 0], msgspec.msgpack.encode(Handled())]]
"""What an honest runner says of a handler that returned nothing."""

_encode = msgspec.msgpack.Encoder().encode


def prepared(**changes: Any) -> Answer:
    """What an honest runner answers when it is asked to prepare."""
    fields: dict[str, Any] = {
        "hook": SAY,
        "name": "evil",
        "description": "",
        "mode": "blocking",
        "order": "early",
        "timeout_ms": 500,
        "error_policy": "skip",
        "metadata": {},
        "component_type": "HOOK_HANDLER",
        "handler_name": "",
        "anatomy": Anatomy(takes_rest=True, is_async=True),
        "handler": None,
    }
    return Answer(prepared=PreparedData([], [DeclarationData(**fields | changes)], True))


def write_evil(root: Path, answer: bytes = b"") -> Path:
    """A plugin that answers so when it is asked to prepare; honestly unless anything is given."""
    folder = write_plugin(root, EVIL)
    (folder / "answer").write_bytes(answer or _encode(prepared()))
    return folder


def main(host: socket.socket) -> None:
    """The entry of a warm parent."""
    if sys.argv[0] == EVIL:
        _play(host)
    else:
        runner.main(host)


def _play(host: socket.socket) -> None:
    memory = SharedMemory.take(host)
    frames = FrameReader(1 << 30, memory.reader.take if memory is not None else None)
    pong = _encode(Pong(0))
    while count := host.recv_into(frames.space()):
        for asked in (message for messages in frames.filled(count) for message in messages):
            if not isinstance(asked, Asked):
                continue
            if asked.method == "prepare":
                folder = Path(msgspec.msgpack.decode(asked.body, type=Preparation).path)
                host.sendall(frame_of([Answered(asked.id, (folder / "answer").read_bytes())]))
                pong = (folder / "pong").read_bytes() if (folder / "pong").exists() else pong
            elif asked.method == "ping":
                host.sendall(frame_of([Answered(asked.id, pong)]))
            elif asked.method.startswith("handle"):
                _say(host, asked.id, msgspec.msgpack.decode(asked.body)["says"])
            else:
                host.sendall(frame_of([Answered(asked.id, _encode(Answer()))]))


def _say(host: socket.socket, call: int, says: list[Any]) -> None:
    for each in says:
        if isinstance(each, bytes):
            host.sendall(each)
        elif each == "close":
            os._exit(0)
        else:
            head, body = each
            if head[1:2] == [0]:
                head[1] = call
            encoded = _encode([head if body is None else [*head, b""]])
            host.sendall(PREFIX.pack(len(encoded), len(body)) + encoded + body)
