"""Plugins that connect a platform: a message's way from there to the bot and back."""

import asyncio
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from host import Host
from host.bot import Status
from host.bot.seen_keys import SeenKeys
from host.hooks import Declaration
from host.runtime import PluginState
from host.storage import DATABASE_FILE, Direction, Handling, Storage
from tests.platform import DUPLEX, Delivery, heard, platform, settings_in
from tests.runtime.plugin_folders import write_plugin

BOTH = pytest.mark.parametrize("isolation", ["process", "inline"])
GREETING = "Hello, Lin! I am 麦麦."


def watching(host: Host, hook: str) -> asyncio.Queue[dict[str, Any]]:
    """The payloads of a hook."""
    seen: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def see(**kwargs: Any) -> None:
        seen.put_nowait(kwargs)

    host.hooks.register(f"a.watcher-of-{hook}", [Declaration(hook=hook, handler=see, name="see")])
    return seen


async def rows(folder: Path) -> list[tuple[str, str, Direction, Handling]]:
    """What is stored: id, text, way, handling."""
    async with Storage.open(folder / "data" / DATABASE_FILE) as storage:
        found = await storage.messages.between(0, time.time() + 60)
    return sorted((row.message_id, row.processed_plain_text or "", row.direction, row.handling) for row in found)


@BOTH
async def test_a_message_comes_in_by_a_plugin_and_its_answer_goes_out_by_it(tmp_path: Path, isolation: str) -> None:
    async with platform() as there:
        there.write_plugin(tmp_path / "plugins")
        async with Host(settings_in(tmp_path, isolation)) as host:
            sent = watching(host, "send_service.after_send")
            line = await there.line()
            assert await line.ready(account_id="10001", scope="main") is True
            assert host.gateways.addresses() == ("tea/10001/main",)
            assert await line.hears(heard(), external_message_id="e1") is True
            # The plugin had its answer, and the bot's turn is not over: its answer is on the way.
            delivery = await line.deliveries.get()
            assert delivery.route == {"platform": "tea", "account_id": "10001", "scope": "main"}
            assert delivery.metadata == {"show_log": False, "typing": True, "reply_message_id": None}
            said = delivery.message
            assert (said["account_id"], said["scope"]) == ("10001", "main")
            assert said["processed_plain_text"] == GREETING
            assert said["message_info"]["user_info"]["user_id"] == "10001"
            assert said["message_info"]["additional_config"]["platform_io_target_user_id"] == "555"
            assert await line.hears(heard(), external_message_id="e1") is False
            assert sent.empty()
            delivery.succeed({"success": True, "message_id": 77})
            after = await sent.get()
            assert (after["sent"], after["message"]["message_id"]) == (True, "77")
    assert await rows(tmp_path) == [
        ("77", GREETING, Direction.OUT, Handling.KEPT),
        ("m1", "hello", Direction.IN, Handling.ANSWERED),
    ]


async def test_routing_data_given_beside_a_message_is_in_it_for_the_hooks(tmp_path: Path) -> None:
    async with platform() as there:
        there.write_plugin(tmp_path / "plugins")
        async with Host(settings_in(tmp_path)) as host:
            came = watching(host, "chat.receive.before_process")
            line = await there.line()
            await line.ready(account_id="10001")
            await line.hears(heard(), route_metadata={"room": "4", "empty": "", "self_id": "10001"})
            message = (await came.get())["message"]
            assert message["account_id"] == "10001"
            assert message["message_info"]["additional_config"] == {"room": "4"}
            (await line.deliveries.get()).succeed("77")


@pytest.mark.parametrize(
    ("returned", "platform_id"),
    [
        ({"external_message_id": "x1", "message_id": "x2"}, "x1"),
        ({"message_id": " x2 "}, "x2"),
        ("x3", "x3"),
        ({"success": True}, None),
        ({"success": 0, "external_message_id": "  "}, None),
        (None, None),
        (False, None),
        ("  ", None),
        ([1], None),
    ],
)
async def test_what_a_gateway_returns_says_the_id_and_seldom_that_it_failed(
    line_of_host: Any, returned: Any, platform_id: str | None
) -> None:
    host, line = line_of_host
    sent = watching(host, "send_service.after_send")
    await line.hears(heard())
    (await line.deliveries.get()).succeed(returned)
    after = await sent.get()
    assert after["sent"] is True
    told = after["message"]["message_id"]
    assert told == platform_id if platform_id else told.startswith("send_api_")


