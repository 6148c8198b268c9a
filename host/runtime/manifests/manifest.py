"""The manifest of a plugin, version 2: ``_manifest.json`` in, a checked `Manifest` or everything wrong with it out."""

import json
import re
from collections.abc import Iterable
from pathlib import Path, PureWindowsPath
from typing import Annotated, Literal

from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from host.runtime.manifests.findings import half_characters, problems_of, unknown_capabilities, unknown_keys
from host.runtime.manifests.versions import HostVersions, VersionRange, VersionSpec, VersionText
from host.runtime.problems import ManifestError, ManifestProblem

MANIFEST_FILE = "_manifest.json"

_WINDOWS_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)", re.IGNORECASE)


def _no_device(plugin_id: str) -> str:
    if _WINDOWS_DEVICE.match(plugin_id):
        raise ValueError("the name of a device")
    return plugin_id


def _stays_inside(path: str) -> str:
    # Windows' rules read both kinds of slashes, and drives.
    read = PureWindowsPath(path)
    if read.anchor or ".." in read.parts or "\0" in path:
        raise ValueError("leads out of the folder")
    return path


PluginId = Annotated[
    str,
    StringConstraints(pattern=r"^[A-Za-z0-9_]+([.-][A-Za-z0-9_]+)+$", max_length=128),
    AfterValidator(_no_device),
]
"""Two or more words of ASCII letters, digits and ``_``, joined by ``.`` or ``-``: safe as the name of a folder, on
Windows too, where ``con.anything`` is the console."""
PackageName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$", max_length=128)]
"""The name of a Python distribution, by the packaging standards; never an option of an installer."""
InnerPath = Annotated[str, AfterValidator(_stays_inside)]
"""A path relative to the plugin's folder that does not lead out of it (links are the reader's matter)."""
NotBlank = Annotated[str, StringConstraints(pattern=r"\S")]


class _Part(BaseModel):
    """A key that is left out is ``""`` or empty. Keys that are not declared are kept in ``model_extra``, unread."""

    model_config = ConfigDict(strict=True, frozen=True, extra="allow")


class Author(_Part):
    """Who wrote a plugin."""

    name: NotBlank
    url: str


class Urls(_Part):
    """Where a plugin lives. Any text: whoever makes links of them takes only ``http`` and ``https``."""

    repository: str = ""
    homepage: str = ""
    documentation: str = ""
    issues: str = ""


class PluginDependency(_Part):
    """Another plugin that has to be active first."""

    type: Literal["plugin"]
    id: PluginId
    version_spec: VersionSpec


class PackageDependency(_Part):
    """A Python package that has to be installed."""

    type: Literal["python_package"]
    name: PackageName
    version_spec: VersionSpec


Dependency = Annotated[PluginDependency | PackageDependency, Field(discriminator="type")]


class Translations(_Part):
    """The languages that a plugin's own texts exist in."""

    default_locale: str = ""
    locales_path: InnerPath = ""
    supported_locales: Annotated[tuple[NotBlank, ...], Field(strict=False)] = ()


class ProviderDeclaration(_Part):
    """A kind of language model client that a plugin brings; its code declares the same `client_type`."""

    client_type: NotBlank
    name: str = ""
    description: str = ""
    version: str = ""


class Icon(_Part):
    """The picture of a plugin.

    By `type`, `value` is a file in the plugin's folder (``local``), the name of an icon (``lucide``) or a character
    (``emoji``).
    """

    type: str = ""
    value: InnerPath = ""
    background: str = ""
    fallback: str = ""


class Display(_Part):
    """How a plugin is shown."""

    icon: Icon = Icon()


class Manifest(_Part):
    """What a plugin says about itself.

    Where a plugin comes from (built-in or third-party) is never read from here: the host decides it by where the
    plugin lies.
    """

    manifest_version: Annotated[int, Field(ge=2, le=2)]
    id: PluginId
    version: VersionText
    name: NotBlank
    description: str
    author: Author
    license: str = ""
    urls: Urls = Urls()
    host_application: VersionRange = VersionRange()
    """The MaiBot releases that it was made for."""
    sdk: VersionRange = VersionRange()
    """The releases of the plugin SDK that it was made for."""
    dependencies: Annotated[tuple[Dependency, ...], Field(strict=False)] = ()
    capabilities: Annotated[tuple[NotBlank, ...], Field(strict=False)] = ()
    i18n: Translations = Translations()
    llm_providers: Annotated[tuple[ProviderDeclaration, ...], Field(strict=False)] = ()
    plugin_type: str = ""
    type: str = ""
    display: Display = Display()
    changelog: InnerPath = ""

    @property
    def needed_plugins(self) -> dict[str, SpecifierSet]:
        """Ids of the plugins that it needs, and their versions that would do; each once, with all its ranges."""
        return _combined((each.id, each.version_spec) for each in self.dependencies if each.type == "plugin")

    @property
    def needed_packages(self) -> dict[str, SpecifierSet]:
        """Names of the Python packages that it needs, in their normal form (``tomli-w``), and their versions that would
        do; each once, with all its ranges."""
        packages = (each for each in self.dependencies if each.type == "python_package")
        return _combined((canonicalize_name(each.name), each.version_spec) for each in packages)


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
    except ValueError as error:
        raise _refused(file, "manifest_not_json", "a number of too many digits") from error
    if halves := half_characters(data):
        raise ManifestError(file, halves)
    try:
        return Manifest.model_validate(data)
    except ValidationError as error:
        raise ManifestError(file, problems_of(error)) from error


def warnings_of(manifest: Manifest, versions: HostVersions) -> list[ManifestProblem]:
    """What is worth a warning in a manifest that loads: unknown keys and capabilities, and maximum versions that this
    host is above (where `versions` are strict, that keeps the plugin from loading and is no warning)."""
    warnings = [*unknown_keys(manifest), *unknown_capabilities(manifest.capabilities)]
    if not versions.strict:
        ranges = {"host_application": (manifest.host_application, versions.host), "sdk": (manifest.sdk, versions.sdk)}
        warnings += [
            ManifestProblem(
                "above_maximum", f"$.{key}.max_version", json.dumps(made_for.max_version), fields={"offered": offered}
            )
            for key, (made_for, offered) in ranges.items()
            if made_for.ends_below(offered)
        ]
    return warnings


def _refused(file: Path, code: str, found: str) -> ManifestError:
    return ManifestError(file, [ManifestProblem(code, "$", found)])


def _combined(needs: Iterable[tuple[str, SpecifierSet]]) -> dict[str, SpecifierSet]:
    combined: dict[str, SpecifierSet] = {}
    for name, spec in needs:
        combined[name] = combined[name] & spec if name in combined else spec
    return combined
