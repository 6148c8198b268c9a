"""What the offline model replies."""

import re

from host.models.offline.heard import QUESTION, Heard
from host.models.offline.texts import OFFLINE_TEXTS, VARIANTS

_KINDS = (
    (
        "presence",
        re.compile(
            r"\b(?:are you (?:there|here|awake|up|around|online|listening|ok|okay|well)|how are you)\b"
            r"|在吗|在不在|在么|醒着吗|醒了吗|睡了吗|忙吗|你好吗|还好吗",
            re.I,
        ),
    ),
    (
        "about",
        re.compile(
            r"\b(?:(?:who|what) are you|what can you do|what(?: is|'s) your name|are you (?:a |an )?(?:bot|robot|ai))\b"
            r"|你是谁|你叫什么|你是什么|你(?:会|能)(?:做|干)?(?:什么|啥)|你是(?:机器人|AI)",
            re.I,
        ),
    ),
    ("question", QUESTION),
    (
        "greeting",
        re.compile(
            r"(?:hi|hello|hey|good (?:morning|afternoon|evening))(?![a-z])"
            r"|(?:大家|各位)?(?:(?:早上|上午|中午|下午|晚上)好|(?:你|您|大家)好|早安|嗨|哈喽)",
            re.I,
        ),
    ),
    ("night", re.compile(r"good night(?![a-z])|(?:大家)?晚安", re.I)),
    ("thanks", re.compile(r"(?:.*\b(?:thanks|thank you|thx)\b)|.*(?:谢谢|多谢|感谢)", re.I)),
    ("farewell", re.compile(r"(?:bye|goodbye|see you)(?![a-z])|.*(?:再见|拜拜|回头见|明天见|下周见)", re.I)),
)
"""The first pattern that fits the beginning says what kind of thing was said; questions are found anywhere."""

_ANYWHERE = frozenset({"presence", "about", "question"})
_SENTENCE_END = re.compile(r"(?<=[。！？!?])\s*|(?<=\.)\s+")
_LONGEST_GIST = 40


def reply_to(said: Heard) -> str:
    """A short sentence in the language of what was said, the same for the same words; facts for the answer as such."""
    if said.reference:
        return said.reference
    locale = said.locale
    called = OFFLINE_TEXTS.render("called", {"name": said.speaker}, locale) if said.speaker else ""
    named = OFFLINE_TEXTS.render("named", {"name": said.names[0]}, locale) if said.names else ""
    fields = {"gist": gist_of(said.words), "called": called, "named": named}
    return OFFLINE_TEXTS.render(f"{_kind(said)}_{said.choice(VARIANTS)}", fields, locale)


def gist_of(words: str) -> str:
    """The first sentence that asks, else the first, on one line, cut where it gets long."""
    sentences = [sentence for sentence in _SENTENCE_END.split(words) if sentence.strip()] or [""]
    sentence = next((each for each in sentences if QUESTION.search(each)), sentences[0])
    gist = " ".join(sentence.split()).rstrip(".。")
    if len(gist) <= _LONGEST_GIST:
        return gist
    cut = gist[:_LONGEST_GIST]
    return (cut.rpartition(" ")[0] or cut).rstrip() + "…"


def _kind(said: Heard) -> str:
    if not said.words:
        return said.shows or "nothing"
    for kind, pattern in _KINDS:
        if pattern.search(said.words) if kind in _ANYWHERE else pattern.match(said.words):
            return kind
    return "statement"
