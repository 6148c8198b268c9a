"""What joins plugins and an agent, for programs that bring an agent of their own."""

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any, TypedDict

from host.bub.agent import Agent
from host.bub.agent_hooks import PluginAgentHooks
from host.bub.envelope import Envelope
from host.bub.events import MessagesPending, StepFinished
from host.bub.framework import Framework
from host.bub.prompt import to_legacy_prompt


class AgentComponents(TypedDict, total=False):
    """What plugins give for the making of an agent; a key is there where somebody gives it."""

    store: Any
    context: Any
    sidecars: Sequence[Any]


class AgentPlugins:
    """Connects agents with the plugins of a framework.

    Args:
        framework: whose plugins; one of its own when None.
        plugins: further ones, registered here. A framework of its own that is given none has those installed.

    Attributes:
        framework: as given or made.
    """

    def __init__(self, framework: Framework | None = None, *, plugins: Iterable[object] | None = None) -> None:
        self.framework = framework or Framework()
        if framework is None and plugins is None:
            self.framework.plugins.load(self.framework)
        for number, plugin in enumerate(plugins or ()):
            self.framework.plugins.register(plugin, f"{type(plugin).__name__}-{number}")

    def running(self) -> AbstractAsyncContextManager[AsyncExitStack]:
        """Hold what plugins provide for as long as the agents are used; see `Resources.running`."""
        return self.framework.running()

    def components(self) -> AgentComponents:
        """What to make an agent with. The store is there while `running` is entered."""
        found = AgentComponents()
        if self.framework.resources.tape_store is not None:
            found["store"] = self.framework.resources.tape_store
        if self.framework.plugins.table.of("build_tape_context"):
            found["context"] = self.framework.tape_context()
        if sidecars := self.framework.tape_sidecars():
            found["sidecars"] = sidecars
        return found

    def attach(self, agent: Agent, *, tools: bool = True) -> Agent:
        """Connect an agent: the four hooks around its calls, ``continue_prompt``, steering, ``system_prompt``.

        Args:
            agent: changed in place, and returned.
            tools: whether it gets the tools of plugins too; those of its own keep their names.
        """
        PluginAgentHooks(self.framework.runtime).subscribe(agent.events)
        agent.events.on(StepFinished, self._continue)
        agent.events.on(MessagesPending, self._steer)
        before = agent.system_prompt

        async def system_prompt(prompt: Any, state: dict[str, Any]) -> str:
            own = await before(prompt, state)
            return "\n\n".join(filter(None, (own, self.framework.system_prompt(prompt=prompt, state=state))))

        agent.system_prompt = system_prompt
        if tools:
            taken = {tool.name for tool in agent.tools}
            agent.tools += [tool for tool in self.framework.tools() if tool.name not in taken]
        return agent

    async def build_state(
        self, session_id: str, *, message: Envelope | None = None, agent: Agent | None = None
    ) -> dict[str, Any]:
        """The state of a turn.

        Args:
            session_id: the session.
            message: what ``load_state`` is told; a mapping with the session's id alone when None.
            agent: put into the state, where hooks look for it.
        """
        told = {"session_id": session_id} if message is None else message
        state = await self.framework.build_state(told, session_id)
        state.setdefault("session_id", session_id)
        if agent is not None:
            state["_runtime_agent"] = agent
        return state

    async def _continue(self, event: StepFinished) -> None:
        if event.status == "continue":
            event.next_prompt = await self.framework.runtime.call_first(
                "continue_prompt", prompt=event.prompt, tape=event.tape, state=event.state
            )

    async def _steer(self, event: MessagesPending) -> None:
        inbox = self.framework.resources.steering_inbox
        if inbox is None:
            return
        session_id = str(event.state.get("session_id", ""))
        prompts = await asyncio.gather(
            *(
                self.framework.build_prompt(message, session_id, event.state)
                for message in await inbox.drain_messages(event.state)
            )
        )
        event.messages += map(to_legacy_prompt, prompts)
