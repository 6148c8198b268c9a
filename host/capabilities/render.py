"""``render.*``: pictures of HTML."""

from base64 import b64encode
from collections.abc import Callable, Iterable
from typing import Annotated, Any, Protocol

from pydantic import Field
from typing_extensions import TypedDict

from host.capabilities.arguments import Arguments, Id, also
from host.capabilities.browser import Drawing, Picture, RenderSettings, WaitUntil
from host.capabilities.capability import Capability, CapabilitySpec
from host.capabilities.errors import ArgumentProblem, RefusalError, WrongArgumentsError
from host.runtime import Plugin
from maibot_sdk.hooks import Text

WIDTH, HEIGHT = 900, 500
"""Of the window, in pixels, where a plugin does not say."""
MOST_PIXELS = 10_000
"""Of the window, each way."""
MOST_SCALE = 5.0
MOST_SECONDS = 600.0
MOST_ENCODED = (16 << 20) - (64 << 10)
"""Characters of a picture in base64 that one answer can hold."""
_WAITS: dict[str, WaitUntil] = {
    "commit": "commit",
    "domcontentloaded": "domcontentloaded",
    "load": "load",
    "networkidle": "networkidle",
}


class Renderer(Protocol):
    """Draws pages."""

    async def draw(self, drawing: Drawing) -> Picture:
        """Draw a page."""


class Image(TypedDict):
    """A picture: its bytes in base64, its size in pixels, and how long drawing it took, in milliseconds."""

    image_base64: str
    mime_type: str
    width: int
    height: int
    render_ms: int


class Rendered(TypedDict):
    """A picture."""

    success: bool
    result: Image


class _Html(Arguments):
    html: Id
    selector: str = "body"
    viewport: dict[str, Any] = Field(default_factory=dict)
    device_scale_factor: Annotated[float, Field(ge=1, le=MOST_SCALE)] = 2.0
    full_page: bool = False
    omit_background: bool = False
    wait_until: str = "load"
    wait_for_selector: str = ""
    wait_for_timeout_ms: Annotated[int, Field(ge=0)] = 0
    render_timeout_ms: Annotated[int, Field(ge=0)] = also("render_timeout_ms", "timeout_ms", default=0)
    allow_network: bool = False


HTML2PNG = CapabilitySpec(
    "render.html2png",
    _Html,
    Rendered,
    Text(
        "Draws HTML as a PNG picture, with a headless Chromium (the extra `render`); it loads nothing unless allowed.",
        "用无头 Chromium（可选依赖 `render`）把 HTML 绘制成 PNG；未经允许不加载任何内容。",
    ),
)
RENDER = (HTML2PNG,)


class RenderFamily:
    """Pictures of HTML.

    Args:
        renderer: draws.
        settings: what the owner allows, as it is now.
    """

    def __init__(self, renderer: Renderer, settings: Callable[[], RenderSettings]) -> None:
        self._renderer = renderer
        self._settings = settings

    def offers(self) -> Iterable[Capability]:
        """``render.*``."""
        return (HTML2PNG.by(self._html2png),)

    async def _html2png(self, plugin: Plugin, asked: _Html) -> Rendered:
        settings = self._settings()
        if not settings.enabled:
            raise RefusalError("render_disabled")
        if asked.allow_network and not settings.allow_network:
            raise RefusalError("render_no_network")
        selector = asked.selector.strip() or "body"
        drawing = Drawing(
            html=asked.html,
            selector=selector,
            width=_pixels(asked.viewport, "width", WIDTH),
            height=_pixels(asked.viewport, "height", HEIGHT),
            scale=asked.device_scale_factor,
            full_page=asked.full_page and selector == "body",
            transparent=asked.omit_background,
            wait_until=_WAITS.get(asked.wait_until.strip().lower(), "load"),
            wait_for=asked.wait_for_selector.strip(),
            wait_ms=asked.wait_for_timeout_ms,
            seconds=min(asked.render_timeout_ms / 1000, MOST_SECONDS) or settings.timeout_seconds,
            network=asked.allow_network,
        )
        picture = await self._renderer.draw(drawing)
        encoded = b64encode(picture.png).decode()
        if len(encoded) > MOST_ENCODED:
            raise RefusalError("picture_too_large", found=len(encoded), allowed=MOST_ENCODED)
        width, height = picture.size
        image: Image = {
            "image_base64": encoded,
            "mime_type": "image/png",
            "width": width,
            "height": height,
            "render_ms": picture.milliseconds,
        }
        return {"success": True, "result": image}


def _pixels(viewport: dict[str, Any], name: str, default: int) -> int:
    given = viewport.get(name)
    if given is None:
        return default
    if isinstance(given, bool) or not isinstance(given, int | float) or not 1 <= given <= MOST_PIXELS:
        problem = ArgumentProblem(f"viewport.{name}", f"int, 1 to {MOST_PIXELS}", f"{given!r:.60}")
        raise WrongArgumentsError(HTML2PNG.name, (problem,))
    return int(given)
