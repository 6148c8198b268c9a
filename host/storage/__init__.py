"""What is kept beyond the process: messages, chats, persons, the use of models, expressions, emoji."""

from host.storage.database import Database
from host.storage.emojis import Emojis
from host.storage.errors import (
    BadPlaceError,
    DatabaseFailedError,
    DatabaseUnavailableError,
    ForeignDatabaseError,
    NewerDatabaseError,
    StorageClosedError,
    StorageError,
)
from host.storage.expressions import Expressions
from host.storage.messages import Messages, TakenUp
from host.storage.models import (
    Arrival,
    ChatSession,
    Direction,
    Emoji,
    EmojiState,
    Expression,
    Handling,
    Message,
    ModelUsage,
    Person,
)
from host.storage.persons import Persons
from host.storage.sessions import Sessions
from host.storage.storage import DATABASE_FILE, Storage
from host.storage.usage import Usage, UsageKey, UsageSum

__all__ = [
    "DATABASE_FILE",
    "Arrival",
    "BadPlaceError",
    "ChatSession",
    "Database",
    "DatabaseFailedError",
    "DatabaseUnavailableError",
    "Direction",
    "Emoji",
    "EmojiState",
    "Emojis",
    "Expression",
    "Expressions",
    "ForeignDatabaseError",
    "Handling",
    "Message",
    "Messages",
    "ModelUsage",
    "NewerDatabaseError",
    "Person",
    "Persons",
    "Sessions",
    "Storage",
    "StorageClosedError",
    "StorageError",
    "TakenUp",
    "Usage",
    "UsageKey",
    "UsageSum",
]
