"""Drops messages that contain a listed word: an example of a guard, a blocking handler that may abort."""

import re
import unicodedata
from pathlib import Path
from typing import Any

from maibot_sdk import HookHandler, MaiBotPlugin
from maibot_sdk.hooks import CHAT_RECEIVE_BEFORE_PROCESS, SessionMessage
from maibot_sdk.types import ErrorPolicy, HookMode, HookOrder

WORDS_FILE = "words.txt"


class WordFilter(MaiBotPlugin):
    """Keeps messages with a listed word from the bot."""

    def __init__(self) -> None:
        super().__init__()
        self._listed = listed_words_pattern("")

    # The context is set before on_load runs, so this is the first place to use self.ctx. Only life-cycle methods that
    # have something to do are written.
    async def on_load(self) -> None:
        """Read the list: the owner's in the data folder, else the one that lies beside this file."""
        own = self.ctx.paths.data_dir / WORDS_FILE
        path = own if own.is_file() else Path(__file__).with_name(WORDS_FILE)
        self._listed = listed_words_pattern(path.read_text(encoding="utf-8-sig"))

    @HookHandler(
        CHAT_RECEIVE_BEFORE_PROCESS,
        description="丢弃含有违禁词的消息 / Drops messages that contain a listed word",
        mode=HookMode.BLOCKING,  # Only a blocking handler can stop a message.
        order=HookOrder.EARLY,  # Before others spend time on it.
        error_policy=ErrorPolicy.ABORT,  # A guard that fails lets nothing through.
    )
    async def block_listed_words(self, message: SessionMessage, **_: Any) -> dict[str, Any] | None:
        """Abort the hook for a message with a listed word."""
        if self._listed.search(comparable(text_of(message))) is None:
            return None  # Nothing to say: the next handler's turn.
        self.ctx.logger.info("message %s contains a listed word and is dropped", message["message_id"])
        return {"action": "abort"}


def text_of(message: SessionMessage) -> str:
    """What is written in a message. ``raw_message`` is a list of segments, not text; other segments hold no words."""
    pieces = (segment.get("data") for segment in message["raw_message"] if segment["type"] == "text")
    # One word may be spread over two segments, so the pieces are joined without anything between. The bot accepts any
    # data in a segment until it has processed the message, hence the check.
    return "".join(piece for piece in pieces if isinstance(piece, str))


def comparable(text: str) -> str:
    """Text with full-width and compatibility letters made plain, and without upper case."""
    return unicodedata.normalize("NFKC", text).casefold()


def listed_words_pattern(listing: str) -> re.Pattern[str]:
    """A pattern that finds the words of a list, one a line, in comparable text.

    A word of Latin letters is found as a whole word only: "cat" is not in "concatenate". An empty list finds nothing.
    """
    lines = (comparable(line.strip()) for line in listing.splitlines())
    words = [re.escape(line) for line in lines if line and not line.startswith("#")]
    alternatives = "|".join(_whole_word(word) for word in words)
    return re.compile(alternatives or r"(?!)")


def _whole_word(word: str) -> str:
    before = r"(?<![a-z0-9])" if re.match("[a-z0-9]", word) else ""
    after = r"(?![a-z0-9])" if re.search("[a-z0-9]$", word) else ""
    return f"{before}{word}{after}"


def create_plugin() -> WordFilter:
    """What the host calls to get the plugin."""
    return WordFilter()
