"""What an owner may set about plugins' processes."""

from pydantic import BaseModel, ConfigDict, Field

from host.runtime.runners.log_lines import LogLimits
from host.runtime.runners.restarts import RestartSettings


class RunnerSettings(BaseModel):
    """The section ``[runners]``: what holds for the processes of all plugins."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    load_seconds: float = Field(120.0, gt=0, description="How long a process may take until its plugin is imported.")
    grace_seconds: float = Field(
        5.0, gt=0, description="A process that does not answer for so long after a deadline passed is killed."
    )
    heartbeat_seconds: float = Field(10.0, gt=0, description="After so long a silence a process is asked if it lives.")
    unresponsive_seconds: float = Field(
        120.0, gt=0, description="A process that does not answer for so long is killed, whatever it is doing."
    )
    frame_limit_mb: int = Field(64, ge=1, le=1024, description="How many MiB one message may have.")
    memory_limit_mb: int | None = Field(
        None, ge=1, description="How many MiB of its own memory a process may use; without it, any number."
    )
    restarts: RestartSettings = Field(default_factory=RestartSettings)
    log: LogLimits = Field(default_factory=LogLimits)
