"""What an owner may set about this family."""

from pydantic import BaseModel, ConfigDict, Field

from host.bub.runtime import ModelSelection


class BubSettings(BaseModel):
    """The section ``[bub]``: plugins of the agent framework Bub. They run in the host's process, not isolated."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    enabled: bool = Field(True, description="Whether plugins of Bub are loaded; they run in the host's own process.")
    installed: bool = Field(True, description="Load those of installed packages too, not only those in plugin_dirs.")
    model_selection: ModelSelection = Field(
        ModelSelection.PRIORITY,
        description="Which of run_model and run_model_stream is used: that of the highest priority, or as released "
        "versions of Bub choose, by the order of registration.",
    )
