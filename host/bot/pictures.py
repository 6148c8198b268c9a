"""The pictures of a message, as a model takes them."""

from base64 import b64decode
from binascii import Error

from host.bot.message import SessionMessage
from host.catalogue.context_items import ImagePart

_BEGINNINGS = ((b"\x89PNG\r\n\x1a\n", "png"), (b"\xff\xd8\xff", "jpeg"), (b"GIF87a", "gif"), (b"GIF89a", "gif"))


def pictures_of(message: SessionMessage) -> tuple[ImagePart, ...]:
    """The pictures and stickers whose bytes are at hand and of a format that models take, in order."""
    found = []
    for segment in message.raw_message:
        data = segment.get("binary_data_base64")
        if segment["type"] in ("image", "emoji") and isinstance(data, str):
            image_format = format_of(data)
            if image_format is not None:
                found.append(ImagePart(image_format, data))
    return tuple(found)


def format_of(image_base64: str) -> str | None:
    """The format of a picture by its first bytes: png, jpeg, gif or webp; None for any other, or for no base64.

    Args:
        image_base64: the bytes of the picture.
    """
    try:
        head = b64decode(image_base64[:16], validate=True)
    except (Error, ValueError):
        return None
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "webp"
    return next((name for beginning, name in _BEGINNINGS if head.startswith(beginning)), None)
