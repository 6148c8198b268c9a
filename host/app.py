"""The composition root: settings in, a running host out. The only place where the rooms meet."""

import asyncio
import time
from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self

from loguru import logger

from host.bot import (
    Bot,
    BotProfile,
    EmojiRoom,
    Gateway,
    Gateways,
    MessageStore,
    Outcome,
    Pause,
    PluginGateways,
    RecentMessages,
    TalkFrequency,
    Turns,
)
from host.bot.activity_log import ActivityLog, forget
from host.bot.bub_turn import BubTurn
from host.bot.events import Events
from host.bot.guest import NOBODY, Guest
from host.bot.identity import Route
from host.bot.plugin_kinds import PluginKinds
from host.bot.stored_messages import OwedMessage, StoredMessages
from host.bot.usage_log import UsageLog
from host.bub.framework import Framework
from host.bub.hosting import assembled, serving
from host.capabilities import REVOCATIONS_FILE, Capabilities, Chromium, HostTasks, PluginMoves, Revocations
from host.catalogue import BUILTIN_HOOKS
from host.hooks import Hooks, HookSettings, Source
from host.hooks.texts import Locale
from host.models import Models, UsageRecord
from host.offered import families
from host.runtime import Apart, Chosen, Inline, PluginRoot, Plugins, UnknownPluginError, launcher
from host.runtime.config.file import ConfigFile
from host.runtime.config.problems import ConfigError
from host.settings import Settings
from host.storage import DATABASE_FILE, Storage
from maibot_sdk.types import ON_BOT_CONFIG_RELOAD, ON_MODEL_CONFIG_RELOAD, EventType

_OF_THE_BOT = ("bot", "personality", "commands", "turns", "answering", "splitting", "emoji", "models")
"""Sections that the bot is made from: a changed one counts from the next message on."""
EMOJI_FOLDER = "emoji"
"""Where the library of emoji lies, in the data folder."""


