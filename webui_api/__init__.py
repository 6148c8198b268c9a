"""HTTP over a running host: the hook table, and in time the page."""

from webui_api.app import create_app
from webui_api.errors import CannotListenError, TokenFileError, WebError
from webui_api.server import serve
from webui_api.token import AccessToken

__all__ = ["AccessToken", "CannotListenError", "TokenFileError", "WebError", "create_app", "serve"]
