"""Vectors of texts without a model: their words and pairs of characters, hashed into a fixed number of places."""

import math
import re
from hashlib import blake2b
from itertools import pairwise

DIMENSIONS = 256
_WORD = re.compile(r"[a-z0-9]+|[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")


def vector_of(text: str) -> tuple[float, ...]:
    """A vector of length 1, near those of texts that share words with this one."""
    places = [0.0] * DIMENSIONS
    for piece in _pieces(text.lower()):
        digest = blake2b(piece.encode("utf-8", "surrogatepass"), digest_size=4).digest()
        places[int.from_bytes(digest[:2], "big") % DIMENSIONS] += 1.0 if digest[2] & 1 else -1.0
    length = math.sqrt(sum(place * place for place in places))
    if not length:
        places[0] = length = 1.0
    return tuple(place / length for place in places)


def _pieces(text: str) -> list[str]:
    words = _WORD.findall(text)
    return words + [first + second for word in words for first, second in pairwise(word)]