class Host:
    """A plugin host with its bot. Enter it to load the plugins; leave it to unload them.

    Args:
        settings: what the owner wants; the defaults when None.
        gateways: the bot's ways out; none by default.
        fallback: takes what goes to platforms without a gateway.
        locale: the language of the bot's markers and texts.
        remembers: whether what is said is kept in the database of the data folder; else it is gone with the host, as
            after the replay of a recording.
        pause: waits while the bot types, and for people to go on.

    Attributes:
        settings: as given.
        hooks: the kernel, with the built-in hooks registered.
        plugins: the plugins and their states.
        gateways: the bot's ways out; more can be added at any time.
        capabilities: what plugins may ask.
        bub: the plugins of the agent framework Bub, while the host is entered; None where the settings want none.
        models: the language models that the bot asks; the built-in offline one where the settings have no provider.
        events: tell plugins what happens.
        turns: whose message has its turn when.
        emoji: what the bot collects and sends; None until the host is entered.
        frequency: how talkative the bot is, chat by chat.
        bot: takes messages. What it hears and says is stored while the host is entered, else kept in memory.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        gateways: tuple[Gateway, ...] = (),
        fallback: Gateway | None = None,
        locale: Locale = "en",
        remembers: bool = True,
        pause: Pause = asyncio.sleep,
    ) -> None:
        self.settings = settings or Settings()
        self.hooks = Hooks(self.settings.hooks)
        for spec in BUILTIN_HOOKS:
            self.hooks.register_spec(spec)
        rules = self.settings.plugins
        self.gateways = Gateways(*gateways, fallback=fallback)
        self._plugin_gateways = PluginGateways(self.gateways, lambda: self.bot, lambda: self.plugins.components)
        self._revocations = Revocations(self.settings.data_dir / REVOCATIONS_FILE)
        self.capabilities = Capabilities(self._plugin_gateways, revocations=self._revocations)
        self._launcher = launcher()
        self.plugins = Plugins(
            self.hooks,
            plugin_roots(self.settings),
            self._housing(),
            self.settings.data_dir,
            versions=rules.versions(),
            restarts=self.settings.runners.restarts,
        )
        self.bub: Framework | None = None
        self._bub_serves = False
        self._locale = locale
        self.models = Models(self.settings.models, usage=self._count)
        self.plugins.components.watch(PluginKinds(self.models, self.plugins.components).follow)
        self._remembers = remembers
        self._pause = pause
        self._storage: Storage | None = None
        self._usage_log: UsageLog | None = None
        self.emoji: EmojiRoom | None = None
        self._activity_log: ActivityLog | None = None
        self._recent = RecentMessages()
        self.events = Events(self.hooks, self.plugins.components)
        self._tasks = HostTasks()
        self._chromium = Chromium(self.settings.render.executable)
        self.turns = Turns(self.settings.turns)
        self.frequency = TalkFrequency()
        self.bot = self._make_bot()
        self._exit = AsyncExitStack()

    async def __aenter__(self) -> Self:
        """Open the storage, and load every plugin.

        A plugin that cannot be loaded is in `plugins` with the reason, and the others are loaded.

        Raises:
            StorageError: the database in the data folder cannot be used.
            OSError: the folder of the emoji cannot be.
            RevocationsFileError: the file in the data folder that says what plugins may not call cannot be used.
        """
        self._revocations.read()
        try:
            storage, emoji = await self._open_storage()
            self._exit.push_async_callback(self.models.aclose)
            self._exit.push_async_callback(self.hooks.aclose)
            self._exit.push_async_callback(self._launcher.aclose)
            self._exit.push_async_callback(self.plugins.unload_all)
            self._exit.push_async_callback(self._offer(storage, emoji).aclose)
            self._exit.push_async_callback(self._tasks.aclose)
            self._exit.push_async_callback(self._chromium.aclose)
            self._exit.push_async_callback(emoji.aclose)
            await self.plugins.load_all()
            emoji.start()
            await self._load_bub()
            self._exit.push_async_callback(self.events.aclose)
            # Turns that are under way end before those who are told of them.
            self._exit.push_async_callback(self._plugin_gateways.aclose)
            await self.events.announce(EventType.ON_START)
            self._plugin_gateways.open()
            for problem in self.hooks.unmatched_orders():
                logger.warning("{}", problem.text())
        except BaseException:
            await self._exit.aclose()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Unload the plugins, in reverse order, end what runs in the background, and close the storage."""
        await self._exit.aclose()

    async def take_up(self) -> list[Outcome]:
        """Go on with the messages that an earlier run received and did not finish; each is taken up once only, ever.

        Those of one chat are gone on with in order, before what comes in from now on; different chats side by side.
        Each waits a little for the gateway of its platform, where a plugin is still to connect it.

        Returns:
            What became of each, the oldest first.
        """
        if self._storage is None:
            return []
        owed = await self._stored(self._storage).take_up()
        return await asyncio.gather(*map(self._resume, owed))

    async def take_over(self, settings: Settings) -> list[str]:
        """Follow changed settings, as far as that can be done while the host runs.

        The bot's names, the models and the owner's orders of handlers count from the next message and dispatch on;
        plugins that subscribed to changes of the bot's configuration, or of the models', are told.

        Args:
            settings: the new ones.

        Returns:
            The names of changed sections that count from the next start only.
        """
        before, self.settings = self.settings, settings
        if settings.hooks.overrides != before.hooks.overrides:
            for spec in self.hooks.specs:
                override = settings.hooks.overrides.get(spec.name)
                self.hooks.override_order(spec.name, override.order if override else ())
        if settings.models != before.models:
            self.models.reconfigure(settings.models)
        if any(getattr(settings, name) != getattr(before, name) for name in _OF_THE_BOT):
            self.bot = self._make_bot()
        if settings.bot != before.bot:
            await self.plugins.tell(ON_BOT_CONFIG_RELOAD, settings.bot.model_dump(mode="json"), "")
        if settings.models != before.models:
            await self.plugins.tell(ON_MODEL_CONFIG_RELOAD, settings.models.model_dump(mode="json"), "")
        later = [name for name in type(settings).model_fields if name not in (*_OF_THE_BOT, "hooks")]
        changed = [name for name in later if getattr(settings, name) != getattr(before, name)]
        return changed + ["hooks"] * (_rules(before.hooks) != _rules(settings.hooks))

    def _guest(self) -> Guest:
        """What the plugins of Bub do about one message."""
        return BubTurn(self.bub) if self.bub is not None and self._bub_serves else NOBODY

    async def _load_bub(self) -> None:
        settings = self.settings
        if settings.bub.enabled:
            self.bub = assembled(settings.bub, settings.plugin_dirs, settings.data_dir)
            self._bub_serves = await self._exit.enter_async_context(serving(self.bub))

    async def _resume(self, owed: OwedMessage) -> Outcome:
        message = owed.message
        await self._plugin_gateways.served(message.platform, Route(message.account_id, message.scope))
        return await self.bot.resume(owed.number, message, admitted=owed.admitted)

    def _housing(self) -> Chosen:
        rules, data_dir = self.settings.plugins, self.settings.data_dir
        apart = Apart(
            self._launcher,
            data_dir,
            self.settings.runners,
            lifecycle_seconds=rules.lifecycle_seconds,
            worker_threads=self.settings.hooks.worker_threads,
            memory_limit_mb=rules.memory_limit_mb,
            answer=self.capabilities,
        )
        inline = Inline(data_dir, lifecycle_seconds=rules.lifecycle_seconds, answer=self.capabilities)
        return Chosen(inline, apart, rules.isolation, rules.isolations())

    async def _open_storage(self) -> tuple[Storage, EmojiRoom]:
        folder = self.settings.data_dir
        if not self._remembers:
            folder = Path(self._exit.enter_context(TemporaryDirectory(prefix="maibot-host-")))
        storage = self._storage = await self._exit.enter_async_context(Storage.open(folder / DATABASE_FILE))
        self._usage_log = UsageLog(storage.usage, time.time)
        self._exit.push_async_callback(self._usage_log.aclose)
        self._activity_log = ActivityLog(storage.activity, time.time)
        await self._activity_log.start()
        self._exit.push_async_callback(self._activity_log.aclose)
        self.emoji = await EmojiRoom.open(
            folder / EMOJI_FOLDER, storage.emojis, self.hooks, self.models, locale=self._locale
        )
        self.bot = self._make_bot()
        return storage, self.emoji

    def _offer(self, storage: Storage, emoji: EmojiRoom) -> PluginMoves:
        """Let plugins ask for what there is; returns what they ask of one another's loading."""
        moves = PluginMoves(self.plugins)
        offered = families(
            plugins=self.plugins,
            moves=moves,
            models=self.models,
            storage=storage,
            bot=lambda: self.bot,
            emoji=emoji,
            frequency=self.frequency,
            tasks=self._tasks,
            chromium=self._chromium,
            settings=lambda: self.settings,
            locale=self._locale,
        )
        self.capabilities.add(*offered)
        return moves

    def _count(self, record: UsageRecord) -> None:
        if self._usage_log is not None:
            self._usage_log.note(record)

    def _stored(self, storage: Storage) -> StoredMessages:
        return StoredMessages(storage.messages, self.settings.bot.account_id)

    def _make_bot(self) -> Bot:
        settings = self.settings.bot
        self.turns.settings = self.settings.turns
        self.frequency.talk_value = self.settings.answering.talk_value
        if self.emoji is not None:
            self.emoji.follow(self.settings.emoji)
        store: MessageStore = self._recent if self._storage is None else self._stored(self._storage)
        profile = BotProfile(
            nickname=settings.nickname,
            aliases=settings.aliases,
            account_id=settings.account_id,
            locale=self._locale,
            personality=self.settings.personality.personality,
            reply_style=self.settings.personality.reply_style,
        )
        return Bot(
            self.hooks,
            self.gateways,
            profile=profile,
            store=store,
            commands=self.settings.commands.policy(),
            splitting=self.settings.splitting,
            answering=self.settings.answering,
            turns=self.turns,
            emoji=self.emoji,
            guests=self._guest,
            note_tool=self._activity_log.note if self._activity_log else forget,
            frequency=self.frequency,
            models=self.models,
            components=self.plugins.components,
            events=self.events,
            plugin_config=self._plugin_config,
            expressions=self._storage.expressions if self._storage else None,
            pause=self._pause,
        )

    async def _plugin_config(self, plugin_id: str) -> Mapping[str, Any] | None:
        """What the configuration file of a plugin says; None where there is no such plugin, or nothing to be read."""
        try:
            plugin = self.plugins[plugin_id]
            read = await asyncio.to_thread(ConfigFile(plugin.id, plugin.path).read)
        except (UnknownPluginError, ConfigError):
            return None
        return read.data if read else {}


def _rules(hooks: HookSettings) -> dict[str, Any]:
    """What the settings say about all hooks."""
    return hooks.model_dump(exclude=set(hooks.overrides))


def bundled_plugins() -> Path:
    """The folder of the plugins that come with the host: inside an installed package, beside it in a checkout."""
    package = Path(__file__).parent
    installed = package / "bundled_plugins"
    return installed if installed.is_dir() else package.parent / "plugins"


def plugin_roots(settings: Settings) -> list[PluginRoot]:
    """Where plugins lie, and what those in each place are."""
    bundled = [PluginRoot(bundled_plugins(), Source.BUILTIN)] if settings.bundled_plugins else []
    return bundled + [PluginRoot(path, Source.THIRD_PARTY) for path in settings.plugin_dirs]
