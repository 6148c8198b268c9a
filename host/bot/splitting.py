"""Splitting a reply into the pieces in which a person would send it, with pauses for typing."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from host.bot.unbreakable import unbreakable


class SplittingSettings(BaseModel):
    """How replies are split."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    enabled: bool = Field(True, description="Whether long replies are sent in pieces.")
    min_length: int = Field(6, ge=1, description="Shorter pieces are joined to a neighbour; in characters.")
    max_length: int = Field(
        60, ge=1, description="Longer sentences are split at commas or spaces, where there are any; in characters."
    )
    max_pieces: int = Field(5, ge=1, description="How many pieces at most; this goes before the length.")
    han_per_second: float = Field(5.0, gt=0, description="How fast Chinese characters are typed.")
    letters_per_second: float = Field(14.0, gt=0, description="How fast anything else is typed.")
    min_pause_seconds: float = Field(0.5, ge=0, description="The shortest pause before a piece.")
    max_pause_seconds: float = Field(4.0, ge=0, description="The longest pause before a piece.")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a reply.

    Args:
        text: what is sent, not blank.
        pause_seconds: how long typing it takes, before it is sent.
    """

    text: str
    pause_seconds: float


Span = tuple[int, int]
"""Where a piece begins and ends in the reply."""

# Between digits a tilde is a range; after an ASCII mark a letter goes on with the same word. The two look-aheads of a
# dot leave version numbers and names of files alone.
_SENTENCE_END = re.compile(
    r"[。！？]+|[!?！？]+(?![A-Za-z0-9_=])|(?:(?<!\d)[~～]+|[~～]+(?!\d))(?![A-Za-z0-9_/.])|(?<![.\s])\.+(?=\s|$)|\n+"
)
_CLAUSE_END = re.compile(r"[，、；：…—]+|[,;:](?=\s)")
_SPACE = re.compile(r"\s+")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:[A-Za-z]|mr|mrs|ms|dr|prof|st|vs|e\.g|i\.e|no|fig|jr|sr|ca|approx)\.$|(?:^|\n)\s*\d{1,3}\.$",
    re.IGNORECASE,
)
_CLOSERS = frozenset("\"'”’」』)）]】》〉}")
_WORD = re.compile(r"\w")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


def split_reply(text: str, settings: SplittingSettings) -> list[Piece]:
    """The pieces of a reply, in order. Nothing is lost but blanks between them.

    Sentences are pieces; what is longer than allowed is split at clauses, then at spaces; what is too short, or has no
    letter (marks, a kaomoji), is joined to a neighbour; and if there are too many, neighbours are joined. Quotes,
    brackets, code, addresses and kaomoji are never split. For each of these reasons a piece may be longer than
    `max_length`.

    Args:
        text: the reply; a blank one has no pieces.
        settings: how to split.
    """
    whole = _trimmed(text, (0, len(text)))
    if whole is None:
        return []
    if not settings.enabled:
        return [_piece(text, whole, settings)]
    closed = unbreakable(text)
    spans = _cut(text, whole, _sentence_ends(text, closed))
    for ends in (_ends(text, _CLAUSE_END, closed), _ends(text, _SPACE, closed)):
        spans = [part for span in spans for part in _shortened(text, span, ends, settings.max_length)]
    spans = _without_short(text, spans, settings)
    return [_piece(text, span, settings) for span in _at_most(spans, settings.max_pieces)]


def _sentence_ends(text: str, closed: Sequence[bool]) -> list[int]:
    ends = []
    for match in _SENTENCE_END.finditer(text):
        end = match.end()
        if match[0] == "." and _ABBREVIATION.search(text[max(0, end - 12) : end]):
            continue
        # The mark may be the last thing in a quote.
        while closed[end] and text[end] in _CLOSERS:
            end += 1
        if not closed[end]:
            ends.append(end)
    return ends


def _ends(text: str, pattern: re.Pattern[str], closed: Sequence[bool]) -> list[int]:
    return [match.end() for match in pattern.finditer(text) if not closed[match.end()]]


def _cut(text: str, span: Span, ends: Iterable[int]) -> list[Span]:
    """A span cut at each of `ends` that lies inside."""
    start, stop = span
    places = [start, *(end for end in ends if start < end < stop), stop]
    parts = (_trimmed(text, (places[index], places[index + 1])) for index in range(len(places) - 1))
    return [part for part in parts if part is not None]


def _shortened(text: str, span: Span, ends: Sequence[int], limit: int) -> list[Span]:
    """A span that is too long as parts as long as allowed, where `ends` lets it be cut."""
    if span[1] - span[0] <= limit:
        return [span]
    parts: list[Span] = []
    for part in _cut(text, span, ends):
        if parts and part[1] - parts[-1][0] <= limit:
            parts[-1] = (parts[-1][0], part[1])
        else:
            parts.append(part)
    return parts


def _without_short(text: str, spans: Sequence[Span], settings: SplittingSettings) -> list[Span]:
    """Short spans joined to the one before, or else to the one after, if that does not become too long."""
    joined: list[Span] = []
    for span in spans:
        last = joined[-1] if joined else None
        if last is not None:
            fits = span[1] - last[0] <= settings.max_length
            wordless = not _WORD.search(text, *span)
            if wordless or (fits and settings.min_length > min(span[1] - span[0], last[1] - last[0])):
                joined[-1] = (last[0], span[1])
                continue
        joined.append(span)
    return joined


def _at_most(spans: Sequence[Span], limit: int) -> list[Span]:
    """Neighbours joined into at most `limit` spans of about one length."""
    if len(spans) <= limit:
        return [*spans]
    start, stop = spans[0][0], spans[-1][1]
    joined: list[Span] = []
    shares: set[int] = set()
    for span in spans:
        share = (sum(span) // 2 - start) * limit // (stop - start)
        if share in shares:
            joined[-1] = (joined[-1][0], span[1])
        else:
            joined.append(span)
        shares.add(share)
    return joined


def _trimmed(text: str, span: Span) -> Span | None:
    """A span without blanks at its ends; None where nothing else is in it."""
    start, stop = span
    part = text[start:stop]
    if not part.strip():
        return None
    return start + len(part) - len(part.lstrip()), stop - len(part) + len(part.rstrip())


def typing_seconds(text: str, settings: SplittingSettings) -> float:
    """How long somebody types a text."""
    han = len(_HAN.findall(text))
    seconds = han / settings.han_per_second + (len(text) - han) / settings.letters_per_second
    return max(settings.min_pause_seconds, min(seconds, settings.max_pause_seconds))


def _piece(text: str, span: Span, settings: SplittingSettings) -> Piece:
    said = text[span[0] : span[1]]
    return Piece(said, typing_seconds(said, settings))
