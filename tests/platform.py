"""A chat platform for tests: a TCP server, and a plugin that connects it and does what the platform says."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from host import Settings
from tests.runtime.plugin_folders import write_plugin

BRIDGE = """
    import asyncio
    import json
    from maibot_sdk import MaiBotPlugin, MessageGateway

    class Bridge(MaiBotPlugin):
        async def on_load(self):
            self.answers, self.last = {}, 0
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", PORT, limit=1 << 26)
            self.listening = asyncio.create_task(self.listen())

        async def on_unload(self):
            self.listening.cancel()
            self.writer.close()

        async def listen(self):
            async for line in self.reader:
                said = json.loads(line)
                if "call" in said:
                    asyncio.create_task(self.call(**said))
                else:
                    self.answers.pop(said["answers"]).set_result(said)

        async def call(self, call, number, arguments):
            try:
                told = {"returned": await getattr(self.ctx.gateway, call)(**arguments)}
            except RuntimeError as error:
                told = {"raised": str(error)}
            self.tell(number=number, **told)

        def tell(self, **told):
            self.writer.write(json.dumps(told).encode() + b"\\n")

        async def deliver(self, **kwargs):
            self.last += 1
            number = self.last
            answer = self.answers[number] = asyncio.get_running_loop().create_future()
            self.tell(delivers=number, **kwargs)
            said = await answer
            if "raises" in said:
                raise ConnectionError(said["raises"])
            return said["returns"]

        GATEWAYS

    create_plugin = Bridge
"""
DUPLEX = """@MessageGateway("duplex", name="line", platform="tea", protocol="lines")
        async def line(self, message, route, metadata):
            return await self.deliver(message=message, route=route, metadata=metadata)
"""


@dataclass(slots=True)
class Delivery:
    """What a plugin is to bring to the platform.

    Attributes:
        message: what is sent.
        route: by which account.
        metadata: how.
    """

    message: dict[str, Any]
    route: dict[str, Any]
    metadata: dict[str, Any]
    _number: int
    _line: "Line"

    def succeed(self, returned: Any = None) -> None:
        """Let the handler return."""
        self._line.tell(answers=self._number, returns=returned)

    def fail(self, text: str) -> None:
        """Let the handler raise."""
        self._line.tell(answers=self._number, raises=text)


@dataclass(slots=True)
class Line:
    """The connection of one plugin to the platform.

    Attributes:
        deliveries: what its gateways brought.
    """

    writer: asyncio.StreamWriter
    deliveries: asyncio.Queue[Delivery] = field(default_factory=asyncio.Queue)
    _calls: dict[int, asyncio.Future[Any]] = field(default_factory=dict)
    _last: int = 0

    async def call(self, method: str, **arguments: Any) -> Any:
        """What ``ctx.gateway.<method>(...)`` returns in the plugin; RuntimeError where it raises that there."""
        self._last += 1
        answer = self._calls[self._last] = asyncio.get_running_loop().create_future()
        self.tell(call=method, number=self._last, arguments=arguments)
        return await answer

    async def ready(self, gateway: str = "line", **where: str) -> Any:
        """Say that the connection stands."""
        return await self.call("update_state", gateway_name=gateway, ready=True, **where)

    async def hears(self, message: dict[str, Any], gateway: str = "line", **beside: Any) -> Any:
        """Hand a message over."""
        return await self.call("route_message", gateway_name=gateway, message=message, **beside)

    def tell(self, **said: Any) -> None:
        """Say something to the plugin."""
        self.writer.write(json.dumps(said).encode() + b"\n")

    async def read(self, reader: asyncio.StreamReader) -> None:
        """Take what the plugin says until it is gone."""
        async for line in reader:
            said = json.loads(line)
            if "delivers" in said:
                number = said.pop("delivers")
                self.deliveries.put_nowait(Delivery(**said, _number=number, _line=self))
                continue
            answer = self._calls.pop(said["number"])
            if "raised" in said:
                answer.set_exception(RuntimeError(said["raised"]))
            else:
                answer.set_result(said["returned"])


@dataclass(slots=True)
class Platform:
    """The server.

    Attributes:
        port: where it listens.
    """

    port: int
    _lines: asyncio.Queue[Line]

    async def line(self) -> Line:
        """The next connection of a plugin."""
        return await self._lines.get()

    def write_plugin(self, root: Path, plugin_id: str = "team.bridge", gateways: str = DUPLEX) -> None:
        """Write a plugin that connects the platform."""
        write_plugin(root, plugin_id, BRIDGE.replace("PORT", str(self.port)).replace("GATEWAYS", gateways.strip()))


@asynccontextmanager
async def platform() -> AsyncIterator[Platform]:
    """A platform on a free port."""
    lines: asyncio.Queue[Line] = asyncio.Queue()
    open_lines: set[asyncio.StreamWriter] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = Line(writer)
        open_lines.add(writer)
        lines.put_nowait(line)
        try:
            await line.read(reader)
        except ConnectionError:
            """Its process was killed."""
        finally:
            open_lines.discard(writer)
            writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0, limit=1 << 26)
    try:
        yield Platform(server.sockets[0].getsockname()[1], lines)
    finally:
        server.close()
        for writer in open_lines:
            writer.close()
        await server.wait_closed()


def settings_in(root: Path, isolation: str = "inline", **sections: Any) -> Settings:
    """Settings of a host with the plugins of a folder."""
    return Settings.model_validate(
        {
            "data_dir": root / "data",
            "plugin_dirs": [root / "plugins"],
            "bundled_plugins": False,
            "plugins": {"isolation": isolation},
            **sections,
        }
    )


def heard(text: str = "hello", **changes: Any) -> dict[str, Any]:
    """What Lin says on this platform to the bot alone; `changes` replace keys at the top."""
    return {
        "message_id": "m1",
        "platform": "tea",
        "message_info": {"user_info": {"user_id": "555", "user_nickname": "Lin"}, "group_info": None},
        "raw_message": [{"type": "text", "data": text}],
        **changes,
    }
