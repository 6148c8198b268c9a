"""What became of a message that came in."""

from dataclasses import dataclass
from enum import Enum

from host.bot.hook_site import HandlerFailure, IgnoredMessage, Stop
from host.bot.texts import BOT_TEXTS, Explained
from host.hooks.texts import Locale


class Status(str, Enum):
    """How a message's way ended."""

    REPLIED = "replied"
    COMMAND = "command"
    STOPPED = "stopped"
    INVALID = "invalid"
    NOT_SENT = "not_sent"
    NO_REPLY = "no_reply"
    JOINED = "joined"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a message that came in.

    Args:
        status: ``replied`` an answer was delivered; ``command`` it called a command, which ended its way; ``stopped`` a
            handler aborted a receive hook, or kept a command from running; ``invalid`` it was no message; ``not_sent``
            there was an answer, and a handler of a send hook or the gateway kept it from being delivered; ``no_reply``
            the bot had nothing to say; ``joined`` an earlier message's turn went on with it; ``dropped`` it had no
            turn, since the bot was busy.
        message_id: the message; "" where it is invalid.
        session_id: its chat; "" where it is invalid.
        sender: who said it, by the name that the chat shows.
        text: what was said, as plain text.
        reply_text: what the bot said or would have said.
        command: the full name of the command that it called, or "".
        stopped: the hook, the plugin and the handler that ended its way, or None.
        reason: why it is invalid, or there is no answer, or no gateway took it, or None; its ``text(locale)`` says so.
        failures: handlers that failed on the way.
        ignored: messages that came back from a hook unusable.
    """

    status: Status
    message_id: str = ""
    session_id: str = ""
    sender: str = ""
    text: str = ""
    reply_text: str = ""
    command: str = ""
    stopped: Stop | None = None
    reason: Explained | None = None
    failures: tuple[HandlerFailure, ...] = ()
    ignored: tuple[IgnoredMessage, ...] = ()

    def line(self, locale: Locale = "en") -> str:
        """All of it in one line."""
        code = f"outcome_{self.status.value}"
        if self.status is Status.NOT_SENT and self.stopped:
            code = "outcome_not_sent_stopped"
        if self.status is Status.NO_REPLY and self.reason:
            code = "outcome_no_reply_because"
        fields = {
            "heard": _one_line(BOT_TEXTS.render("says", {"name": self.sender, "text": self.text}, locale)),
            "reply": _one_line(self.reply_text),
            "command": self.command,
            "stop": self.stopped.text(locale) if self.stopped else "",
            "reason": _one_line(self.reason.text(locale)) if self.reason else "",
        }
        return BOT_TEXTS.render(code, fields, locale) + self._troubles(locale)

    def _troubles(self, locale: Locale) -> str:
        troubles = ""
        if self.failures:
            handlers = ", ".join(f"{each.error.plugin_id}/{each.error.handler}" for each in self.failures)
            fields = {"count": len(self.failures), "handlers": handlers}
            troubles += BOT_TEXTS.render("outcome_failures", fields, locale)
        if self.ignored:
            hooks = ", ".join(each.hook for each in self.ignored)
            troubles += BOT_TEXTS.render("outcome_ignored", {"hooks": hooks}, locale)
        return troubles


def _one_line(text: str) -> str:
    return " ".join(text.split())
