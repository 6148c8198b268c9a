"""What `@EventHandler` plugins are told, in which order, and what becomes of what they return."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from host import Host, Settings
from host.bot import Status
from host.bot.events import Events
from host.hooks import BreakerSettings, Hooks, HookSettings
from host.runtime.code import Isolation
from host.runtime.components import Components
from maibot_sdk.types import EventType
from tests.bot.chat import NOW, Chat, MemoryGateway, message_dict, parsed
from tests.bot.components import components_of
from tests.runtime.plugin_folders import write_plugin

ON_THE_WAY = [
    "on_message_pre_process",
    "on_message",
    "on_plan",
    "post_llm",
    "after_llm",
    "post_send_pre_process",
    "post_send",
    "after_send",
]


def plugin(*handlers: str) -> str:
    """A plugin with event handlers: each a decorator's arguments, a colon, and what the handler does."""
    methods = "".join(
        f"""
        @EventHandler("h{number}", event_type=EventType.{arguments})
        async def h{number}(self, event_type, message, **kwargs):
            {does}
        """
        for number, (arguments, _, does) in enumerate(each.partition(": ") for each in handlers)
    )
    return f"""
    import asyncio
    import json
    import logging
    from pathlib import Path
    from maibot_sdk import EventHandler, MaiBotPlugin
    from maibot_sdk.types import EventType

    journal = logging.getLogger("journal")

    def said(message, more):
        text = message["raw_message"][0]["data"] + more
        return {{**message, "raw_message": [{{"type": "text", "data": text}}], "processed_plain_text": text}}

    class Told(MaiBotPlugin):
        async def on_load(self): ...
        {methods}
    create_plugin = Told
"""


def adding(event: str, more: str, **declared: Any) -> str:
    """A handler that intercepts, and puts something at the end of the message."""
    others = "".join(f", {key}={value!r}" for key, value in declared.items())
    return f'{event}, intercept_message=True{others}: return {{"modified_message": said(message, {more!r})}}'


def chat_of(components: Components) -> Chat:
    chat = Chat()
    chat.bot = type(chat.bot)(
        chat.hooks,
        chat.gateways,
        store=chat.store,
        clock=lambda: NOW,
        events=Events(chat.hooks, components, clock=lambda: NOW),
    )
    return chat


def events_of(components: Components, settings: HookSettings | None = None) -> Events:
    return Events(Hooks(settings), components, clock=lambda: NOW)


async def test_a_message_is_told_at_each_place_of_its_way_and_goes_on_as_it_comes_back(tmp_path: Path) -> None:
    handlers = [adding(event.upper(), f" <{event}>") for event in ON_THE_WAY]
    async with components_of(tmp_path, told=plugin(*handlers)) as components:
        chat = chat_of(components)
        hooked = {
            event: chat.watching(hook, plugin=f"test.{event}")
            for event, hook in {
                "on_message_pre_process": "chat.receive.before_process",
                "on_message": "chat.receive.after_process",
                "post_send_pre_process": "send_service.after_build_message",
                "post_send": "send_service.before_send",
            }.items()
        }
        outcome = await chat.bot.receive(message_dict("tea?"))
    assert outcome.status is Status.REPLIED
    heard = "tea? <on_message_pre_process>"
    assert hooked["on_message_pre_process"][0]["message"]["raw_message"][0]["data"] == heard
    # Before the last hook of receiving, and not after it.
    assert hooked["on_message"][0]["message"]["processed_plain_text"] == heard
    assert outcome.text == f"{heard} <on_message> <on_plan>"
    [sent] = chat.gateway.texts()
    assert sent.endswith(" <post_send_pre_process> <post_send>")
    assert hooked["post_send_pre_process"][0]["message"]["processed_plain_text"].endswith("<post_send_pre_process>")
    assert hooked["post_send"][0]["message"]["processed_plain_text"] == sent


@pytest.mark.parametrize("event", ON_THE_WAY[:3])
async def test_a_message_that_a_handler_stops_goes_no_further(tmp_path: Path, event: str) -> None:
    stopping = f'{event.upper()}, intercept_message=True: return {{"continue_processing": False}}'
    async with components_of(tmp_path, told=plugin(stopping)) as components:
        chat = chat_of(components)
        outcome = await chat.bot.receive(message_dict("tea?"))
    assert outcome.status is Status.STOPPED
    assert outcome.stopped is not None
    assert (outcome.stopped.hook, outcome.stopped.plugin_id, outcome.stopped.handler) == (event, "team.told", "h0")
    assert chat.gateway.texts() == []


