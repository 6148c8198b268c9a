"""Commands of plugins: which one a message calls, who may call it, and what its return means."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from host.bot.chat_place import ChatPlace, metadata_of
from host.bot.command_pattern import CommandPattern
from host.bot.console import CONSOLE_PLATFORM
from host.bot.message import SessionMessage
from host.bot.segments import Segment
from host.bot.texts import BOT_TEXTS
from host.hooks.texts import Locale


@dataclass(frozen=True, slots=True)
class BadPattern:
    """A command's pattern that is no regular expression. The command is there; only its aliases call it.

    Args:
        plugin_id: whose.
        name: the command.
        pattern: what it declares.
        why: what is wrong with it.
    """

    plugin_id: str
    name: str
    pattern: str
    why: str

    def text(self, locale: Locale = "en") -> str:
        """One sentence for the log."""
        fields = {"plugin_id": self.plugin_id, "name": self.name, "pattern": self.pattern, "why": self.why}
        return BOT_TEXTS.render("bad_pattern", fields, locale)


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command of a plugin.

    Args:
        plugin_id: whose.
        name: its name within the plugin.
        pattern: searched for anywhere in a text; None where none is declared, or none that can be used.
        aliases: beginnings of a text that call it too.
        for_operators: only operators may call it.
        intercepts: the turn ends with it, unless its return says otherwise.
        builtin: it comes with the host.
        component: the declaration.
        bad_pattern: what is wrong with the declared pattern, or None.
    """

    plugin_id: str
    name: str
    pattern: CommandPattern | None
    aliases: tuple[str, ...]
    for_operators: bool
    intercepts: bool
    builtin: bool
    component: Mapping[str, Any] = field(repr=False)
    bad_pattern: BadPattern | None = None

    @classmethod
    def of(cls, plugin_id: str, component: Mapping[str, Any], *, builtin: bool = False) -> "Command":
        """Read a component of type ``COMMAND``.

        Args:
            plugin_id: whose.
            component: ``{"name", "type", "metadata"}``.
            builtin: whether the plugin comes with the host.
        """
        metadata, name = metadata_of(component), component["name"]
        source = metadata.get("command_pattern")
        pattern, problem = None, None
        if isinstance(source, str) and source:
            try:
                pattern = CommandPattern(f"{plugin_id}.{name}", source)
            except (re.error, OverflowError, RecursionError) as error:
                problem = BadPattern(plugin_id, name, source, str(error))
        aliases = metadata.get("aliases")
        return cls(
            plugin_id=plugin_id,
            name=name,
            pattern=pattern,
            # An empty one would begin every text.
            aliases=tuple(each for each in aliases or () if isinstance(each, str) and each),
            for_operators=metadata.get("permission") == "operator",
            intercepts=_level(metadata.get("intercept_message_level")) > 0,
            builtin=builtin,
            component=component,
            bad_pattern=problem,
        )

    @property
    def full_name(self) -> str:
        """``<plugin id>.<name>``, as settings name it."""
        return f"{self.plugin_id}.{self.name}"

    def groups_in(self, text: str, *, in_thread: bool = False) -> dict[str, str | None] | None:
        """The named groups where `text` calls this command, by its pattern first; None where it does not.

        Args:
            text: what was said.
            in_thread: as for `CommandPattern.search`, like what is raised.
        """
        found = self.pattern.search(text, in_thread=in_thread) if self.pattern else None
        if found is not None:
            return found
        return {} if self.aliases and text.startswith(self.aliases) else None


@dataclass(frozen=True, slots=True)
class CommandMatch:
    """The command that a message calls.

    Args:
        command: the command.
        matched_groups: the named groups of its pattern; empty for an alias.
    """

    command: Command
    matched_groups: dict[str, str | None]


def find_command(
    text: str, commands: Iterable[Command], place: ChatPlace, *, in_thread: bool = False
) -> CommandMatch | None:
    """The first command that a text calls; only one runs. Those of the host go before those of others.

    Args:
        text: the plain text of a message as the receive hooks left it; an empty one calls nothing. To know whether word
            filters are to be skipped, give it without blanks at its ends.
        commands: in order of registration.
        place: the chat.
        in_thread: this is not the thread of the event loop, and a pattern may take long.

    Raises:
        TimeoutError: a pattern takes too long for the thread of the event loop.
    """
    if not text:
        return None
    for command in sorted(commands, key=lambda each: not each.builtin):
        groups = command.groups_in(text, in_thread=in_thread)
        if groups is not None and place.has(command.component):
            return CommandMatch(command, groups)
    return None


class Admission(Enum):
    """What is to be done with a command that was found."""

    RUN = "run"
    ORDINARY = "ordinary"
    """It is switched off: the message goes on as any other, and no other command is tried."""
    DENIED = "denied"
    """The sender may not call it: the message counts as an intercepted command, and nothing runs."""


