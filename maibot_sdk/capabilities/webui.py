"""`ctx.webui`: what people handed over on the web page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from maibot_sdk.context import PluginContext


class WebUICapability:
    """Takes over files that were uploaded for this plugin."""

    def __init__(self, ctx: PluginContext) -> None:
        self._ctx = ctx

    async def claim_upload(self, upload_id: str) -> dict[str, Any]:
        """Move an uploaded picture into the folder of the plugin.

        Args:
            upload_id: the id that the web page got for it.

        Returns:
            A dict with `path`, `sha256` and `upload_id`.
        """
        upload = await self._ctx.call_capability("webui.claim_upload", upload_id=upload_id)
        return cast("dict[str, Any]", upload)
