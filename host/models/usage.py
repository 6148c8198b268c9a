"""What calls of models took, told to whoever counts."""

from dataclasses import dataclass

from host.models.answer import Usage
from host.models.settings import ModelEntry

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks a model.

    Args:
        request_type: a part of the bot, or what a plugin calls its request.
        plugin_id: the plugin that asks, or "".
        session_id: the chat that is asked for, or "".
    """

    request_type: str = ""
    plugin_id: str = ""
    session_id: str = ""


@dataclass(frozen=True, slots=True)
class UsageRecord:
    """What one answered call took.

    Args:
        task: for which task.
        model: the model's name in the settings.
        provider: its provider's name.
        caller: who asked.
        usage: tokens.
        cost: in the currency of the prices in the settings.
        seconds: from the start of the attempt that was answered to its end.
    """

    task: str
    model: str
    provider: str
    caller: Caller
    usage: Usage
    cost: float
    seconds: float


def cost_of(usage: Usage, model: ModelEntry) -> float:
    """What the tokens cost by the model's prices; cached ones at their own, where they have one."""
    cached = model.price_in if model.price_cached is None else model.price_cached
    total = (
        usage.uncached_tokens * model.price_in
        + usage.cached_tokens * cached
        + usage.completion_tokens * model.price_out
    )
    return total / _MILLION