@pytest.mark.parametrize("event", ["post_llm", "after_llm"])
async def test_a_reply_that_a_handler_stops_is_not_said(tmp_path: Path, event: str) -> None:
    stopping = f'{event.upper()}, intercept_message=True: return {{"blocked": True}}'
    async with components_of(tmp_path, told=plugin(stopping)) as components:
        chat = chat_of(components)
        asked = chat.watching("maisaka.replyer.before_model_request")
        outcome = await chat.bot.receive(message_dict("Is there tea, 麦麦?"))
    assert outcome.status is Status.NO_REPLY
    assert outcome.reason is not None
    assert event in outcome.reason.text()
    assert len(asked) == (event == "after_llm")
    assert chat.gateway.texts() == []


@pytest.mark.parametrize("event", ["post_send_pre_process", "post_send"])
async def test_an_answer_that_a_handler_stops_is_not_sent(tmp_path: Path, event: str) -> None:
    stopping = f'{event.upper()}, intercept_message=True: return {{"blocked": True}}'
    async with components_of(tmp_path, told=plugin(stopping)) as components:
        chat = chat_of(components)
        outcome = await chat.bot.receive(message_dict("tea?"))
    assert outcome.status is Status.NOT_SENT
    assert outcome.stopped is not None
    assert outcome.stopped.hook == event
    assert chat.gateway.texts() == []


async def test_those_that_intercept_are_told_by_weight_the_greatest_first(tmp_path: Path) -> None:
    first = plugin(
        adding("ON_MESSAGE", "c", weight=1), adding("ON_MESSAGE", "a", weight=9), adding("ON_MESSAGE", "d", weight=1)
    )
    second = plugin(adding("ON_MESSAGE", "b", weight=5), adding("ON_MESSAGE", "e", weight=-2))
    async with components_of(tmp_path, aa=first, bb=second) as components:
        message, stop = await events_of(components).tell(EventType.ON_MESSAGE, parsed("-"))
    assert (message.text, stop) == ("-abcde", None)


@pytest.mark.parametrize(
    ("returned", "stops"),
    [
        ("None", False),
        ("{}", False),
        ('{"continue_processing": False}', True),
        ('{"blocked": False, "continue_processing": False}', False),
        ('{"blocked": True}', True),
        ('{"custom_result": 7}', False),
        ('(False, "stop")', False),
        ("False", False),
        ('"stop"', False),
        ('{"modified_message": None}', False),
        ('{"modified_message": {"no": "message"}}', False),
        ('{"modified_message": "text"}', False),
        ("1 / 0", False),
    ],
)
async def test_only_a_dict_that_says_so_stops_a_message_and_what_is_no_message_changes_nothing(
    tmp_path: Path, returned: str, stops: bool
) -> None:
    source = plugin(f"ON_MESSAGE, intercept_message=True: return {returned}", adding("ON_MESSAGE", " later"))
    async with components_of(tmp_path, told=source) as components:
        message, stop = await events_of(components).tell(EventType.ON_MESSAGE, parsed("tea"))
    assert message.text == ("tea" if stops else "tea later")
    assert (stop is not None) is stops


async def test_the_others_run_in_the_background_after_those_that_intercept(tmp_path: Path) -> None:
    told = tmp_path / "told.json"
    noting = (
        f'await asyncio.sleep(0); Path({str(told)!r}).write_text(json.dumps([event_type, message]), encoding="utf-8")'
    )
    source = plugin(f"ON_MESSAGE, weight=100: {noting}", adding("ON_MESSAGE", "!"))
    async with components_of(tmp_path, told=source) as components:
        events = events_of(components)
        message, _ = await events.tell(EventType.ON_MESSAGE, parsed("tea"))
        assert not told.exists()
        await events.aclose()
    event_type, seen = json.loads(told.read_text())
    assert (event_type, seen["processed_plain_text"], message.text) == ("on_message", "tea!", "tea!")


