"""What a host offers to its plugins: the families of capabilities, each over the rooms that it needs."""

import time
from collections.abc import Callable, Iterable

from host.bot import Bot, EmojiRefusedError, EmojiRoom, session_id
from host.bot.stored_messages import message_of
from host.capabilities import (
    ApiFamily,
    ApiTable,
    ChatFamily,
    ChatTarget,
    ComponentFamily,
    ConfigFamily,
    EmojiFamily,
    Family,
    LLMFamily,
    MessageFamily,
    Outgoing,
    PluginMoves,
    Readable,
    SendFamily,
    Sent,
    model_request,
    published,
)
from host.hooks.texts import Locale
from host.models import ModelError, Models
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
    emoji: EmojiRoom,
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
        emoji: what it has to send.
        settings: what its owner set, as it is now.
        locale: the language of words that stand in for missing ones.
    """
    apis = ApiTable(plugins)
    readable = Readable(lambda: settings().bot.account_id, time.time, locale)
    return (
        SendFamily(_Outbox(bot, storage), locale),
        ConfigFamily(lambda: published(_published_sections(settings())), plugins),
        LLMFamily(models, model_request, ModelError),
        MessageFamily(storage.messages, lambda row: message_of(row).to_dict(), readable, time.time),
        ChatFamily(storage.sessions, lambda target: _open_chat(storage, target)),
        ApiFamily(apis),
        ComponentFamily(plugins, apis, locale),
        EmojiFamily(emoji, (EmojiRefusedError, ModelError), locale),
        moves,
    )


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
        "emoji": {"max_reg_num": settings.emoji.max_count},
        "bot": {"nickname": bot.nickname, "alias_names": list(bot.aliases), "qq_account": bot.account_id},
    }
