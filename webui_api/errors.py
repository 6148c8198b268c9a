"""What can keep the web server from starting."""

from __future__ import annotations

from pathlib import Path

from host.hooks.texts import Locale
from webui_api.texts import WEB_TEXTS


class WebError(Exception):
    """An error of the web room.

    `str()` is the English text; `text()` gives either language.

    Attributes:
        code: names the kind of error, stable across releases.
        fields: the facts that the text is made of.
    """

    def __init__(self, code: str, **fields: object) -> None:
        super().__init__(code, fields)
        self.code = code
        self.fields = fields

    def text(self, locale: Locale = "en") -> str:
        """The error as one sentence in English (``"en"``) or Chinese (``"zh"``)."""
        return WEB_TEXTS.render(self.code, self.fields, locale)

    def __str__(self) -> str:
        return self.text()


class TokenFileError(WebError):
    """The file with the access token is there, but is of no use. It is never overwritten.

    Attributes:
        path: the file.
    """

    def __init__(self, code: str, path: Path, **fields: object) -> None:
        super().__init__(code, path=path, **fields)
        self.path = path


class CannotListenError(WebError):
    """The address that the server was to listen on is not to be had.

    Attributes:
        host: name or address asked for.
        port: port asked for.
    """

    def __init__(self, host: str, port: int, reason: str) -> None:
        super().__init__("cannot_listen", host=host, port=port, reason=reason)
        self.host = host
        self.port = port
