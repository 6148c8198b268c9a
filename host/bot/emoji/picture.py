"""The files of emoji as pictures: whether one is sound, and how a model gets to see it. Nothing here waits; call it in
a thread."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256

from PIL import Image, ImageFile, ImageSequence, UnidentifiedImageError

from host.bot.emoji.errors import EmojiRefusedError
from host.bot.emoji.settings import EmojiSettings

FORMATS = ("GIF", "JPEG", "PNG", "WEBP")
MOST_PIXELS = 100_000_000
"""Pixels that all frames of a picture may have together."""
_SHOWN_SIDE = 384
_SHOWN_FRAMES = 3


@dataclass(frozen=True, slots=True)
class Picture:
    """A file that was found sound.

    Args:
        content: its bytes.
        hash: SHA-256 of them, in hex.
        format: by its content: gif, jpeg, png or webp.
        frames: how many it has.
    """

    content: bytes
    hash: str
    format: str
    frames: int


def hash_of(content: bytes) -> str:
    """SHA-256 of a file, in hex: by which a picture is known."""
    return sha256(content).hexdigest()


def checked(content: bytes, settings: EmojiSettings) -> Picture:
    """A file as a picture: every frame of it was decoded. What its name says of its format counts for nothing.

    Sizes are looked at before anything is decoded, so that a small file which unfolds to a huge picture costs nothing.

    Args:
        content: the bytes of the file.
        settings: how large it may be.

    Raises:
        EmojiRefusedError: it is too large, of another format, or broken.
    """
    kib = -(-len(content) // 1024)
    if kib > settings.max_kib:
        raise EmojiRefusedError("too_large", found=kib, allowed=settings.max_kib)
    with _opened(content) as image:
        frames = 0
        for frame in ImageSequence.Iterator(image):
            frames += 1
            if max(frame.size) > settings.max_side:
                raise EmojiRefusedError("too_wide", width=frame.width, height=frame.height, allowed=settings.max_side)
            if frames > settings.max_frames:
                raise EmojiRefusedError("too_many_frames", found=f"{frames}+", allowed=settings.max_frames)
            if frames * frame.width * frame.height > MOST_PIXELS:
                raise EmojiRefusedError("too_many_pixels", why=f"{frames}+ x {frame.width} x {frame.height}")
            frame.load()
        # Cameras put several views into a JPEG, which Pillow calls by a name of its own.
        found = str(image.format).lower().replace("mpo", "jpeg")
        return Picture(content, hash_of(content), found, frames)


def shown(picture: Picture) -> bytes:
    """A picture as a model sees it: a PNG, scaled down; of an animation some frames side by side.

    Args:
        picture: a sound one.
    """
    with _opened(picture.content) as image:
        views = []
        count = min(picture.frames, _SHOWN_FRAMES)
        for number in range(count):
            if picture.frames > 1:
                image.seek(number * (picture.frames - 1) // (count - 1))
            view = image.convert("RGBA")
            view.thumbnail((_SHOWN_SIDE, _SHOWN_SIDE))
            views.append(view)
    strip = Image.new("RGB", (sum(view.width for view in views), max(view.height for view in views)), "white")
    left = 0
    for view in views:
        strip.paste(view, (left, 0), view)
        left += view.width
    written = io.BytesIO()
    strip.save(written, "PNG")
    return written.getvalue()


@contextmanager
def _opened(content: bytes) -> Iterator[ImageFile.ImageFile]:
    try:
        with Image.open(io.BytesIO(content), formats=FORMATS) as image:
            yield image
    except EmojiRefusedError:
        raise
    except UnidentifiedImageError:
        raise EmojiRefusedError("no_picture", allowed=", ".join(each.lower() for each in FORMATS)) from None
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise EmojiRefusedError("too_many_pixels", why=str(error)) from None
    except Exception as error:  # The decoders raise what they like over bytes that somebody sent.
        raise EmojiRefusedError("broken", why=f"{type(error).__name__}: {error}") from error
