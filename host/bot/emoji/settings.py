"""The section `[emoji]`: what comes into the library, and how much of it."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Collect = Literal["nothing", "stickers", "pictures"]


class EmojiSettings(BaseModel):
    """The section ``[emoji]``: the library of emoji, from which the bot sends one where it fits."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    collect: Collect = Field(
        "stickers",
        description="What the bot takes from its chats into the library: nothing, stickers, or pictures as well.",
    )
    max_count: int = Field(64, ge=1, le=100_000, description="How many emoji the library holds at most.")
    replace: bool = Field(
        True, description="Whether the least used one makes room when the library is full; else new ones are refused."
    )
    max_kib: int = Field(2048, ge=1, le=8192, description="How large the file of one may be, in KiB.")
    max_side: int = Field(2048, ge=16, le=4096, description="How wide and how high one may be, in pixels.")
    max_frames: int = Field(200, ge=1, le=1000, description="How many frames an animated one may have.")
    max_waiting: int = Field(
        100,
        ge=1,
        le=10_000,
        description="How many pictures from chats wait to be described at most; others are let go.",
    )
    look_seconds: float = Field(
        60.0, gt=0, le=86_400, description="How often the folder for new emoji is looked into, in seconds."
    )
