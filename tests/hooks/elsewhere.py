"""Handlers behind a border of bytes, as those in another process are: what passes it is encoded."""

from collections.abc import Callable
from typing import Any

import msgspec

from host.hooks import Chain, PayloadVersion, PortableReturn, RemoteFunction, examine, portable_return

_decode: Callable[[bytes], Any] = msgspec.msgpack.Decoder().decode


def remote(function: Callable[..., Any]) -> RemoteFunction:
    """A coroutine function with ``**kwargs``, as the kernel meets it when it lives elsewhere."""

    async def start(version: PayloadVersion, chain: Chain, due: float) -> object:
        arguments = _decode(version.encoded())
        return sent(await function(**arguments), arguments)

    return RemoteFunction(examine(function), start, function.__name__)


def sent(returned: object, arguments: dict[str, Any] | None = None) -> object:
    """What arrives of a handler's return."""
    travelling = msgspec.msgpack.encode(portable_return(returned, arguments or {}))
    return msgspec.msgpack.decode(travelling, type=PortableReturn | None)
