"""The payload at one point of a dispatch, in the forms that handlers take it: their own copy, or encoded."""

from collections.abc import Callable, Mapping
from math import inf
from typing import Any

import msgspec

from host.hooks.errors import PayloadIssue, PayloadTooLargeError
from host.hooks.failure import CannotRunError
from host.hooks.portable import copy_portable

_LEVELS = 8
"""How far down the largest part of a payload is looked for."""

_encode: Callable[[Any], bytes] = msgspec.msgpack.Encoder().encode


class PayloadVersion:
    """The payload at one point of a dispatch. A handler's change makes a new version.

    Args:
        values: the payload with ``hook_name``; portable, shared, and nobody's to change.
        nests: whether some value may hold others, so that who wants to change it needs a copy.
        limit: how many bytes it may have encoded.
    """

    __slots__ = ("_encoded", "_limit", "_nests", "_too_large", "values")

    def __init__(self, values: dict[str, Any], nests: bool, limit: float = inf) -> None:
        self.values = values
        self._nests = nests
        self._limit = limit
        self._encoded = b""
        self._too_large: PayloadTooLargeError | None = None

    def own(self) -> dict[str, Any]:
        """A deep copy where values nest; else the values themselves, to be passed on as keyword arguments."""
        values: dict[str, Any] = copy_portable(self.values) if self._nests else self.values
        return values

    def encoded(self) -> bytes:
        """The payload in MessagePack, made once however many ask for it.

        Raises:
            CannotRunError: it is larger than allowed; no handler is charged for that.
        """
        self._encode()
        if self._too_large is not None:
            raise CannotRunError(self._too_large.text(), charged=False)
        return self._encoded

    def check_size(self) -> None:
        """Encode it, and tell whoever fires the hook when it is larger than allowed.

        Raises:
            PayloadTooLargeError: it is; names its largest part.
        """
        self._encode()
        if self._too_large is not None:
            raise self._too_large

    def _encode(self) -> None:
        if self._encoded or self._too_large is not None:
            return
        encoded = _encode(self.values)
        if len(encoded) <= self._limit:
            self._encoded = encoded
        else:
            self._too_large = _too_large(self.values, len(encoded), self._limit)

    def snapshot(self) -> "PayloadVersion":
        """The same version on values that nobody else holds."""
        if not self._nests:
            return self
        copy = PayloadVersion(self.own(), True, self._limit)
        copy._encoded, copy._too_large = self._encoded, self._too_large
        return copy


def _too_large(values: Mapping[str, Any], size: int, limit: float) -> PayloadTooLargeError:
    path, share = _largest_part(values, size)
    found = f"{share:,} bytes, the largest part of {size:,} bytes"
    return PayloadTooLargeError(
        values["hook_name"], [PayloadIssue(path, found, f"{limit:,.0f} bytes for the payload as a whole")]
    )


def _largest_part(values: Mapping[str, Any], size: int) -> tuple[str, int]:
    """The key path of the value that makes up most of a payload of so many bytes, and its size.

    Goes down as long as one value outweighs all that lies beside it.
    """
    path = ""
    value: Any = values
    for _ in range(_LEVELS):
        if isinstance(value, Mapping):
            children = [(f"{path}.{key}" if path else str(key), child) for key, child in value.items()]
        elif isinstance(value, list):
            children = [(f"{path}[{index}]", child) for index, child in enumerate(value)]
        else:
            break
        sizes = [len(_encode(child)) for _, child in children]
        largest = max(sizes, default=0)
        if path and largest * 2 < size:
            break
        (path, value), size = children[sizes.index(largest)], largest
    return path, size
