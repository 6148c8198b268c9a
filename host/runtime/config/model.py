"""What a plugin's own code says about its configuration. All of it runs behind the border.

Without an instance, or with one that has no such methods, every configuration is as good as any other.
"""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any, TypeVar, get_args, get_origin

from pydantic import BaseModel, SecretBytes, SecretStr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from host.runtime.border import attempt
from host.runtime.config.toml_values import KeyPath
from host.runtime.problems import Step
from host.runtime.state import Plugin
from maibot_sdk.config import PluginConfigVersionError, is_plugin_config_class

T = TypeVar("T")

_SECRET_NAME = re.compile("(token|secret|password|api_?key|cookie)$", re.IGNORECASE)


class NotValidError(Exception):
    """The model refuses a configuration.

    Args:
        errors: as pydantic tells them; empty when the model can take none, for it has no ``plugin.config_version``.
    """

    def __init__(self, errors: Sequence[ErrorDetails]) -> None:
        self.errors = errors
        super().__init__(f"{len(errors)} error(s)")


class ConfigModel:
    """The configuration of one plugin as its code sees it.

    Args:
        plugin: its record; its instance may come and go.
    """

    def __init__(self, plugin: Plugin) -> None:
        self._plugin = plugin

    def defaults(self) -> dict[str, Any]:
        """The configuration that nobody touched, as Python objects; empty when there is no model.

        Raises:
            StepFailedError: the plugin's code raised, as for a field without a default.
        """
        method = self._method("get_default_config")
        return {} if method is None else self._attempt(lambda: dict(method()))

    def normalised(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """A configuration with the model's defaults where it says nothing, checked and without what the model does not
        know; as it is when there is no model.

        Raises:
            NotValidError: a value is wrong.
            StepFailedError: the plugin's code raised otherwise.
        """
        method = self._method("normalize_plugin_config")
        if method is None:
            return dict(data)

        def normalise() -> dict[str, Any] | list[ErrorDetails]:
            try:
                normalised, _ = method(data)
            except ValidationError as error:
                return error.errors(include_url=False)
            except PluginConfigVersionError:
                return []
            return dict(normalised)

        normalised = self._attempt(normalise)
        if isinstance(normalised, list):
            raise NotValidError(normalised)
        return normalised

    def inject(self, data: dict[str, Any]) -> None:
        """Hand a copy of a configuration to the instance, if it wants one.

        Raises:
            StepFailedError: the plugin's code raised.
        """
        method = self._method("set_plugin_config")
        if method is not None:
            self._attempt(lambda: method(deepcopy(data)))

    def form(self) -> dict[str, Any]:
        """The form of the configuration for the web page; empty when the plugin has none to show.

        Raises:
            StepFailedError: the plugin's code raised.
        """
        method = self._method("get_webui_config_schema")
        if method is None:
            return {}
        manifest = self._plugin.manifest
        facts = {
            "plugin_id": self._plugin.id,
            "plugin_name": self._plugin.name,
            "plugin_version": self._plugin.version,
            "plugin_description": manifest.description if manifest else "",
            "plugin_author": manifest.author.name if manifest else "",
        }
        return self._attempt(lambda: dict(method(**facts)))

    def description(self, path: KeyPath) -> str:
        """What the model says about a key; empty when it says nothing."""
        field = self._field(path)
        return "" if field is None else field.description or ""

    def is_secret(self, path: KeyPath) -> bool:
        """Whether nobody may read the value at a key in a log: its form hides it, or its name says it."""
        if any(_SECRET_NAME.search(key) for key in path if isinstance(key, str)):
            return True
        field = self._field(path)
        if field is None:
            return False
        extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
        is_hidden = "password" in (extra.get("input_type"), extra.get("x-widget"))
        return is_hidden or field.annotation in (SecretStr, SecretBytes)

    def is_section(self, path: KeyPath) -> bool:
        """Whether a table is one whose keys the model declares; all are when there is no model."""
        field = self._field(path)
        return field is None or _model_in(field.annotation) is not None

    def _field(self, path: KeyPath) -> FieldInfo | None:
        """What the model declares at a path; what stands in a list is declared by the list."""
        model, field = self._model(), None
        for key in path:
            if isinstance(key, str):
                field = None if model is None else model.model_fields.get(key)
                model = None if field is None else _model_in(field.annotation)
        return field

    def _model(self) -> type[BaseModel] | None:
        model = inspect.getattr_static(self._plugin.instance, "config_model", None)
        return model if is_plugin_config_class(model) else None

    def _method(self, name: str) -> Callable[..., Any] | None:
        """A method of the instance, unless it only pretends to have it."""
        instance = self._plugin.instance
        if inspect.getattr_static(instance, name, None) is None:
            return None
        method: Callable[..., Any] = self._attempt(lambda: getattr(instance, name))
        return method

    def _attempt(self, action: Callable[[], T]) -> T:
        return attempt(self._plugin, Step.CONFIG, action)


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """The model that a value, or each member of it, is an instance of; of several the first."""
    if inspect.isclass(annotation) and issubclass(annotation, BaseModel):
        return annotation
    if get_origin(annotation) in (dict, Mapping):
        return None
    return next(filter(None, map(_model_in, get_args(annotation))), None)
