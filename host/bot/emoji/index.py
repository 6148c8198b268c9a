"""The emoji of the library in memory: found by hash and by tag in a time that hardly grows with their number."""

from collections.abc import Iterable
from heapq import nlargest
from random import Random

from rapidfuzz import fuzz, process

from host.bot.emoji.emotions import family_of, tags_of
from host.storage import Emoji

_ALIKE = 75.0
"""From which likeness on, of 100, a tag counts as another spelling of a word."""
_SAME_MEANING = 90.0
_NEAREST_TAGS = 8
_MOST_OF_A_TAG = 32
"""How many emoji of one tag are looked at; which ones is drawn by lot."""
_MOST_ALIKE = 10


class EmojiIndex:
    """Emoji by hash, and their hashes by tag.

    Args:
        random: draws lots.
    """

    def __init__(self, random: Random) -> None:
        self._random = random
        self._emojis: dict[str, Emoji] = {}
        self._order: list[str] = []
        self._places: dict[str, int] = {}
        self._tags: dict[str, list[str]] = {}
        self._families: dict[int | None, set[str]] = {}

    def __len__(self) -> int:
        return len(self._emojis)

    def __contains__(self, image_hash: object) -> bool:
        return image_hash in self._emojis

    def get(self, image_hash: str) -> Emoji | None:
        """The emoji of that hash."""
        return self._emojis.get(image_hash)

    def add(self, emoji: Emoji) -> None:
        """Take one in, in the place of one of that hash."""
        self.remove(emoji.image_hash)
        self._emojis[emoji.image_hash] = emoji
        self._places[emoji.image_hash] = len(self._order)
        self._order.append(emoji.image_hash)
        for tag in self._tags_of(emoji):
            self._tags.setdefault(tag, []).append(emoji.image_hash)
            self._families.setdefault(family_of(tag), set()).add(tag)

    def remove(self, image_hash: str) -> None:
        """Leave one out, if it is there."""
        emoji = self._emojis.pop(image_hash, None)
        if emoji is None:
            return
        # The last one takes its place, so that lots can be drawn from a list without gaps.
        place, last = self._places.pop(image_hash), self._order.pop()
        if last != image_hash:
            self._order[place] = last
            self._places[last] = place
        for tag in self._tags_of(emoji):
            self._tags[tag].remove(image_hash)
            if not self._tags[tag]:
                del self._tags[tag]
                self._families[family_of(tag)].discard(tag)

    def emotions(self) -> list[str]:
        """All tags, sorted."""
        return sorted(self._tags)

    def all(self) -> Iterable[Emoji]:
        """All emoji, in the order in which they came in."""
        return self._emojis.values()

    def least_used(self, count: int) -> list[Emoji]:
        """Those that make room first: sent least often, of these the ones whose last use, or arrival, is longest ago.

        Args:
            count: how many.
        """
        if count < 1:
            return []
        return nlargest(count, self._emojis.values(), key=_dispensable)

    def draw(self, count: int) -> list[Emoji]:
        """Different emoji, drawn by lot.

        Args:
            count: how many at most.
        """
        drawn = self._random.sample(self._order, min(count, len(self._order)))
        return [self._emojis[each] for each in drawn]

    def fitting(self, emotion: str, count: int) -> list[tuple[Emoji, str]]:
        """Emoji that stand for an emotion, those that fit best first, each with the tag that says so.

        A tag fits that is the word, then one that means the same, then one that is spelled much like it.

        Args:
            emotion: as the model or a plugin wrote it; several are separated like tags.
            count: how many at most.
        """
        found: dict[str, str] = {}
        for tag in self._fitting_tags(emotion):
            for image_hash in self._some_of(tag):
                found.setdefault(image_hash, tag)
            if len(found) >= count:
                break
        return [(self._emojis[each], tag) for each, tag in [*found.items()][:count]]

    def like(self, description: str) -> Emoji | None:
        """One of the emoji whose tags are most like a description, drawn by lot; None where there is none at all.

        Args:
            description: words, or tags.
        """
        scores: dict[str, float] = {}
        for word in tags_of(description.casefold()):
            near = process.extract(word, [*self._tags], scorer=fuzz.ratio, limit=_NEAREST_TAGS)
            weights = {tag: score for tag, score, _ in near}
            weights.update(dict.fromkeys(self._meaning_the_same(word), _SAME_MEANING))
            weights.update(dict.fromkeys({word} & self._tags.keys(), 100.0))
            for tag, weight in weights.items():
                for image_hash in self._some_of(tag):
                    scores[image_hash] = scores.get(image_hash, 0.0) + weight
        best = nlargest(_MOST_ALIKE, scores.items(), key=lambda each: each[1])
        chosen = self._random.choice(best)[0] if best else None
        return None if chosen is None else self._emojis[chosen]

    def _fitting_tags(self, emotion: str) -> list[str]:
        words = tags_of(emotion.casefold())
        found = dict.fromkeys(word for word in words if word in self._tags)
        for word in words:
            found.update(dict.fromkeys(self._meaning_the_same(word)))
        for word in words:
            near = process.extract(word, [*self._tags], scorer=fuzz.ratio, limit=_NEAREST_TAGS, score_cutoff=_ALIKE)
            found.update((tag, None) for tag, _, _ in near)
        return [*found]

    def _meaning_the_same(self, word: str) -> list[str]:
        family = family_of(word)
        return [] if family is None else sorted(self._families.get(family, ()))

    def _some_of(self, tag: str) -> list[str]:
        hashes = self._tags[tag]
        return self._random.sample(hashes, min(_MOST_OF_A_TAG, len(hashes)))

    @staticmethod
    def _tags_of(emoji: Emoji) -> set[str]:
        return {tag.casefold() for tag in emoji.emotions}


def _dispensable(emoji: Emoji) -> tuple[int, float]:
    last = emoji.last_used_time or emoji.register_time or emoji.record_time
    return -emoji.query_count, -last
