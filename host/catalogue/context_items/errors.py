"""Why items or role messages cannot be used. Facts in fields, sentences from the text table."""

from typing import Any

from host.catalogue.context_items.texts import CONTEXT_TEXTS
from host.hooks.texts import Locale


class ContextError(ValueError):
    """Base of what this package raises.

    Args:
        code: the rule that was broken; a key of `CONTEXT_TEXTS`.
        fields: the facts that the sentence names.
    """

    def __init__(self, code: str, **fields: object) -> None:
        self.code = code
        self.fields = fields
        super().__init__(self.text())

    def text(self, locale: Locale = "en") -> str:
        """Where, what was found, what is allowed, what to do."""
        return CONTEXT_TEXTS.render(self.code, self.fields, locale)


class InvalidValueInContextError(ContextError):
    """A value is no item, or no role message.

    Args:
        code: the rule that was broken.
        path: where, as ``items[3].parts[0].text``.
        fields: the further facts.
    """

    def __init__(self, code: str, path: str, **fields: object) -> None:
        self.path = path
        super().__init__(code, path=path, **fields)


class BrokenRelationError(ContextError):
    """Items, each right for itself, do not make a list together.

    Args:
        code: the rule that was broken.
        index: the position of the item that breaks it.
        fields: the further facts; `id` is the item or call that it is about.
    """

    def __init__(self, code: str, index: int, *, path: str, **fields: object) -> None:
        self.index = index
        super().__init__(code, path=f"{path}[{index}]", **fields)


class SchemaVersionError(ContextError):
    """A payload came back with another version of the item form than the host has.

    Args:
        found: the version that came back.
        allowed: the version of the host.
    """

    def __init__(self, found: object, allowed: int) -> None:
        self.found = found
        super().__init__("version", found=shown(found), allowed=allowed)


def not_allowed(path: str, found: object, allowed: str) -> InvalidValueInContextError:
    """The error of a value that may not stand at `path`."""
    return InvalidValueInContextError("not_allowed", path, found=shown(found), allowed=allowed)


def shown(value: Any) -> str:
    """A value that was found, short enough for an error."""
    text = repr(value)
    return f"{type(value).__name__} {text if len(text) <= 60 else text[:57] + '...'}"
