"""Values of strangers as a report shows them, whether they are at hand or were left behind in another process."""

from __future__ import annotations

from msgspec import Struct

_MOST = 80


class Foreign(Struct, frozen=True):
    """A value that a report names. It stands in a `Declaration` for one that could not travel.

    It is shown, by `str` and by `repr`, just as the value itself is.

    Args:
        text: the value's ``repr``, or as much of it as fits.
        type_name: the name of its type.
    """

    text: str
    type_name: str

    @classmethod
    def of(cls, value: object) -> Foreign:
        """What is shown of `value`. One that stands for another already stays itself."""
        if isinstance(value, Foreign):
            return value
        text = repr_of(value)
        return cls(text if len(text) <= _MOST else f"{text[: _MOST - 3]}...", type(value).__name__)

    def __str__(self) -> str:
        return f"{self.text} ({self.type_name})"

    def __repr__(self) -> str:
        return self.text


def repr_of(value: object) -> str:
    """The ``repr`` of a stranger's value, as text that can be encoded; those whose ``repr`` raises are met too."""
    try:
        return encodable(repr(value))
    except Exception as error:  # a border: the value is a stranger's
        return f"<repr raised {type(error).__name__}>"


def encodable(text: str) -> str:
    """The text with lone surrogates spelled out, so that it may be written and sent anywhere."""
    return text if text.isascii() else text.encode(errors="backslashreplace").decode()
