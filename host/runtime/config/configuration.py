"""The configuration of one plugin: ``config.toml`` in its folder, checked and completed by the plugin's own model.

The file belongs to the user. The host adds the keys that it lacks, each below its description, brings
``plugin.config_version`` up to the model's, and changes what it is asked to change; all else stays byte for byte.

- no file: one is made from the model's defaults;
- a file that is older than the model, or that lacks keys: completed, after a backup; values and unknown keys stay;
- a file that is newer than the model: used as far as it fits, and never changed by loading it;
- a broken file: refused with line and column, or with key path; never changed, and the last good configuration stays.
"""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from packaging.version import InvalidVersion, Version
from pydantic import TypeAdapter, ValidationError

from host.hooks.texts import Locale
from host.runtime.config.changes import ChangeRefusedError, with_changes
from host.runtime.config.file import ConfigFile, ConfigText
from host.runtime.config.form import inferred_form
from host.runtime.config.model import ConfigModel, NotValidError
from host.runtime.config.problems import Allowed, ConfigError, ConfigProblem, shown, value_problems
from host.runtime.config.toml_edit import edited
from host.runtime.config.toml_layout import TomlLayoutError
from host.runtime.config.toml_values import KeyPath, same, toml_part
from host.runtime.problems import StepFailedError
from host.runtime.state import Plugin
from maibot_sdk.config import PluginConfigVersionError, extract_plugin_config_version, merge_plugin_config_data

_FLAG = TypeAdapter(bool)
_SECTION = "plugin"
_VERSION = "config_version"
_ENABLED = "enabled"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedConfig:
    """A configuration that a plugin can work with.

    Args:
        data: complete and checked, as Python objects, without what the model does not know; what the file says where
            there is no model.
        version: its ``plugin.config_version``; empty when it has none.
        enabled: whether the plugin is switched on: ``plugin.enabled``, true when nothing says it.
        warnings: what its owner should know, though it can be used.
    """

    data: dict[str, Any]
    version: str
    enabled: bool
    warnings: tuple[ConfigProblem, ...] = ()

    def changed_by(self, other: "LoadedConfig") -> bool:
        """Whether a plugin that has this one would find something else in `other`."""
        return self.version != other.version or not same(self.data, other.data)

    @property
    def update_arguments(self) -> tuple[str, dict[str, Any], str]:
        """What ``on_config_update`` is called with when this has become the configuration: scope, data, version."""
        return "self", deepcopy(self.data), self.version


