"""What the host adds to a message: with twenty plugins, chain by chain, and with a long history.

A message goes the whole way here: received, a command that lets it go on, planned, worded, sent, stored. Every hook on
it is fired, and twenty plugins in the host's process have a handler on each that returns at once. The built-in offline
model plans and words, so that nothing waits for a network. What is taken is the processor time of all threads, that of
the database among them; how long a disk takes is not the host's.
"""

import asyncio
import tempfile
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial, wraps
from itertools import count, islice
from pathlib import Path
from time import process_time
from typing import Any, Final
from unittest.mock import patch

from benchmarks.cases import CHAINS
from benchmarks.harness import Action, Effort, Samples, paired
from benchmarks.plugin_folders import check_active, write_plugin
from host import Host, Settings
from host.bot import SessionMessage, Status, answering
from host.bot.commanding import CommandChain
from host.bot.planning import Planner
from host.bot.receiving import ReceiveChain
from host.bot.replying import Replyer
from host.bot.sending import Sender
from host.bot.stored_messages import StoredMessages
from host.catalogue import BUILTIN_HOOKS
from host.models import Models
from host.storage import DATABASE_FILE, Storage

PLUGINS: Final = 20
LONG: Final = 10_000
SHORT: Final = 100
ACCOUNT: Final = "10001"
_HEAD = """
from maibot_sdk import Command, HookHandler, MaiBotPlugin


class Trivial(MaiBotPlugin):
    async def on_load(self): ...
"""
_HANDLER = """
    @HookHandler("{hook}", name="handler {number}")
    async def handler_{number}(self, **kwargs): ...
"""
_COMMAND = """
    @Command("tea", pattern="^/tea")
    async def tea(self, **kwargs):
        return True, "goes on", 0
"""
_TAIL = """

create_plugin = Trivial
"""


class Nowhere:
    """A platform that takes everything at once."""

    platform = "bench"

    async def deliver(self, message: SessionMessage, *, typing: bool, reply_message_id: str | None) -> str | None:
        """Nothing."""
        return None


@asynccontextmanager
async def host_with(plugins: int, stored: int = 0) -> AsyncIterator[Host]:
    """A running host with so many plugins, and so many messages stored in the chat that `saying` talks in."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        handlers = "".join(_HANDLER.format(hook=spec.name, number=i) for i, spec in enumerate(BUILTIN_HOOKS))
        (folder / "plugins").mkdir()
        for number in range(plugins):
            source = _HEAD + handlers + _COMMAND * (number == 0) + _TAIL
            write_plugin(folder / "plugins", f"bench.plugin{number:02}", source)
        (folder / "data").mkdir()
        async with Storage.open(folder / "data" / DATABASE_FILE) as storage:
            chat = StoredMessages(storage.messages, ACCOUNT)
            said = (SessionMessage.from_dict(message(number)).identified().processed() for number in range(stored))
            while some := [*islice(said, 500)]:
                await asyncio.gather(*map(chat.add, some))
        settings = {
            "data_dir": folder / "data",
            "plugin_dirs": [folder / "plugins"],
            "bundled_plugins": False,
            "plugins": {"isolation": "inline"},
        }
        async with Host(Settings.model_validate(settings), gateways=(Nowhere(),), pause=_at_once) as host:
            for plugin in host.plugins:
                check_active(plugin)
            yield host


async def _at_once(seconds: float) -> None:
    """Nobody types."""


def message(number: int) -> dict[str, Any]:
    """One that is said to the bot in a group."""
    return {
        "message_id": f"m{number}",
        "timestamp": str(1_790_000_000 + number),
        "platform": Nowhere.platform,
        "account_id": ACCOUNT,
        "message_info": {
            "user_info": {"user_id": "555", "user_nickname": "Lin", "user_cardname": None},
            "group_info": {"group_id": "1", "group_name": "Tea room"},
            "additional_config": {},
        },
        "raw_message": [{"type": "text", "data": "/tea is there any left for me"}],
        "is_mentioned": True,
    }


def saying(host: Host, first: int = LONG) -> Action:
    """Say something to the bot, and have it answer. The messages are numbered from `first` on."""
    numbers = count(first)

    async def say() -> None:
        outcome = await host.bot.receive(message(next(numbers)))
        assert outcome.status is Status.REPLIED, outcome

    return say


async def with_plugins(effort: Effort, plugins: int = PLUGINS) -> Samples:
    """A message with plugins, against one without any."""
    async with host_with(plugins) as host, host_with(0) as bare:
        return await paired(saying(host), saying(bare), effort, process_time)


async def with_history(effort: Effort, plugins: int = PLUGINS, long: int = LONG, short: int = SHORT) -> Samples:
    """A message in a chat with a long history, against one in a chat with a short one."""
    async with host_with(plugins, long) as host, host_with(plugins, short) as other:
        return await paired(saying(host), saying(other), effort, process_time)


class Shares:
    """How much of a message's time each chain takes: that of the innermost chain which is under way.

    Attributes:
        spent: seconds of processor time by chain.
    """

    def __init__(self) -> None:
        self.spent: defaultdict[str, float] = defaultdict(float)
        self._under_way = ["rest"]
        self._since = process_time()

    def _note(self) -> None:
        now = process_time()
        self.spent[self._under_way[-1]] += now - self._since
        self._since = now

    def timed(self, chain: str, method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        """The method, whose time belongs to the chain."""

        @wraps(method)
        async def run(*arguments: Any, **keywords: Any) -> Any:
            self._note()
            self._under_way.append(chain)
            try:
                return await method(*arguments, **keywords)
            finally:
                self._note()
                self._under_way.pop()

        return run

    async def of(self, say: Action) -> dict[str, float]:
        """The shares of one message in percent."""
        self.spent.clear()
        self._since = process_time()
        await say()
        self._note()
        whole = sum(self.spent.values())
        return {chain: 100 * self.spent[chain] / whole for chain in CHAINS}


_PLACES: Final[tuple[tuple[str, Any, str], ...]] = (
    ("receive", ReceiveChain, "run"),
    ("commands", CommandChain, "run"),
    ("planner", Planner, "decide"),
    ("replyer", Replyer, "word"),
    ("replyer", answering, "post_processed"),
    ("send", Sender, "send"),
    ("model", Models, "generate"),
    *(("storage", StoredMessages, name) for name in ("add", "receive", "admit", "revise", "settle", "of")),
)
"""Where each chain begins."""


async def shares(effort: Effort, plugins: int = PLUGINS) -> dict[str, Samples]:
    """The share of each chain, message by message, one at a time."""
    clock = Shares()
    values: dict[str, list[float]] = {chain: [] for chain in CHAINS}
    async with AsyncExitStack() as stack:
        for chain, owner, name in _PLACES:
            stack.enter_context(patch.object(owner, name, clock.timed(chain, getattr(owner, name))))
        say = saying(await stack.enter_async_context(host_with(plugins, SHORT)))
        # The first ones import what is imported late, and fill caches.
        for number in range(effort.rounds + 5):
            found = await clock.of(say)
            for chain in CHAINS if number >= 5 else ():
                values[chain].append(found[chain])
    return {chain: Samples(values=values[chain]) for chain in CHAINS}


_measured: dict[str, Samples] = {}
"""The shares, which are measured together."""


async def _share(chain: str, effort: Effort) -> Samples:
    if not _measured:
        _measured.update(await shares(effort))
    return _measured[chain]


MESSAGES: Mapping[str, Callable[[Effort], Awaitable[Samples]]] = {
    "message": with_plugins,
    "history": with_history,
    **{f"share-{chain}": partial(_share, chain) for chain in CHAINS},
}