async def test_a_delivery_that_fails_is_told_to_after_send_with_the_reason(line_of_host: Any) -> None:
    host, line = line_of_host
    sent = watching(host, "send_service.after_send")
    endings: dict[str, Callable[[Delivery], None]] = {
        "delivery_refused": lambda delivery: delivery.succeed({"success": False, "error": "you are muted"}),
        "delivery_failed": lambda delivery: delivery.fail("line is down"),
        "delivery_timed_out": lambda delivery: None,
    }
    for number, (code, end) in enumerate(endings.items()):
        receiving = asyncio.create_task(host.bot.receive(heard(message_id=str(number), account_id="10001")))
        end(await line.deliveries.get())
        outcome = await receiving
        assert outcome.status is Status.NOT_SENT
        assert (outcome.reason.code, outcome.reason.gateway) == (code, "team.bridge/line")
        assert (await sent.get())["sent"] is False
        if code == "delivery_refused":
            assert (
                outcome.reason.text() == "the gateway of 'tea/10001' (team.bridge/line) did not send it: you are muted"
            )


@pytest.fixture
async def line_of_host(tmp_path: Path) -> Any:
    """A host and the line of its plugin, which is ready; its handler may take half a second."""
    async with platform() as there:
        there.write_plugin(tmp_path / "plugins", gateways=DUPLEX.replace('"lines"', '"lines", timeout_ms=500'))
        async with Host(settings_in(tmp_path)) as host:
            line = await there.line()
            await line.ready(account_id="10001")
            yield host, line


ACCOUNTS = """@MessageGateway("duplex", name="one", platform="tea", account_id="1")
        async def one(self, **kwargs):
            return await self.deliver(**kwargs)

        @MessageGateway("duplex", name="two", platform="tea", account_id="2")
        async def two(self, **kwargs):
            return await self.deliver(**kwargs)

        @MessageGateway("send", name="three.out", platform="tea", account_id="3")
        async def three(self, **kwargs):
            return await self.deliver(**kwargs)

        @MessageGateway("receive", name="three.in", platform="tea", account_id="3")
        async def never(self, **kwargs):
            raise AssertionError("nothing is sent by it")
"""


async def test_several_accounts_of_a_platform_are_told_apart(tmp_path: Path) -> None:
    async with platform() as there:
        there.write_plugin(tmp_path / "plugins", gateways=ACCOUNTS)
        async with Host(settings_in(tmp_path)) as host:
            line = await there.line()
            for gateway in ("one", "two", "three.out", "three.in"):
                assert await line.ready(gateway)
            assert host.gateways.addresses() == ("tea/1", "tea/2", "tea/3")
            chats = set()
            for gateway, account in (("two", "2"), ("one", "1"), ("three.in", "3")):
                # One key is one message of each gateway.
                assert await line.hears(heard(), gateway, dedupe_key="same")
                delivery = await line.deliveries.get()
                assert delivery.route["account_id"] == account
                chats.add(delivery.message["session_id"])
                delivery.succeed()
            assert len(chats) == 3
            await line.call("update_state", gateway_name="one", ready=False)
            outcome = await host.bot.receive(heard(message_id="m2", account_id="1"))
            assert outcome.status is Status.NOT_SENT
            assert outcome.reason.text().startswith("no gateway serves 'tea/1'; there are tea/2, tea/3.")  # type: ignore[union-attr]
            assert line.deliveries.empty()


async def test_a_gateway_goes_with_its_process_and_comes_back_with_it(tmp_path: Path) -> None:
    async with platform() as there:
        there.write_plugin(tmp_path / "plugins")
        restarts = {"restarts": {"first_pause_seconds": 0.1}}
        async with Host(settings_in(tmp_path, "process", runners=restarts)) as host:
            line = await there.line()
            await line.ready(account_id="10001")
            plugin = host.plugins["team.bridge"]
            vitals = plugin.code.vitals()  # type: ignore[union-attr]
            receiving = asyncio.create_task(host.bot.receive(heard(account_id="10001")))
            await line.deliveries.get()
            os.kill(vitals.pid, signal.SIGKILL)  # type: ignore[union-attr]
            outcome = await receiving
            assert outcome.status is Status.NOT_SENT
            assert outcome.reason.code in ("gateway_gone", "delivery_failed")  # type: ignore[union-attr]
            again = await there.line()
            assert host.gateways.addresses() == ()
            assert await again.ready(account_id="10001")
            assert await again.hears(heard(message_id="m2"))
            (await again.deliveries.get()).succeed()


