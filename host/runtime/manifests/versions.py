"""Versions: releases of three numbers, the ranges of them in manifests, and the releases that this host offers."""

from dataclasses import dataclass
from typing import Annotated, NamedTuple, Self

from packaging.specifiers import SpecifierSet
from packaging.version import InvalidVersion, Version
from pydantic import BaseModel, ConfigDict, PlainSerializer, PlainValidator, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

import maibot_sdk
from host.hooks.texts import Locale
from host.runtime.manifests.texts import MANIFEST_TEXTS

# What is longer than these is no version; and Python refuses to read numbers of thousands of digits.
_VERSION_LENGTH = 64
_SPEC_LENGTH = 256

VersionText = Annotated[
    str, StringConstraints(pattern=r"^[0-9]+\.[0-9]+\.[0-9]+$", max_length=_VERSION_LENGTH, strict=True)
]
"""A version as a manifest writes it: three numbers, ``X.Y.Z``."""


class HostVersionError(ValueError):
    """A version that the host was told it has is none.

    Args:
        found: the offending text.
    """

    code = "host_version"

    def __init__(self, found: str) -> None:
        self.found = found
        super().__init__(self.text())

    def text(self, locale: Locale = "en") -> str:
        """What was found and what is allowed, in the given language."""
        return MANIFEST_TEXTS.render(self.code, {"found": self.found}, locale)


class Release(NamedTuple):
    """Three numbers, compared one after another."""

    major: int
    minor: int
    patch: int

    @classmethod
    def of(cls, text: str) -> Self:
        """The release that a version is a build of: ``1.3.0.dev1``, ``1.3.0rc1`` and ``1.3.0+local`` are 1.3.0.

        Who runs a build of 1.3.0 expects what fits 1.3.0 to fit it, though packaging sorts ``1.3.0rc1`` below.

        Raises:
            HostVersionError: `text` is no version of three numbers.
        """
        if len(text) > _VERSION_LENGTH:
            raise HostVersionError(text)
        try:
            version = Version(text)
        except InvalidVersion as error:
            raise HostVersionError(text) from error
        if version.epoch or len(version.release) != 3:
            raise HostVersionError(text)
        return cls(*version.release)

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"


MAIBOT_RELEASE = Release(1, 3, 15)
"""The MaiBot release that this host is compatible with, unless the settings say another; not a version of our own."""
SDK_RELEASE = Release.of(maibot_sdk.__version__)
"""The release of the plugin SDK that `maibot_sdk` stands for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostVersions:
    """The releases that a plugin's demands are measured against.

    Args:
        host: the MaiBot release that this host is compatible with.
        sdk: the release of the plugin SDK.
        strict: whether a release above a plugin's maximum is refused; else it is worth a warning, since most authors
            write the newest release of their day.
    """

    host: Release = MAIBOT_RELEASE
    sdk: Release = SDK_RELEASE
    strict: bool = False


class VersionRange(BaseModel):
    """The releases that a plugin was made for, ends included. An end that is not given, ``""`` here, is open."""

    model_config = ConfigDict(strict=True, frozen=True, extra="allow")

    min_version: VersionText = ""
    max_version: VersionText = ""

    def begins_above(self, release: Release) -> bool:
        """Whether `release` is below the minimum."""
        return bool(self.min_version) and release < Release.of(self.min_version)

    def ends_below(self, release: Release) -> bool:
        """Whether `release` is above the maximum."""
        return bool(self.max_version) and release > Release.of(self.max_version)

    @model_validator(mode="after")
    def _is_not_empty(self) -> Self:
        if self.min_version and self.ends_below(Release.of(self.min_version)):
            raise PydanticCustomError(
                "min_above_max",
                "min_version {minimum} is above max_version {maximum}",
                {"minimum": self.min_version, "maximum": self.max_version},
            )
        return self


def _version_spec(written: object) -> SpecifierSet:
    if not isinstance(written, str) or len(written) > _SPEC_LENGTH:
        raise ValueError("not a short text")
    try:
        return SpecifierSet(f"=={Version(written)}")
    except InvalidVersion:
        return SpecifierSet(written)


VersionSpec = Annotated[SpecifierSet, PlainValidator(_version_spec), PlainSerializer(str, return_type=str)]
"""Versions that a dependency may have, as in ``">=1.0.0,<2.0.0"``; a bare version means exactly that one."""


def fits(spec: SpecifierSet, version: str) -> bool:
    """Whether an installed version is one of `spec`; pre-releases that lie within it are."""
    try:
        return spec.contains(Version(version), prereleases=True)
    except InvalidVersion:
        return False
