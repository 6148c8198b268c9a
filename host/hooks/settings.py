"""What an owner may set about hooks."""

from pydantic import BaseModel, ConfigDict, Field


class HookSettings(BaseModel):
    """The section ``[hooks]`` of the settings."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    strict_modes: bool = Field(False, description="Refuse observers on hooks that allow changes but no abort.")
    default_timeout_ms: int = Field(60_000, gt=0, description="Deadline where neither handler nor hook has one.")
    max_timeout_ms: int = Field(600_000, gt=0, description="The longest deadline that a handler may declare.")
    max_chain_depth: int = Field(16, gt=0, description="How deep hooks may fire hooks.")
    observer_concurrency: int = Field(8, gt=0, description="Calls of one observer that run at once.")
    observer_backlog: int = Field(
        256, gt=0, description="Calls of one observer that may wait; beyond it the oldest is dropped."
    )
    worker_threads: int = Field(4, gt=0, description="Threads per plugin for handlers that are plain functions.")