class PluginConfiguration:
    """The configuration of one plugin. Whatever changes the file, `load` is what makes it count.

    Args:
        plugin: its record. While it has no instance, there is no model either, and the file is taken at its word.
    """

    def __init__(self, plugin: Plugin) -> None:
        self._file = ConfigFile(plugin.id, plugin.path)
        self._model = ConfigModel(plugin)
        self._plugin = plugin
        self._current: LoadedConfig | None = None

    @property
    def current(self) -> LoadedConfig | None:
        """The last good configuration; None before the first."""
        return self._current

    @property
    def text(self) -> str:
        """What stands in the file, broken or not; empty when there is none.

        Raises:
            ConfigError: it cannot be read.
        """
        return (self._file.content() or b"").decode("utf-8-sig", "replace")

    def load(self) -> LoadedConfig:
        """Read the file, make or complete it where that is called for, and hand the configuration to the instance.

        Returns:
            The new `current`.

        Raises:
            ConfigError: the file is broken; `current`, the instance and the file are as before.
            StepFailedError: the plugin's code raised; likewise, but the instance is in the hands of that code.
        """
        defaults = self._model.defaults()
        read = self._file.read()
        stored = read.data if read else {}
        wanted: Mapping[str, Any] = stored
        warnings: list[ConfigProblem] = []
        if _is_newer(_version(stored), _version(defaults)):
            data, warnings = self._as_far_as_valid(stored, defaults)
        else:
            wanted = _completed(stored, defaults)
            data = self._valid(wanted, defaults)
        enabled = self._enabled(data, stored)
        self._model.inject(data)
        try:
            self._store(wanted, read)
        except ConfigError as error:
            warnings += error.problems
        self._current = LoadedConfig(data=data, version=_version(data), enabled=enabled, warnings=tuple(warnings))
        return self._current

    def write(self, changes: Mapping[str, Any]) -> None:
        """Change some keys of the file, if the plugin accepts the result.

        Tables that the model declares are merged at every depth; all other values are replaced, tables with free keys
        too. None takes a key out, so that its default counts.

        Args:
            changes: by key, or by dotted key (``"words.mode"``) where the file has no key of that very name.

        Raises:
            ConfigError: a value is wrong, or the file is broken or cannot be changed; it is as before.
            StepFailedError: the plugin's code raised; likewise.
        """
        defaults = self._model.defaults()
        read = self._file.read()
        wanted = self._with(read.data if read else toml_part(defaults), changes)
        self._valid(wanted, defaults)
        self._store(wanted, read)

    def set_enabled(self, enabled: bool) -> None:
        """Switch the plugin on or off in the file, whatever else stands in it.

        Raises:
            ConfigError: the file is no TOML or cannot be changed; it is as before.
        """
        read = self._file.read()
        stored = read.data if read else toml_part(self._model.defaults())
        self._store(self._with(stored, {f"{_SECTION}.{_ENABLED}": enabled}), read)

    def replace_text(self, text: str) -> None:
        """Give the file a new text, as its owner wrote it; `load` then says what is wrong with its values.

        A file that is broken goes as well, to the backups.

        Raises:
            ConfigError: the text is no TOML, or the file cannot be written; it is as before.
        """
        parsed = self._file.parsed(text.encode("utf-8", "surrogatepass"))
        former = self._file.content()
        if former != parsed.content:
            self._file.replace(parsed.text, former)

    def reset(self) -> Path | None:
        """Move the file to the backups; `load` then makes a new one.

        Returns:
            Where it is now; None when there was none.

        Raises:
            ConfigError: it cannot be moved.
        """
        return self._file.move_away()

    def schema(self, locale: Locale = "en") -> dict[str, Any]:
        """The form of the configuration for the web page: the plugin's, or one made up from what the file says.

        Args:
            locale: of the ``_note`` that says why the plugin's cannot be had.
        """
        note = ""
        try:
            if form := self._model.form():
                return form
        except StepFailedError as error:
            note = error.text(locale)
        try:
            read = self._file.read()
        except ConfigError as error:
            read, note = None, note or error.text(locale)
        form = inferred_form(self._plugin, read.data if read else {})
        return {**form, "_note": note} if note else form

    def _valid(self, stored: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
        data, _ = merge_plugin_config_data(defaults, stored)
        problems: list[ConfigProblem] = []
        if _version(defaults) and not _version(data):
            # The SDK looks at nothing else then; but all problems are to be said at once.
            problems.append(_version_problem(data[_SECTION]))
            data[_SECTION] = defaults[_SECTION]
        try:
            valid = self._model.normalised(data)
        except NotValidError as error:
            problems += value_problems(error.errors, data, self._model.is_secret)
            raise self._file.refused(*(problems or [ConfigProblem(code="config_without_version")])) from None
        if problems:
            raise self._file.refused(*problems)
        return valid

    def _as_far_as_valid(
        self, stored: Mapping[str, Any], defaults: Mapping[str, Any]
    ) -> tuple[dict[str, Any], list[ConfigProblem]]:
        """A configuration newer than the model, without the values that the model refuses, and warnings that say so."""
        known, found = _version(defaults), _version(stored)
        warnings = [ConfigProblem(code="config_newer", found=shown(found), fields={"known": shown(known)})]
        while True:
            try:
                return self._valid(stored, defaults), warnings
            except ConfigError as error:
                fitting = stored
                for problem in error.problems:
                    fitting = _without(fitting, problem.path)
                if fitting == stored:
                    raise
                stored = fitting
                warnings += [replace(problem, code="config_default_used") for problem in error.problems]

    def _enabled(self, data: Mapping[str, Any], stored: Mapping[str, Any]) -> bool:
        """The model's word, the file's where the model has no such field."""
        for section in (data.get(_SECTION), stored.get(_SECTION)):
            if isinstance(section, Mapping) and _ENABLED in section:
                try:
                    return _FLAG.validate_python(section[_ENABLED])
                except ValidationError:
                    wrong = _wrong((_SECTION, _ENABLED), section[_ENABLED], "allowed_boolean")
                    raise self._file.refused(wrong) from None
        return True

    def _with(self, stored: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
        try:
            return with_changes(stored, changes, self._model.is_section)
        except ChangeRefusedError as error:
            raise self._file.refused(error.problem) from None

    def _store(self, wanted: Mapping[str, Any], read: ConfigText | None) -> None:
        if read is not None and same(read.data, wanted):
            return
        former = read.text if read else ""
        try:
            text = edited(former, wanted, self._model.description)
        except TomlLayoutError as error:
            raise self._file.refused(ConfigProblem(code="config_not_editable", found=str(error))) from error
        if text != former:
            self._file.replace(text, read.content if read else None)


def _version(data: Mapping[str, Any]) -> str:
    try:
        return extract_plugin_config_version(data)
    except PluginConfigVersionError:
        return ""


def _is_newer(found: str, known: str) -> bool:
    """Whether a version is above another; texts that are no versions are above nothing and below nothing."""
    try:
        return Version(found) > Version(known)
    except InvalidVersion:
        return False


def _completed(stored: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """What a file that is not newer than the model should say."""
    writable = toml_part(defaults)
    wanted, _ = merge_plugin_config_data(writable, stored)
    known = _version(writable)
    if known and isinstance(wanted[_SECTION], dict) and _version(wanted) != known:
        wanted[_SECTION][_VERSION] = writable[_SECTION][_VERSION]
    return wanted


def _version_problem(section: object) -> ConfigProblem:
    if isinstance(section, Mapping):
        return _wrong((_SECTION, _VERSION), section[_VERSION], "allowed_text")
    return _wrong((_SECTION,), section, "allowed_table")


def _wrong(path: KeyPath, found: object, allowed: str) -> ConfigProblem:
    return ConfigProblem(code="config_key_wrong", path=path, found=shown(found), allowed=(Allowed(code=allowed),))


def _without(data: Mapping[str, Any], path: KeyPath) -> dict[str, Any]:
    """`data` without what stands at `path`, or without the list or table around it where nothing stands there."""
    match path:
        case (str() as key, str() as inner, *_) if isinstance(data.get(key), dict) and inner in data[key]:
            return {**data, key: _without(data[key], path[1:])}
        case (key, *_):
            return {each: member for each, member in data.items() if each != key}
    return dict(data)
