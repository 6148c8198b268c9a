"""What a host offers to its plugins: the families of capabilities, each over the rooms that it needs."""

import time
from collections.abc import Callable, Iterable, Sequence

from host.bot import Bot, TalkFrequency, session_id
from host.bot.components import declaration
from host.bot.stored_messages import message_of
from host.bot.tool_definitions import PluginTool, every_tool
from host.capabilities import (
    INDEX_FILE,
    ApiFamily,
    ApiTable,
    AvatarFamily,
    ChatFamily,
    ChatTarget,
    Chromium,
    ComponentFamily,
    ConfigFamily,
    DatabaseFamily,
    Family,
    FrequencyFamily,
    HostTasks,
    KnowledgeFamily,
    LLMFamily,
    MaisakaFamily,
    MarketFamily,
    MessageFamily,
    Outgoing,
    PersonFamily,
    PluginMoves,
    PluginSettingsFamily,
    Readable,
    RenderFamily,
    SendFamily,
    Sent,
    StatisticsFamily,
    ToolFamily,
    model_request,
    published,
)
from host.hooks.texts import Locale
from host.models import Caller, Embeddings, ModelAnswer, ModelError, ModelRequest, Models, Transcript
from host.runtime import Plugins
from host.settings import Settings
from host.storage import ChatSession, Storage


def families(
    *,
    plugins: Plugins,
    moves: PluginMoves,
    models: Models,
    storage: Storage,
    bot: Callable[[], Bot],
    frequency: TalkFrequency,
    tasks: HostTasks,
    chromium: Chromium,
    settings: Callable[[], Settings],
    locale: Locale,
) -> Iterable[Family]:
    """The families that this host has.

    Args:
        plugins: its plugins.
        moves: loads, unloads and reloads them for one another.
        models: its language models.
        storage: its memory.
        bot: its bot, as it is now.
        frequency: how talkative that is.
        tasks: where it does what plugins have it do unasked.
        chromium: draws for it.
        settings: what its owner set, as it is now.
        locale: the language of words that stand in for missing ones.
    """
    apis = ApiTable(plugins)
    readable = Readable(lambda: settings().bot.account_id, time.time, locale)
    return (
        SendFamily(_Outbox(bot, storage), locale),
        ConfigFamily(lambda: published(_published_sections(settings())), plugins),
        LLMFamily(PluginModels(models), model_request, ModelError),
        MessageFamily(storage.messages, lambda row: message_of(row).to_dict(), readable, time.time),
        ChatFamily(storage.sessions, lambda target: _open_chat(storage, target)),
        ApiFamily(apis),
        ComponentFamily(plugins, apis, locale),
        moves,
        PersonFamily(storage.persons, storage.messages, locale),
        DatabaseFamily(storage, time.time),
        FrequencyFamily(frequency, storage.sessions.get),
        ToolFamily(lambda: _tools(plugins, locale)),
        MaisakaFamily(lambda: bot().initiative, storage.sessions.get, storage.messages, tasks, time.time),
        KnowledgeFamily(storage.knowledge, locale),
        StatisticsFamily(storage, time.time, locale),
        AvatarFamily(apis, time.time),
        PluginSettingsFamily(plugins, tasks),
        MarketFamily(settings().data_dir / INDEX_FILE, plugins, settings().plugins.versions()),
        RenderFamily(chromium, lambda: settings().render),
    )


def _tools(plugins: Plugins, locale: Locale) -> list[PluginTool]:
    components = plugins.components.of_type("TOOL", "ACTION")
    return every_tool([(each.plugin_id, declaration(each)) for each in components], locale)


class PluginModels:
    """The models as plugins ask them: what they use is theirs."""

    def __init__(self, models: Models) -> None:
        self._models = models

    @property
    def tasks(self) -> Sequence[str]:
        return self._models.tasks

    async def generate(
        self, task: str, request: ModelRequest, *, model: str | None = None, caller: str = ""
    ) -> ModelAnswer:
        return await self._models.generate(task, request, model=model, caller=_of_plugin(caller))

    async def embed(self, texts: Sequence[str], *, task: str = "embedding", caller: str = "") -> Embeddings:
        return await self._models.embed(texts, task=task, caller=_of_plugin(caller))

    async def transcribe(self, audio: bytes, *, task: str = "voice", caller: str = "") -> Transcript:
        return await self._models.transcribe(audio, task=task, caller=_of_plugin(caller))


def _of_plugin(plugin_id: str) -> Caller:
    return Caller(plugin_id, plugin_id=plugin_id)


class _Outbox:
    """Sends by whichever bot there is now: changed settings make a new one."""

    def __init__(self, bot: Callable[[], Bot], storage: Storage) -> None:
        self._bot = bot
        self._storage = storage

    async def send(self, outgoing: Outgoing) -> Sent:
        return await self._bot().outbox(self._storage.sessions.get).send(outgoing)


async def _open_chat(storage: Storage, target: ChatTarget) -> tuple[ChatSession, bool]:
    name = session_id(
        target.platform,
        group_id=target.group_id,
        user_id=target.user_id,
        account_id=target.account_id,
        scope=target.scope,
    )
    chat = ChatSession(
        session_id=name,
        platform=target.platform,
        account_id=target.account_id,
        scope=target.scope,
        user_id=None if target.group_id else target.user_id,
        group_id=target.group_id,
        created_timestamp=time.time(),
    )
    return await storage.sessions.open(chat)


def _published_sections(settings: Settings) -> dict[str, dict[str, object]]:
    bot, commands = settings.bot, settings.commands
    return {
        "personality": settings.personality.model_dump(),
        "plugin": {
            "permission": list(commands.operators),
            "silent_permission_denied": commands.silent_denial,
            "command_permissions": {name: each.model_dump() for name, each in commands.rules.items()},
            "disabled_commands": list(commands.disabled),
        },
        "chat": {
            "reply_timing": {"talk_value": settings.answering.talk_value},
            "max_context_size": settings.answering.context_messages,
        },
        "bot": {"nickname": bot.nickname, "alias_names": list(bot.aliases), "qq_account": bot.account_id},
    }
