"""What a gateway's plugin may not say: each refusal raises in it with the reason, and leaves everything as it was."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from host import Host
from host.bot import ConsoleGateway
from host.bot.inbound import LARGEST, LONGEST_TEXT
from tests.bot.chat import MemoryGateway
from tests.platform import Line, heard, platform, settings_in

GATEWAYS = """@MessageGateway("duplex", name="line", platform="tea")
        async def line(self, **kwargs):
            return await self.deliver(**kwargs)

        @MessageGateway("send", name="out")
        async def out(self, **kwargs):
            return await self.deliver(**kwargs)

        def get_components(self):
            other = {"name": "odd", "type": "MESSAGE_GATEWAY", "metadata": {"route_type": 7, "handler_name": "out"}}
            off = {"name": "off", "type": "MESSAGE_GATEWAY", "metadata": {"route_type": "duplex", "enabled": False}}
            return [*super().get_components(), other, off]
"""


@pytest.fixture
async def running(tmp_path: Path) -> AsyncIterator[tuple[Host, Line, Line]]:
    """A host with a console and a QQ of its own, and the lines of two plugins with the same gateways."""
    async with platform() as there:
        for plugin_id in ("team.one", "team.two"):
            there.write_plugin(tmp_path / "plugins", plugin_id, GATEWAYS)
        gateways = (ConsoleGateway(print), MemoryGateway("qq"))
        async with Host(settings_in(tmp_path), gateways=gateways) as host:
            yield host, await there.line(), await there.line()


def without(key: str) -> dict[str, Any]:
    data = heard()
    del data[key]
    return data


def by(user: Any, group: Any = None) -> dict[str, Any]:
    return heard(message_info={"user_info": user, "group_info": group})


LIN = {"user_id": "555", "user_nickname": "Lin"}
PICTURE = {"type": "image", "data": "", "binary_data_base64": "A" * (LARGEST + 1)}
BAD_MESSAGES: dict[str, tuple[Any, str]] = {
    "no dict": ("hello", "argument 'message' is 'hello'"),
    "a list": ([heard()], "argument 'message' is"),
    "empty": ({}, "message_id is missing.*platform is missing.*raw_message is missing"),
    "no id": (without("message_id"), "message_id is missing"),
    "a blank id": (heard(message_id=" "), "message_id is ' '"),
    "an id that is a number": (heard(message_id=7), "message_id is 7"),
    "a long id": (heard(message_id="x" * 600), "message_id has 600 characters; allowed are 512"),
    "no platform": (without("platform"), "platform is missing"),
    "another platform": (heard(platform="qq"), "came by 'qq/1', and gateway 'line' is ready for 'tea/1'"),
    "another account": (heard(account_id="2"), "came by 'tea/2'"),
    "another scope": (heard(account_id="1", scope="x"), "came by 'tea/1/x'"),
    "no account, though it says so": (heard(account_id=None), "neither that nor the message says"),
    "an older key with another account": (heard(self_id=2), "came by 'tea/2'"),
    "no info": (without("message_info"), "message_info is missing"),
    "an info that is text": (heard(message_info="Lin"), "message_info is 'Lin'"),
    "nobody": (by(None), "message_info.user_info is null"),
    "a user without a name": (by({"user_id": "555"}), "user_info.user_nickname is missing"),
    "a user with a long name": (by({**LIN, "user_nickname": "x" * 600}), "user_nickname has 600 characters"),
    "a group without an id": (by(LIN, {"group_name": "tea"}), "group_info.group_id is missing"),
    "a group that is a list": (by(LIN, []), "message_info.group_info is"),
    "text for content": (heard(raw_message="hello"), "raw_message is 'hello'"),
    "content that is no segment": (heard(raw_message=["hello"]), r"raw_message\[0\] is 'hello'"),
    "a forward of nonsense": (heard(raw_message=[{"type": "forward", "data": [7]}]), r"raw_message\[0\].data\[0\]"),
    "too much text": (heard("x" * (LONGEST_TEXT + 1)), "raw_message has 200001 characters"),
    "a huge picture": (heard(raw_message=[PICTURE]), "bytes; allowed are 16777216"),
}


async def test_what_is_no_message_of_the_gateway_is_refused_and_hurts_nothing(running: tuple[Host, Line, Line]) -> None:
    _, line, _ = running
    await line.ready(account_id="1")
    for case, (message, why) in BAD_MESSAGES.items():
        with pytest.raises(RuntimeError, match=why):
            await line.hears(message, external_message_id=case)
    wrong: list[dict[str, Any]] = [{"route_metadata": "x"}, {"dedupe_key": ["x"]}, {"external_message_id": {}}]
    for beside in wrong:
        with pytest.raises(RuntimeError, match=r"host\.route_message cannot be called so"):
            await line.hears(heard(), **beside)
    assert await line.hears(heard())
    (await line.deliveries.get()).succeed()
    assert line.deliveries.empty()


BAD_STATES: dict[str, tuple[dict[str, Any], str]] = {
    "a gateway of another": ({"gateway_name": "other"}, "declares no gateway 'other'; it declares 'line', 'out'"),
    "no name": ({"gateway_name": ""}, "gateway_name is empty, and plugin 'team.one' declares 'line', 'out'"),
    "no platform": ({"gateway_name": "out"}, "gateway 'out' cannot be ready without a platform"),
    "a platform of dots": ({"platform": {"a": 1}}, "cannot be called so: argument 'platform'"),
    "ready or not": ({"ready": "perhaps"}, "argument 'ready' is 'perhaps'"),
    "a long account": ({"account_id": "1" * 600}, "account_id has 600 characters"),
    "the console": ({"platform": "bot_console"}, "the host itself connects 'bot_console'"),
    "the web page": ({"platform": "web"}, "the host itself connects 'web'"),
    "what the embedder connects": ({"platform": "qq", "account_id": "9"}, "the host itself connects 'qq'"),
    "the account of another plugin": ({"account_id": "2"}, "'tea/2' is served by gateway team.two/line"),
    "one that is switched off": ({"gateway_name": "off", "platform": "tea"}, "gateway 'off' .* is switched off"),
}


async def test_a_state_that_cannot_be_is_refused_and_the_one_before_counts_on(running: tuple[Host, Line, Line]) -> None:
    host, one, two = running
    await one.ready(account_id="1")
    await two.ready(account_id="2")
    for change, why in BAD_STATES.values():
        with pytest.raises(RuntimeError, match=why):
            await one.call("update_state", **{"gateway_name": "line", "ready": True, **change})
    assert host.gateways.addresses() == ("bot_console", "qq", "tea/1", "tea/2")
    assert await one.call("update_state", gateway_name="line", ready=False)
    assert await one.call("update_state", gateway_name="line", ready=False)
    assert host.gateways.addresses() == ("bot_console", "qq", "tea/2")


async def test_only_a_gateway_that_receives_and_is_ready_may_hand_messages_over(
    running: tuple[Host, Line, Line],
) -> None:
    host, line, _ = running
    with pytest.raises(RuntimeError, match="gateway 'line' is not ready"):
        await line.hears(heard())
    await line.ready("out", platform="tea", account_id="1")
    await line.ready("odd", platform="tea", account_id="3")
    assert host.gateways.addresses() == ("bot_console", "qq", "tea/1")
    for gateway, found in (("out", "send"), ("odd", "7")):
        with pytest.raises(RuntimeError, match=f"gateway '{gateway}' is declared as '{found}'"):
            await line.hears(heard(), gateway)
    await line.ready()
    with pytest.raises(RuntimeError, match="Give account_id to update_state"):
        await line.hears(heard())


async def test_a_gateway_that_is_switched_off_passes_nothing(running: tuple[Host, Line, Line]) -> None:
    host, line, _ = running
    await line.ready(account_id="1")
    (component,) = [
        each
        for each in host.plugins.components.of_type("MESSAGE_GATEWAY")
        if (each.plugin_id, each.name) == ("team.one", "line")
    ]
    host.plugins.components.switch(component, on=False)
    with pytest.raises(RuntimeError, match="is switched off"):
        await line.hears(heard())
    outcome = await host.bot.receive(heard(account_id="1"))
    assert "switched off" in outcome.line()
    host.plugins.components.switch(component, on=True)
    assert await line.hears(heard(message_id="m2"))
    (await line.deliveries.get()).succeed()


async def accepted(line: Line, message: dict[str, Any]) -> bool:
    """Whether a message is taken."""
    try:
        return bool(await line.hears(message))
    except RuntimeError:
        return False


async def test_more_than_a_gateway_may_have_under_way_is_refused_until_one_is_done(
    running: tuple[Host, Line, Line], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("host.bot.plugin_gateways.MOST_UNDER_WAY", 2)
    _, one, two = running
    await one.ready(account_id="1")
    await two.ready(account_id="2")
    assert await one.hears(heard(message_id="m1"))
    first = await one.deliveries.get()
    assert await one.hears(heard(message_id="m2"))
    with pytest.raises(RuntimeError, match="2 messages of gateway 'line' are under way"):
        await one.hears(heard(message_id="m3"))
    assert await two.hears(heard())
    first.succeed()
    second = await one.deliveries.get()
    second.succeed()
    (await two.deliveries.get()).succeed()
    async with asyncio.timeout(10):
        while not await accepted(one, heard(message_id="m3")):
            """The message before it has been answered, but is not quite done."""
    (await one.deliveries.get()).succeed()
