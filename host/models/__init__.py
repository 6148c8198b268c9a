"""Language models for the bot and for plugins: tasks in, answers out, whoever provides them.

models = Models(settings)
answer = await models.generate("replyer", ModelRequest((user("Hello!"),)))
"""

from host.models.answer import Delta, Embeddings, FinishReason, ModelAnswer, Transcript, Usage
from host.models.errors import (
    Attempt,
    BrokenStreamError,
    KindTakenError,
    ModelError,
    NoAnswerError,
    NoModelError,
    PromptError,
    ProviderError,
    UnknownModelError,
    UnknownTaskError,
)
from host.models.models import Models
from host.models.plugin_provider import plugin_provider
from host.models.provider import Provider, ProviderFactory
from host.models.request import (
    ImagePart,
    JsonAnswer,
    Message,
    ModelRequest,
    TextPart,
    Tool,
    ToolCall,
    system,
    user,
)
from host.models.roles import read_prompt, read_tools
from host.models.settings import ModelEntry, ModelSettings, ProviderEntry, TaskEntry
from host.models.usage import Caller, UsageRecord

__all__ = [
    "Attempt",
    "BrokenStreamError",
    "Caller",
    "Delta",
    "Embeddings",
    "FinishReason",
    "ImagePart",
    "JsonAnswer",
    "KindTakenError",
    "Message",
    "ModelAnswer",
    "ModelEntry",
    "ModelError",
    "ModelRequest",
    "ModelSettings",
    "Models",
    "NoAnswerError",
    "NoModelError",
    "PromptError",
    "Provider",
    "ProviderEntry",
    "ProviderError",
    "ProviderFactory",
    "TaskEntry",
    "TextPart",
    "Tool",
    "ToolCall",
    "Transcript",
    "UnknownModelError",
    "UnknownTaskError",
    "Usage",
    "UsageRecord",
    "plugin_provider",
    "read_prompt",
    "read_tools",
    "system",
    "user",
]
