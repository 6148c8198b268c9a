"""Reasoning that a model writes into its text, between `<think>` and `</think>` at the start, taken out of it."""

OPENING, CLOSING = "<think>", "</think>"


class ThinkingSplitter:
    """Tells reasoning from text, piece by piece. Only what stands at the very start of an answer is reasoning."""

    def __init__(self) -> None:
        self._state = "start"
        self._kept = ""

    def feed(self, piece: str) -> tuple[str, str]:
        """What is certain now: (text, reasoning)."""
        self._kept += piece
        reasoning = ""
        if self._state == "start":
            begun = self._kept.lstrip()
            if begun.startswith(OPENING):
                self._state, self._kept = "thinking", begun.removeprefix(OPENING)
            elif OPENING.startswith(begun):
                return "", ""
            else:
                self._state = "text"
        if self._state == "thinking":
            thought, closed, rest = self._kept.partition(CLOSING)
            if not closed:
                return "", self._certain()
            self._state, self._kept, reasoning = "after", rest, thought
        if self._state == "after":
            self._kept = self._kept.lstrip()
            if self._kept:
                self._state = "text"
        text, self._kept = self._kept, ""
        return text, reasoning

    def end(self) -> tuple[str, str]:
        """What is left when the answer has ended: (text, reasoning)."""
        kept, self._kept = self._kept, ""
        return ("", kept) if self._state == "thinking" else (kept, "")

    def _certain(self) -> str:
        """Reasoning without what may be the beginning of its end."""
        held = next((size for size in range(len(CLOSING) - 1, 0, -1) if self._kept.endswith(CLOSING[:size])), 0)
        cut = len(self._kept) - held
        certain, self._kept = self._kept[:cut], self._kept[cut:]
        return certain


def split_thinking(text: str) -> tuple[str, str]:
    """A whole text as (text, reasoning)."""
    splitter = ThinkingSplitter()
    said, thought = splitter.feed(text)
    rest, late = splitter.end()
    return said + rest, thought + late
