"""`ctx.render`: pictures of web pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from maibot_sdk.context import PluginContext


class RenderCapability:
    """Has the browser of the host draw something."""

    def __init__(self, ctx: PluginContext) -> None:
        self._ctx = ctx

    async def html2png(
        self,
        html: str,
        *,
        selector: str = "body",
        viewport: dict[str, int] | None = None,
        device_scale_factor: float = 2.0,
        full_page: bool = False,
        omit_background: bool = False,
        wait_until: str = "load",
        wait_for_selector: str = "",
        wait_for_timeout_ms: int = 0,
        render_timeout_ms: int = 0,
        allow_network: bool = False,
    ) -> Any:
        """Draw HTML as a PNG picture.

        Args:
            html: the page.
            selector: the CSS selector of the part to draw.
            viewport: `width` and `height` of the window in pixels; the host's own when not given.
            device_scale_factor: pixels of the picture to one of the page.
            full_page: all of the page, not only what the window shows.
            omit_background: leave the background transparent.
            wait_until: when the page counts as there: `commit`, `domcontentloaded`, `load` or `networkidle`.
            wait_for_selector: draw only once this is on the page.
            wait_for_timeout_ms: wait this long before drawing, in milliseconds.
            render_timeout_ms: deadline of the drawing in milliseconds; 0 for the host's own.
            allow_network: whether the page may load things.

        Returns:
            A dict with `image_base64`, `mime_type`, `width` and `height`.
        """
        return await self._ctx.call_capability(
            "render.html2png",
            html=html,
            selector=selector,
            viewport=viewport or {},
            device_scale_factor=device_scale_factor,
            full_page=full_page,
            omit_background=omit_background,
            wait_until=wait_until,
            wait_for_selector=wait_for_selector,
            wait_for_timeout_ms=wait_for_timeout_ms,
            render_timeout_ms=render_timeout_ms,
            allow_network=allow_network,
        )
