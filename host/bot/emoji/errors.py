"""Why a picture does not become an emoji."""

from host.bot.emoji.texts import EMOJI_TEXTS
from host.hooks.texts import Locale


class EmojiRefusedError(Exception):
    """A picture is not to be an emoji of the library.

    Args:
        code: why; a key of the text table.
        fields: the facts that its text names.
    """

    def __init__(self, code: str, /, **fields: object) -> None:
        self.code = code
        self.fields = fields
        super().__init__(self.text())

    def text(self, locale: Locale = "en") -> str:
        """What was found, what is allowed and what to do."""
        return EMOJI_TEXTS.render(self.code, self.fields, locale)
