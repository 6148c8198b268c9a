"""The manifest of a plugin, version 2: ``_manifest.json`` in, a checked `Manifest` or everything wrong with it out."""

import json
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError
from pydantic_core import ErrorDetails

from host.runtime.problems import ManifestError, ManifestProblem

MANIFEST_FILE = "_manifest.json"

PluginId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_]+([.-][A-Za-z0-9_]+)+$", max_length=128)]
"""Two or more words of ASCII letters, digits and ``_``, joined by ``.`` or ``-``: safe as the name of a folder."""
Version = Annotated[str, StringConstraints(pattern=r"^[0-9]+\.[0-9]+\.[0-9]+$")]
NotBlank = Annotated[str, StringConstraints(pattern=r"\S")]


class Author(BaseModel):
    """Who wrote a plugin."""

    model_config = ConfigDict(strict=True, frozen=True, extra="allow")

    name: NotBlank
    url: str


class Manifest(BaseModel):
    """What a plugin says about itself. Keys that are not declared here are kept in ``model_extra``, unread.

    Where a plugin comes from (built-in or third-party) is never read from here: the host decides it by where the
    plugin lies.
    """

    model_config = ConfigDict(strict=True, frozen=True, extra="allow")

    manifest_version: Literal[2]
    id: PluginId
    version: Version
    name: NotBlank
    description: str
    author: Author


def read_manifest(file: Path) -> Manifest:
    """Read and check a manifest file, UTF-8 with or without BOM.

    Raises:
        ManifestError: with every problem of it.
    """
    try:
        data = json.loads(file.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise _refused(file, "manifest_unreadable", error.strerror or type(error).__name__) from error
    except UnicodeDecodeError as error:
        raise _refused(file, "manifest_not_utf8", f"byte {error.start} is 0x{error.object[error.start]:02x}") from error
    except json.JSONDecodeError as error:
        raise _refused(file, "manifest_not_json", f"line {error.lineno}, column {error.colno}: {error.msg}") from error
    except RecursionError as error:
        raise _refused(file, "manifest_not_json", "nested too deep") from error
    try:
        return Manifest.model_validate(data)
    except ValidationError as error:
        raise ManifestError(file, [_problem(details) for details in error.errors()]) from error


def _refused(file: Path, code: str, found: str) -> ManifestError:
    return ManifestError(file, [ManifestProblem(code, "$", found)])


def _problem(details: ErrorDetails) -> ManifestProblem:
    keys = [str(key) for key in details["loc"]]
    path = ".".join(["$", *keys])
    allowed = "_".join(["allowed", *keys]) if keys else "allowed_object"
    if details["type"] == "missing":
        return ManifestProblem("key_missing", path, allowed=allowed)
    found = details["input"]
    old = keys == ["manifest_version"] and found == 1 and found is not True
    return ManifestProblem("manifest_version_1" if old else "key_wrong", path, _shown(found), allowed)


def _shown(found: Any) -> str:
    if isinstance(found, dict | list):
        return "{...}" if isinstance(found, dict) else "[...]"
    # A lone surrogate, which JSON can spell, could be neither logged nor sent.
    text = json.dumps(found, ensure_ascii=False).encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= 80 else f"{text[:77]}..."
