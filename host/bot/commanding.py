"""The command chain: a message that calls a command of a plugin goes through its hooks, and the command runs."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from loguru import logger

from host.bot.chat_place import ChatPlace
from host.bot.clearing import CLEAR, marked_as_clearing
from host.bot.commands import (
    Admission,
    Command,
    CommandMatch,
    CommandPolicy,
    CommandResult,
    command_arguments,
    find_command,
    marked_as_command,
)
from host.bot.components import Components, PluginConfig, declaration
from host.bot.hook_site import HookAbortedError, Journal, Stop, fire_heard
from host.bot.message import Clock, SessionMessage
from host.hooks import Hooks, Source
from host.hooks.texts import Locale
from host.runtime.components import Component, ComponentGoneError


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandRun:
    """What became of a message that called a command.

    Args:
        message: as it is stored from now on.
        command: the full name of the command.
        goes_on: whether planner and replyer have it next.
        cleared: it was ``/clear``: what was said before it is not told to models from now on.
        denied: its sender may not call the command, which did not run.
        stopped: the handler that kept the command from running, or None.
    """

    message: SessionMessage
    command: str
    goes_on: bool = False
    cleared: bool = False
    denied: bool = False
    stopped: Stop | None = None


class CommandChain:
    """Runs the commands of plugins, and ``/clear``, which comes before them. Any number may run at once.

    Args:
        hooks: the kernel.
        components: where commands are found.
        plugin_config: what the handlers get of their plugins' configurations.
        policy: the owner's rules.
        clock: what time it is.
        locale: the language of markers in plain text.
    """

    def __init__(
        self,
        hooks: Hooks,
        components: Components,
        *,
        plugin_config: PluginConfig,
        policy: CommandPolicy,
        clock: Clock,
        locale: Locale,
    ) -> None:
        self._hooks = hooks
        self._components = components
        self._plugin_config = plugin_config
        self._policy = policy
        self._clock = clock
        self._locale = locale
        self._read: dict[Component, Command] = {}

    async def run(self, heard: SessionMessage, journal: Journal) -> CommandRun | None:
        """Run the command that a message calls.

        Args:
            heard: a message as the receive hooks left it.
            journal: takes down what happens at hooks.

        Returns:
            What became of it; None where it calls none, or one that is switched off.

        Raises:
            PayloadError: the message cannot be in a payload.
            ChainDepthError: hooks fired hooks too deep.
        """
        found = await self._find(heard)
        if found is None:
            return None
        match, component = found
        name = match.command.full_name
        match self._policy.admit(match.command, heard):
            case Admission.ORDINARY:
                return None
            case Admission.DENIED:
                logger.info("{} may not call {}", heard.user_info.shown_name, name)
                return CommandRun(message=marked_as_command(heard, 1), command=name, denied=True)
            case Admission.RUN:
                if component is None:
                    return CommandRun(message=marked_as_clearing(heard), command=name, cleared=True)
                return await self._run(heard, match, component, journal)

    async def is_called_by(self, heard: SessionMessage) -> bool:
        """Whether a message calls a command, one that is switched off included."""
        return await self._find(heard) is not None

    async def _find(self, heard: SessionMessage) -> tuple[CommandMatch, Component | None] | None:
        """The command that a message calls, with the component that runs it; ``/clear`` needs none."""
        if CLEAR.groups_in(heard.text) is not None:
            return CommandMatch(CLEAR, {}), None
        commands = {**self._commands()}
        find = partial(find_command, heard.text, [*commands.values()], ChatPlace.of(heard))
        try:
            match = find()
        except TimeoutError:
            match = await asyncio.to_thread(find, in_thread=True)
        if match is None:
            return None
        return match, next(each for each, command in commands.items() if command is match.command)

    def _commands(self) -> dict[Component, Command]:
        """The commands that there are, each read once."""
        components = self._components.of_type("COMMAND")
        if [*self._read] != [*components]:
            self._read = {each: self._read.get(each) or _command(each) for each in components}
        return self._read

    async def _run(
        self, heard: SessionMessage, match: CommandMatch, component: Component, journal: Journal
    ) -> CommandRun:
        command = match.command
        called: dict[str, Any] = {
            "command_name": command.name,
            "plugin_id": command.plugin_id,
            "matched_groups": match.matched_groups,
        }
        try:
            heard, kwargs = await self._fire("chat.command.before_execute", heard, journal, called)
        except HookAbortedError as aborted:
            return CommandRun(message=marked_as_command(heard, 1), command=command.full_name, stopped=aborted.stop)
        called = {key: kwargs[key] for key in called}

        config = await self._plugin_config(str(called["plugin_id"]))
        result = await _invoked(component, command, command_arguments(heard, called["matched_groups"], config))
        heard, kwargs = await self._fire(
            "chat.command.after_execute",
            heard,
            journal,
            {
                **called,
                "success": result.success,
                "response": result.response,
                "intercept_message_level": result.intercept_message_level,
                "continue_process": result.continue_process,
            },
        )
        _log(str(called["command_name"]), kwargs)
        goes_on = bool(kwargs["continue_process"])
        level = 0 if goes_on else kwargs["intercept_message_level"] or 1
        return CommandRun(message=marked_as_command(heard, level), command=command.full_name, goes_on=goes_on)

    async def _fire(
        self, hook: str, heard: SessionMessage, journal: Journal, others: Mapping[str, Any]
    ) -> tuple[SessionMessage, Mapping[str, Any]]:
        return await fire_heard(self._hooks, hook, heard, journal, clock=self._clock, locale=self._locale, **others)


def _command(component: Component) -> Command:
    builtin = component.plugin.source is Source.BUILTIN
    command = Command.of(component.plugin_id, declaration(component), builtin=builtin)
    if command.bad_pattern is not None:
        logger.warning("{}", command.bad_pattern.text())
    return command


async def _invoked(component: Component, command: Command, arguments: Mapping[str, Any]) -> CommandResult:
    try:
        invoked = await component.invoke(arguments)
    except ComponentGoneError as lost:
        logger.error("{}", lost)
        return CommandResult.lost(str(lost))
    if invoked.success:
        return CommandResult.returned(command, invoked.result)
    logger.error("The command {} failed: {}\n{}", command.full_name, invoked.result, invoked.traceback)
    return CommandResult.raised(command, str(invoked.result))


def _log(name: str, outcome: Mapping[str, Any]) -> None:
    word = "succeeded" if outcome["success"] else "failed"
    logger.info("The command {} {}: {}", name, word, outcome["response"])