async def test_a_gateway_goes_with_a_reload_and_an_unload(tmp_path: Path) -> None:
    async with platform() as there:
        there.write_plugin(tmp_path / "plugins")
        async with Host(settings_in(tmp_path)) as host:
            first = await there.line()
            await first.ready(account_id="10001")
            await first.hears(heard())
            (await first.deliveries.get()).succeed()
            await host.plugins.reload("team.bridge")
            assert host.gateways.addresses() == ()
            second = await there.line()
            assert await second.ready(account_id="10001")
            # What came in before the reload is known after it.
            assert await second.hears(heard()) is False
            assert await second.hears(heard(message_id="m2")) is True
            (await second.deliveries.get()).succeed()
            await host.plugins.unload("team.bridge")
            assert host.gateways.addresses() == ()
            outcome = await host.bot.receive(heard(message_id="m3", account_id="10001"))
            assert outcome.reason.code == "no_gateway"  # type: ignore[union-attr]


EARLY = """
    from maibot_sdk import MaiBotPlugin, MessageGateway

    class Early(MaiBotPlugin):
        async def on_load(self):
            await self.ctx.gateway.update_state("", ready=True, account_id="1")
            assert await self.ctx.gateway.route_message("early", MESSAGE)
            FURTHER

        async def on_unload(self):
            assert await self.ctx.gateway.update_state("early", ready=False)
            try:
                await self.ctx.gateway.update_state("early", ready=True, account_id="1")
            except RuntimeError as error:
                self.ctx.logger.warning("refused: %s", error)

        @MessageGateway("duplex", platform="tea")
        async def early(self, **kwargs):
            self.ctx.logger.warning("delivered")

    create_plugin = Early
"""
LATE = """
    from maibot_sdk import HookHandler, MaiBotPlugin

    class Late(MaiBotPlugin):
        async def on_load(self): ...

        @HookHandler("chat.receive.before_process")
        async def stop(self, **kwargs):
            return {"action": "abort"}

    create_plugin = Late
"""


async def test_a_message_that_comes_while_plugins_load_waits_for_all_of_them(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    source = EARLY.replace("MESSAGE", repr(heard())).replace("FURTHER", "")
    write_plugin(tmp_path / "plugins", "a.early", source)
    write_plugin(tmp_path / "plugins", "b.late", LATE)
    async with Host(settings_in(tmp_path)) as host:
        assert host.plugins["a.early"].state is PluginState.ACTIVE
    (told,) = caplog.messages
    assert told.startswith("refused: plugin 'a.early' is unloading")
    assert await rows(tmp_path) == []


async def test_nothing_is_left_of_a_gateway_whose_plugin_fails_to_load(tmp_path: Path) -> None:
    source = EARLY.replace("MESSAGE", repr(heard())).replace("FURTHER", "raise ValueError('no')")
    write_plugin(tmp_path / "plugins", "a.early", source)
    async with Host(settings_in(tmp_path)) as host:
        assert host.plugins["a.early"].state is PluginState.FAILED
        assert host.gateways.addresses() == ()


async def test_a_message_under_way_when_the_host_ends_is_taken_up_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("host.bot.plugin_gateways.GRACE_SECONDS", 0.1)
    async with platform() as there:
        there.write_plugin(tmp_path / "plugins")
        async with Host(settings_in(tmp_path)):
            line = await there.line()
            await line.ready(account_id="10001")
            await line.hears(heard())
            await line.deliveries.get()
        async with Host(settings_in(tmp_path)) as host:
            line = await there.line()
            taking_up = asyncio.create_task(host.take_up())
            # What nobody could bring to its chat yet waits.
            assert not (await asyncio.wait({taking_up}, timeout=0.3))[0]
            await line.ready(account_id="10001")
            (await line.deliveries.get()).succeed("77")
            assert [outcome.status for outcome in await taking_up] == [Status.REPLIED]


async def test_messages_of_a_chat_are_answered_in_the_order_in_which_they_were_handed_over(
    line_of_host: tuple[Host, Any],
) -> None:
    _, line = line_of_host
    told = await asyncio.gather(*(line.hears(heard(f"say {n}", message_id=str(n))) for n in range(20)))
    assert all(told)
    for number in range(20):
        delivery = await line.deliveries.get()
        assert f'"say {number}"' in delivery.message["processed_plain_text"]
        delivery.succeed()


def test_of_the_keys_that_were_seen_the_oldest_makes_room() -> None:
    seen = SeenKeys(2)
    assert [seen.add(key) for key in ("a", "b", "a", "c", "b", "a")] == [True, True, False, True, False, True]
    seen.forget("a")
    assert seen.add("a")
