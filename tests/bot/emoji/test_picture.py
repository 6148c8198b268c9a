"""What may be an emoji: sound pictures of some formats and sizes; what they are is told by their bytes."""

import io
import struct
import zlib

import pytest
from PIL import Image

from host.bot.emoji.errors import EmojiRefusedError
from host.bot.emoji.picture import checked, hash_of, shown
from host.bot.emoji.settings import EmojiSettings
from tests.bot.emoji.pictures import animation, picture

SETTINGS = EmojiSettings(max_kib=64, max_side=512, max_frames=20)


@pytest.mark.parametrize("file_format", ["PNG", "JPEG", "GIF", "WEBP"])
def test_a_picture_is_known_by_its_bytes(file_format: str) -> None:
    content = picture(file_format=file_format)
    found = checked(content, SETTINGS)
    assert (found.format, found.frames, found.hash) == (file_format.lower(), 1, hash_of(content))


@pytest.mark.parametrize("file_format", ["GIF", "WEBP", "PNG"])
def test_moving_pictures_are_pictures_and_a_model_sees_three_of_their_frames(file_format: str) -> None:
    found = checked(animation(5, file_format), SETTINGS)
    assert found.frames == 5
    with Image.open(io.BytesIO(shown(found))) as seen:
        assert (seen.format, seen.size) == ("PNG", (24, 8))
        middle = seen.getpixel((12, 4))
    assert isinstance(middle, tuple)
    assert abs(middle[0] - 80) < 10  # the third of five


def bomb(side: int) -> bytes:
    """A PNG of a few bytes that says of itself that it is huge."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


def half(file_format: str) -> bytes:
    """The first half of a picture whose pixels take most of its file."""
    written = io.BytesIO()
    pixels = bytes(number * number % 251 for number in range(100 * 100 * 3))
    Image.frombytes("RGB", (100, 100), pixels).save(written, file_format)
    content = written.getvalue()
    return content[: len(content) // 2]


REFUSED = {
    "text": (b"hello, I am text", "no_picture"),
    "nothing": (b"", "no_picture"),
    "another format": (picture(file_format="BMP"), "no_picture"),
    "a document": (picture(file_format="PDF"), "no_picture"),
    "half a JPEG": (half("JPEG"), "broken"),
    "half a PNG": (half("PNG"), "broken"),
    "half a WebP": (half("WEBP"), "broken"),
    "a cut off animation": (animation(5, side=200)[:-300], "broken"),
    "a large file": (b"\x89PNG" + bytes(65 * 1024), "too_large"),
    "a wide picture": (picture(size=(513, 2)), "too_wide"),
    "a bomb": (bomb(9_000), "too_wide"),
    "a greater bomb": (bomb(12_000), "too_many_pixels"),
    "the greatest bomb": (bomb(60_000), "too_many_pixels"),
    "a long animation": (animation(21), "too_many_frames"),
}


@pytest.mark.parametrize(("content", "code"), REFUSED.values(), ids=REFUSED)
def test_others_are_refused_with_the_reason(content: bytes, code: str) -> None:
    with pytest.raises(EmojiRefusedError) as caught:
        checked(content, SETTINGS)
    assert caught.value.code == code
    assert caught.value.text("zh") != caught.value.text("en")


def test_the_pixels_of_all_frames_count_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("host.bot.emoji.picture.MOST_PIXELS", 8 * 8 * 4)
    assert checked(animation(4), SETTINGS).frames == 4
    with pytest.raises(EmojiRefusedError) as caught:
        checked(animation(5), SETTINGS)
    assert caught.value.code == "too_many_pixels"
