"""Which messages came in already: their keys, the latest of them."""

from collections import OrderedDict
from hashlib import blake2b


class SeenKeys:
    """Remembers the latest keys. However long a key is, it takes 16 bytes.

    Args:
        limit: how many are remembered; the oldest makes room.
    """

    def __init__(self, limit: int = 10_000) -> None:
        self._limit = limit
        self._keys: OrderedDict[bytes, None] = OrderedDict()

    def add(self, key: str) -> bool:
        """Remember a key; whether it is new. One that is not stays as old as it is."""
        digest = _digest(key)
        if digest in self._keys:
            return False
        self._keys[digest] = None
        if len(self._keys) > self._limit:
            self._keys.popitem(last=False)
        return True

    def forget(self, key: str) -> None:
        """Let the key be new again."""
        self._keys.pop(_digest(key), None)


def _digest(key: str) -> bytes:
    return blake2b(key.encode(), digest_size=16).digest()
