"""A manifest of version 1 brought up to version 2: what can be known is written, what cannot is listed."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.version import InvalidVersion, Version
from pydantic import TypeAdapter, ValidationError

from host.authoring.migration.modules import Rewritten
from host.authoring.migration.remarks import Remark
from host.runtime.manifests.capability_names import CAPABILITY_NAMES
from host.runtime.manifests.findings import half_characters, problems_of
from host.runtime.manifests.manifest import Manifest, PluginId
from host.runtime.problems import ManifestProblem

FIRST_MAIBOT = "1.0.0"
"""The first MaiBot that takes plugins for SDK 2, by what the manifests of such plugins say."""
_SDK = {"min_version": "2.0.0", "max_version": "2.99.99"}
_MOVED = {
    "repository_url": ("urls", "repository"),
    "homepage_url": ("urls", "homepage"),
    "default_locale": ("i18n", "default_locale"),
    "locales_path": ("i18n", "locales_path"),
}
_CALL = re.compile(r"\bctx\.(\w+)\.(\w+(?:\.\w+)?)\s*\(")
_PLUGIN_ID = TypeAdapter(PluginId)


def is_plugin_id(text: object) -> bool:
    """Whether a host takes a text as the id of a plugin."""
    try:
        _PLUGIN_ID.validate_python(text, strict=True)
    except ValidationError:
        return False
    return True


def bring_up(content: bytes, folder: str, plugin_id: str | None, code: Iterable[str]) -> Rewritten:
    """Bring a manifest up to version 2. One of that version stays as it is, and is told what keeps it from loading.

    Args:
        content: the file's bytes, UTF-8 with or without BOM.
        folder: the name of the plugin's folder.
        plugin_id: the id for a manifest that has none that a host takes.
        code: the plugin's Python files; the capabilities that they use are declared.
    """
    try:
        text = content.decode("utf-8-sig")
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        return Rewritten(content, left=[Remark("unreadable", fields={"why": str(error)})])
    if not isinstance(data, dict) or data.get("manifest_version", 1) != 1 or half_characters(data):
        return Rewritten(content, left=list(_left(data, folder)))
    bringing = _BringingUp(data, plugin_id, code)
    new = bringing.manifest()
    bom = b"\xef\xbb\xbf" if content.startswith(b"\xef\xbb\xbf") else b""
    return Rewritten(bom + _written_like(text, new).encode(), bringing.notes, list(_left(new, folder)))


class _BringingUp:
    def __init__(self, old: Mapping[str, Any], plugin_id: str | None, code: Iterable[str]) -> None:
        self._old = old
        self._id = plugin_id
        self._code = code
        self._dropped: list[str] = []
        self._new: dict[str, Any] = {}
        self.notes: list[Remark] = []

    def manifest(self) -> dict[str, Any]:
        """The new content, its keys in the order of the old ones."""
        self._new["manifest_version"] = 2
        if "id" not in self._old and self._id is not None:
            self._new["id"] = self._id
        for key, value in self._old.items():
            self._bring(key, value)
        self._capabilities()
        if self._dropped:
            self.notes.append(Remark("keys_dropped", fields={"keys": ", ".join(self._dropped)}))
        return self._new

    def _bring(self, key: str, value: Any) -> None:
        match key:
            case "manifest_version" | "permissions":
                """Seen to elsewhere."""
            case "id":
                self._new["id"] = value if self._id is None or is_plugin_id(value) else self._id
            case "version":
                self._new["version"] = self._version(value)
            case "host_application":
                self._made_for(value)
            case "plugin_info" if isinstance(value, dict):
                self._plugin_info(value)
            case "changelog" if not isinstance(value, str):
                self._dropped.append("changelog")
            case _ if key in _MOVED:
                part, name = _MOVED[key]
                self._new.setdefault(part, {})[name] = value
            case _ if key in Manifest.model_fields:
                self._new[key] = value
            case _:
                self._dropped.append(key)

    def _version(self, found: Any) -> Any:
        try:
            version = Version(found)
        except (InvalidVersion, TypeError):
            return found
        text = ".".join(str(number) for number in (*version.release, 0, 0)[:3])
        if text == found or len(version.release) > 3 or version.public != ".".join(map(str, version.release)):
            return found
        self.notes.append(Remark("version_padded", fields={"found": found, "version": text}))
        return text

    def _made_for(self, value: Any) -> None:
        """The old range speaks of a MaiBot that knew no SDK 2."""
        said = [value.get(key) for key in ("min_version", "max_version")] if isinstance(value, dict) else []
        found = " - ".join(each for each in said if isinstance(each, str) and each)
        self._new["host_application"] = {"min_version": FIRST_MAIBOT}
        self._new["sdk"] = dict(_SDK)
        self.notes.append(Remark("made_for", fields={"found": found, "minimum": FIRST_MAIBOT}))

    def _plugin_info(self, info: Mapping[str, Any]) -> None:
        if isinstance(kind := info.get("plugin_type"), str) and "plugin_type" not in self._old:
            self._new["plugin_type"] = kind
        needs = info.get("dependencies")
        if isinstance(needs, dict):
            self._dependencies(needs)
        self._dropped += [f"plugin_info.{key}" for key in info if key not in ("plugin_type", "dependencies")]

    def _dependencies(self, needs: Mapping[str, Any]) -> None:
        found, lost = [], [f"{key}" for key, value in needs.items() if key != "python" and value]
        python = needs.get("python")
        for need in python if isinstance(python, list) else []:
            package = _package(need)
            if package is None:
                lost.append(json.dumps(need, ensure_ascii=False))
            else:
                found.append(package)
        if found:
            self._new["dependencies"] = [*self._old.get("dependencies", ()), *found]
        if lost:
            self.notes.append(Remark("dependencies_dropped", fields={"found": ", ".join(lost)}))

    def _capabilities(self) -> None:
        asked = self._old.get("permissions")
        permissions = asked if isinstance(asked, list) else []
        called = {
            f"{'database' if family == 'db' else family}.{name}"
            for code in self._code
            for family, name in _CALL.findall(code)
        }
        known = [name for name in permissions if name in CAPABILITY_NAMES]
        known += sorted((called & CAPABILITY_NAMES) - set(known))
        self._dropped += [f"permissions: {name}" for name in permissions if name not in CAPABILITY_NAMES]
        self._new.setdefault("capabilities", known)
        self.notes.append(Remark("capabilities_unknown", fields={"found": ", ".join(known) or "-"}))


def _package(need: Any) -> dict[str, str] | None:
    """A dependency on a Python package; None for what cannot be told, and for what is not required."""
    if isinstance(need, dict):
        if need.get("required") is False:
            return None
        need = f"{need.get('name', '')}{need.get('version', '')}"
    try:
        requirement = Requirement(need)
    except (InvalidRequirement, TypeError):
        return None
    return {"type": "python_package", "name": requirement.name, "version_spec": str(requirement.specifier)}


def _left(data: Any, folder: str) -> Iterator[Remark]:
    if halves := half_characters(data):
        yield from map(_told, halves)
        return
    try:
        Manifest.model_validate(data)
    except ValidationError as error:
        for problem in problems_of(error):
            if problem.path == "$.id":
                code = "no_id" if problem.code == "key_missing" else "wrong_id"
                yield Remark(code, fields={"found": data.get("id"), "example": _example(data, folder)})
            else:
                yield _told(problem)


def _told(problem: ManifestProblem) -> Remark:
    return Remark("manifest", fields={locale: problem.text(locale) for locale in ("en", "zh")})


def _example(data: Mapping[str, Any], folder: str) -> str:
    author = data.get("author")
    name = author.get("name") if isinstance(author, dict) else author
    words = [re.sub(r"[^A-Za-z0-9_]+", "-", str(each)).strip("-") for each in (name, folder)]
    example = ".".join(words)
    return example if is_plugin_id(example) else "your-name.plugin-name"


def _written_like(text: str, data: object) -> str:
    """JSON with the indents, the line ends and the escapes of another text."""
    indent = re.search(r"\n([ \t]+)\S", text)
    escaped = text.isascii() and "\\u" in text
    written = json.dumps(data, ensure_ascii=escaped, indent=indent[1] if indent else None)
    if "\r\n" in text:
        written = written.replace("\n", "\r\n")
    return written + text[len(text.rstrip()) :]