async def test_after_a_stop_nobody_else_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    source = plugin(
        'ON_MESSAGE, intercept_message=True, weight=2: return {"blocked": True}',
        'ON_MESSAGE, intercept_message=True: journal.warning("later")',
        'ON_MESSAGE: journal.warning("background")',
    )
    async with components_of(tmp_path, told=source) as components:
        events = events_of(components)
        await events.tell(EventType.ON_MESSAGE, parsed("tea"))
        await events.aclose()
    assert [record.message for record in caplog.records if record.name == "journal"] == []


async def test_one_that_keeps_failing_is_skipped_for_a_while(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    source = plugin('ON_MESSAGE, intercept_message=True: journal.warning("called"); raise LookupError("no tea")')
    settings = HookSettings(breaker=BreakerSettings(min_failures=2))
    async with components_of(tmp_path, told=source) as components:
        events = events_of(components, settings)
        for _ in range(5):
            await events.tell(EventType.ON_MESSAGE, parsed("tea"))
    assert [record.message for record in caplog.records if record.name == "journal"] == ["called"] * 2


async def test_a_handler_that_is_switched_off_is_not_told(tmp_path: Path) -> None:
    async with components_of(tmp_path, told=plugin(adding("ON_MESSAGE", "!"))) as components:
        events = events_of(components)
        [handler] = components.of_type("EVENT_HANDLER")
        components.switch(handler, on=False)
        assert (await events.tell(EventType.ON_MESSAGE, parsed("tea")))[0].text == "tea"
        components.switch(handler, on=True)
        assert (await events.tell(EventType.ON_MESSAGE, parsed("tea")))[0].text == "tea!"


SENDS = """
    from maibot_sdk import EventHandler, MaiBotPlugin
    from maibot_sdk.types import EventType

    class Echo(MaiBotPlugin):
        async def on_load(self): ...

        @EventHandler("start", event_type=EventType.ON_START)
        async def start(self, event_type, message, **kwargs):
            self.told(event_type, message)

        @EventHandler("stop", event_type=EventType.ON_STOP)
        async def stop(self, event_type, message, **kwargs):
            self.told(event_type, message)

        @EventHandler("echo", event_type=EventType.{event}, intercept_message={intercepts})
        async def echo(self, message, **kwargs):
            await self.ctx.send.text("echo", message["session_id"])

        def told(self, event_type, message):
            with open(self.ctx.paths.data_dir / "told", "a") as file:
                print(event_type, message, file=file)

    create_plugin = Echo
"""


@pytest.mark.parametrize("intercepts", [True, False])
@pytest.mark.parametrize("isolation", ["inline", "process"])
async def test_one_that_sends_where_it_is_told_of_what_is_sent_ends_by_itself(
    tmp_path: Path, isolation: Isolation, intercepts: bool
) -> None:
    event = "POST_SEND" if intercepts else "AFTER_SEND"
    source = SENDS.replace("{event}", event).replace("{intercepts}", str(intercepts))
    folder = write_plugin(tmp_path / "plugins", "team.echo", source)
    manifest = json.loads((folder / "_manifest.json").read_text())
    (folder / "_manifest.json").write_text(json.dumps({**manifest, "capabilities": ["send.text"]}))
    settings = Settings.model_validate(
        {
            "data_dir": tmp_path / "data",
            "plugin_dirs": [tmp_path / "plugins"],
            "bundled_plugins": False,
            "plugins": {"isolation": isolation},
            "hooks": {"max_chain_depth": 8},
        }
    )
    gateway = MemoryGateway()
    async with Host(settings, gateways=(gateway,)) as host:
        outcome = await host.bot.receive(message_dict("tea?"))
    assert outcome.status is Status.REPLIED
    # Each step down the chain is an event, which sends one more.
    assert 2 <= gateway.texts().count("echo") <= 8
    [told] = (tmp_path / "data").rglob("told")
    assert told.read_text().splitlines() == ["on_start None", "on_stop None"]


async def test_the_end_does_not_wait_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("host.bot.events._STOP_SECONDS", 0.05)
    source = plugin(
        "ON_STOP: await asyncio.Event().wait()", "ON_STOP, intercept_message=True: await asyncio.Event().wait()"
    )
    async with components_of(tmp_path, told=source) as components, asyncio.timeout(10):
        await events_of(components).aclose()
