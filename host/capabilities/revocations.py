"""What an owner took away from plugins: capabilities that their manifests list, and that they may not use now."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from tempfile import NamedTemporaryFile

from pydantic import TypeAdapter, ValidationError

from host.capabilities.texts import CAPABILITY_TEXTS
from host.hooks.texts import Locale

REVOCATIONS_FILE = "revoked-capabilities.json"
"""What the file is called, in the data folder."""
_CONTENT = TypeAdapter(dict[str, frozenset[str]])


class RevocationsFileError(Exception):
    """The file is there, but is of no use. It is never overwritten, since what it takes away would be given back.

    Args:
        path: the file.
        why: what is wrong with it.
    """

    def __init__(self, path: Path, why: str) -> None:
        self.path = path
        self.why = why
        super().__init__(self.text())

    def text(self, locale: Locale = "en") -> str:
        """What was found and what to do."""
        return CAPABILITY_TEXTS.render("revocations_file", {"path": self.path, "why": self.why}, locale)


class Revocations:
    """What was taken away, in a file: ``{"plugin id": ["capability", ...]}``.

    Args:
        file: the file; made with the first revocation.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._revoked: Mapping[str, frozenset[str]] = {}

    def read(self) -> None:
        """Read the file.

        Raises:
            RevocationsFileError: it is of no use.
        """
        try:
            self._revoked = _CONTENT.validate_json(self._file.read_bytes())
        except FileNotFoundError:
            self._revoked = {}
        except OSError as error:
            raise RevocationsFileError(self._file, error.strerror or str(error)) from error
        except ValidationError as error:
            raise RevocationsFileError(self._file, error.errors(include_url=False)[0]["msg"]) from error

    def of(self, plugin_id: str) -> frozenset[str]:
        """What was taken away from a plugin, by the right names of the capabilities."""
        return self._revoked.get(plugin_id, frozenset())

    def revoke(self, plugin_id: str, capability: str) -> None:
        """Take a capability away from a plugin, at once and for good.

        Raises:
            RevocationsFileError: the file cannot be written; nothing is changed.
        """
        self._set(plugin_id, self.of(plugin_id) | {capability})

    def grant(self, plugin_id: str, capability: str) -> None:
        """Give a capability back. Raises `RevocationsFileError` as `revoke` does."""
        self._set(plugin_id, self.of(plugin_id) - {capability})

    def _set(self, plugin_id: str, revoked: frozenset[str]) -> None:
        others = {each: names for each, names in self._revoked.items() if each != plugin_id}
        changed = {**others, plugin_id: revoked} if revoked else others
        self._write({each: sorted(names) for each, names in sorted(changed.items())})
        self._revoked = changed

    def _write(self, content: Mapping[str, list[str]]) -> None:
        """Whole or not at all."""
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with NamedTemporaryFile("w", dir=self._file.parent, delete=False, encoding="utf-8") as new:
                json.dump(content, new, ensure_ascii=False, indent=2)
                new.flush()
                os.fsync(new.fileno())
            Path(new.name).replace(self._file)
        except OSError as error:
            raise RevocationsFileError(self._file, error.strerror or str(error)) from error
