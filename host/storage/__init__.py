"""What is kept beyond the process: messages, chats, persons, the use of models, expressions."""

from host.storage.activity import Activity, HourCount
from host.storage.activity_rows import MessageCount, OnlineTime, ToolRecord
from host.storage.database import Database
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
from host.storage.knowledge import Knowledge, Where
from host.storage.known import Known
from host.storage.messages import Messages, TakenUp
from host.storage.models import (
    Arrival,
    ChatSession,
    Direction,
    Expression,
    Handling,
    Message,
    ModelUsage,
    Person,
)
from host.storage.persons import Persons, person_id
from host.storage.sessions import Sessions
from host.storage.storage import DATABASE_FILE, Storage
from host.storage.usage import Usage, UsageKey, UsageSum

__all__ = [
    "DATABASE_FILE",
    "Activity",
    "Arrival",
    "BadPlaceError",
    "ChatSession",
    "Database",
    "DatabaseFailedError",
    "DatabaseUnavailableError",
    "Direction",
    "Expression",
    "Expressions",
    "ForeignDatabaseError",
    "Handling",
    "HourCount",
    "Knowledge",
    "Known",
    "Message",
    "MessageCount",
    "Messages",
    "ModelUsage",
    "NewerDatabaseError",
    "OnlineTime",
    "Person",
    "Persons",
    "Sessions",
    "Storage",
    "StorageClosedError",
    "StorageError",
    "TakenUp",
    "ToolRecord",
    "Usage",
    "UsageKey",
    "UsageSum",
    "Where",
    "person_id",
]
