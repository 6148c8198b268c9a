"""Pictures to test with, made on the spot."""

import io
from base64 import b64encode
from typing import Any

from PIL import Image


def picture(colour: str = "red", file_format: str = "PNG", size: tuple[int, int] = (16, 16), **saving: Any) -> bytes:
    """A picture of one colour."""
    written = io.BytesIO()
    Image.new("RGB", size, colour).save(written, file_format, **saving)
    return written.getvalue()


def animation(frames: int = 5, file_format: str = "GIF", side: int = 8) -> bytes:
    """A moving picture."""
    shades = [Image.new("RGB", (side, side), (number * 40 % 256, 0, number % 256)) for number in range(frames)]
    written = io.BytesIO()
    shades[0].save(written, file_format, save_all=True, append_images=shades[1:])
    return written.getvalue()


def segment(content: bytes, kind: str = "emoji", name: str = "") -> dict[str, Any]:
    """A sticker in a message."""
    return {"type": kind, "data": name, "binary_data_base64": b64encode(content).decode()}