@dataclass(frozen=True, slots=True)
class CommandRule:
    """Who else may call one command for operators.

    Args:
        allow_users: as ``<platform>:<user id>``.
        allow_chats: session ids.
    """

    allow_users: tuple[str, ...] = ()
    allow_chats: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandPolicy:
    """The owner's rules for commands. They go by ``<plugin id>.<name>``.

    Args:
        operators: who may call all of them, as ``<platform>:<user id>``; the platform in any case.
        rules: further users and chats by command.
        disabled: commands that are switched off.
        disabled_here: by session id, commands that are switched off in one chat.
        silent: tell nobody that a command is not for them.
    """

    operators: tuple[str, ...] = ()
    rules: Mapping[str, CommandRule] = field(default_factory=dict)
    disabled: Collection[str] = ()
    disabled_here: Mapping[str, Collection[str]] = field(default_factory=dict)
    silent: bool = False

    def admit(self, command: Command, message: SessionMessage) -> Admission:
        """Whether a command that a message calls is run.

        Args:
            command: the command.
            message: the message, with its session id.
        """
        name = command.full_name
        if name in self.disabled or name in self.disabled_here.get(message.session_id, ()):
            return Admission.ORDINARY
        if not command.for_operators or is_local_operator(message):
            return Admission.RUN
        rule = self.rules.get(name, CommandRule())
        users = {_user(entry) for entry in (*self.operators, *rule.allow_users)}
        allowed = (message.platform.lower(), message.user_info.user_id) in users
        return Admission.RUN if allowed or message.session_id in rule.allow_chats else Admission.DENIED


def is_local_operator(message: SessionMessage) -> bool:
    """Whether a message was typed into the host's own console."""
    return message.platform == CONSOLE_PLATFORM and message.additional_config.get("is_local_operator") is True


def command_arguments(
    message: SessionMessage, matched_groups: Mapping[str, Any], plugin_config: Mapping[str, Any] | None
) -> dict[str, Any]:
    """What the handler of a command is called with.

    Args:
        message: the message, which the handler gets without bytes.
        matched_groups: as ``chat.command.before_execute`` left them.
        plugin_config: the configuration of the plugin, or None where it has none.
    """
    arguments = {
        "text": message.text,
        "stream_id": message.session_id,
        "group_id": message.group_info.group_id if message.group_info else "",
        "platform": message.platform,
        "user_id": message.user_info.user_id,
        "is_local_operator": is_local_operator(message),
        "matched_groups": dict(matched_groups),
        "message": {**message.to_dict(), "raw_message": _without_bytes(message.raw_message)},
    }
    return arguments if plugin_config is None else {**arguments, "plugin_config": dict(plugin_config)}


@dataclass(frozen=True, slots=True)
class CommandResult:
    """What running a command came to, for ``chat.command.after_execute``.

    Args:
        success: its handler did not raise.
        response: a text for the log and the hook, never sent by the host; or None.
        intercept_message_level: 1 where the turn ends here, else 0.
    """

    success: bool
    response: str | None
    intercept_message_level: int

    @property
    def continue_process(self) -> bool:
        """Whether the message goes on to planner and replyer."""
        return self.intercept_message_level == 0

    @classmethod
    def returned(cls, command: Command, value: object) -> "CommandResult":
        """The handler returned.

        Of three or more values the second is the response and the third says whether the turn ends; everything else is
        the response as text, and the declaration says.
        """
        if isinstance(value, tuple | list) and len(value) >= 3:
            return cls(True, None if value[1] is None else str(value[1]), int(bool(value[2])))
        return cls(True, None if value is None else str(value), int(command.intercepts))

    @classmethod
    def raised(cls, command: Command, text: str) -> "CommandResult":
        """The handler raised; `text` is that of its exception. The declaration says whether the turn ends."""
        return cls(False, text, int(command.intercepts))

    @classmethod
    def lost(cls, text: str) -> "CommandResult":
        """The handler did not answer in time, or its plugin is gone; `text` says which. The turn ends."""
        return cls(False, text, 1)


def marked_as_command(message: SessionMessage, intercept_message_level: int) -> SessionMessage:
    """A message that called a command, as it is stored: one that ended the turn is not told to the planner later.

    Args:
        message: the message.
        intercept_message_level: how the command ended; 0 where the message goes on.
    """
    if not intercept_message_level:
        return replace(message, is_command=True)
    config = {**message.additional_config, "intercept_message_level": intercept_message_level}
    return replace(message, is_command=True, additional_config=config)


def _level(value: object) -> int:
    return value if isinstance(value, int) else 0


def _user(entry: str) -> tuple[str, str]:
    platform, _, user_id = entry.partition(":")
    return platform.strip().lower(), user_id.strip()


def _without_bytes(segments: Iterable[Segment]) -> list[Segment]:
    """The segments without the bytes of pictures and recordings, those of forwarded messages too."""
    left = []
    for segment in segments:
        shown = {key: value for key, value in segment.items() if key != "binary_data_base64"}
        if segment["type"] == "forward":
            shown["data"] = [{**node, "content": _without_bytes(node["content"])} for node in segment["data"]]
        left.append(shown)
    return left
