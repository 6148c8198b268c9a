"""What the offline model replies."""

import re

from host.models.offline.heard import Heard
from host.models.offline.texts import OFFLINE_TEXTS, VARIANTS

_KINDS = (
    (
        "greeting",
        re.compile(r"(?:hi|hello|hey|good (?:morning|afternoon|evening))(?![a-z])|(?:你|您|大家)好|早安|嗨|哈喽", re.I),
    ),
    ("thanks", re.compile(r"(?:thanks|thank you|thx)(?![a-z])|谢谢|多谢|感谢", re.I)),
    ("farewell", re.compile(r"(?:bye|goodbye|good night|see you)(?![a-z])|再见|拜拜|晚安|回头见", re.I)),
)
_LONGEST_GIST = 60


def reply_to(said: Heard) -> str:
    """One short sentence in the language of what was said; the same for the same words."""
    code = f"{_kind(said)}_{said.choice(VARIANTS)}"
    return OFFLINE_TEXTS.render(code, {"gist": gist_of(said.words)}, said.locale)


def gist_of(words: str) -> str:
    """The words on one line, cut where they get long."""
    gist = " ".join(words.split()).rstrip(".。")
    return gist if len(gist) <= _LONGEST_GIST else gist[:_LONGEST_GIST].rstrip() + "…"


def _kind(said: Heard) -> str:
    if not said.words:
        return "picture" if said.pictures else "nothing"
    if said.asks:
        return "question"
    return next((kind for kind, pattern in _KINDS if pattern.match(said.words)), "statement")
