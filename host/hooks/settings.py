"""What an owner may set about hooks."""

from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator


class Placement(BaseModel):
    """One place in an owner's order: a handler, or all handlers of a plugin. Plain text is a plugin id.

    Args:
        plugin: the plugin's id.
        handler: the handler's name; None means every handler of the plugin.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    plugin: str = Field(min_length=1, description="Id of the plugin whose handlers run first.")
    handler: str | None = Field(None, min_length=1, description="Name of one of them; by default all.")

    @model_validator(mode="before")
    @classmethod
    def _plugin_alone(cls, value: Any) -> Any:
        return {"plugin": value} if isinstance(value, str) else value

    def __str__(self) -> str:
        return self.plugin if self.handler is None else f"{self.plugin} / {self.handler}"


class HookOverride(BaseModel):
    """What an owner sets about one hook: the section ``[hooks."its.name"]``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    order: tuple[Placement, ...] = Field(
        (), description="Handlers that run before all others of their mode, in this order."
    )

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        twice = sorted({str(each) for each in self.order if self.order.count(each) > 1})
        if twice:
            raise ValueError(f"order names {', '.join(twice)} more than once")
        return self


CountedKind = Literal["timeout", "unavailable", "exception", "cancelled", "invalid_return"]
"""Kinds of failure that a breaker may count. What a handler reports itself, or stops on purpose, is none of them."""


class BreakerSettings(BaseModel):
    """The section ``[hooks.breaker]``: when a handler that keeps failing is skipped for a while."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    enabled: bool = Field(True, description="Whether handlers that keep failing are skipped for a while.")
    window_seconds: float = Field(60.0, gt=0, allow_inf_nan=False, description="How far back failures count.")
    min_failures: int = Field(5, gt=0, description="Fewer failures than these in the window skip nothing.")
    failure_rate: float = Field(0.5, gt=0, le=1, description="Part of the calls in the window that has to fail.")
    cool_down_seconds: float = Field(
        30.0, gt=0, allow_inf_nan=False, description="How long the handler is skipped before it is tried again."
    )
    counts: frozenset[CountedKind] = Field(
        frozenset({"timeout", "unavailable", "exception", "cancelled", "invalid_return"}),
        description="The kinds of failure that count.",
    )


class HookSettings(BaseModel):
    """The section ``[hooks]`` of the settings. Any further key is the name of a hook, with a `HookOverride`."""

    model_config = ConfigDict(frozen=True, extra="allow")
    __pydantic_extra__: dict[str, HookOverride]

    strict_modes: bool = Field(False, description="Refuse observers on hooks that allow changes but no abort.")
    default_timeout_ms: int = Field(60_000, gt=0, description="Deadline where neither handler nor hook has one.")
    max_timeout_ms: int = Field(600_000, gt=0, description="The longest deadline that a handler may declare.")
    max_chain_depth: int = Field(16, gt=0, description="How deep hooks may fire hooks.")
    observer_concurrency: int = Field(8, gt=0, description="Calls of one observer that run at once.")
    observer_backlog: int = Field(
        256, gt=0, description="Calls of one observer that may wait; beyond it the oldest is dropped."
    )
    reload_wait_ms: int = Field(2_000, ge=0, description="How long a call waits for a plugin that is being reloaded.")
    worker_threads: int = Field(4, gt=0, description="Threads per plugin for handlers that are plain functions.")
    max_payload_bytes: int = Field(
        64 * 2**20, gt=0, description="The largest payload, encoded, for handlers in other processes."
    )
    breaker: BreakerSettings = Field(default_factory=BreakerSettings)

    @property
    def overrides(self) -> Mapping[str, HookOverride]:
        """What is set about single hooks, by hook name."""
        return self.__pydantic_extra__
