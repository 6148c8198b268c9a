"""The base class of plugin configurations."""

from __future__ import annotations

from inspect import isclass
from typing import Any, ClassVar, TypeGuard, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError


class PluginConfigBase(BaseModel):
    """Base of a configuration and of its sections: every field has a default, and assignments are checked.

    `__ui_label__`, `__ui_icon__`, `__ui_order__` and `__ui_i18n__` ({locale: {key: text}}) are for the form on the web
    page; a field takes its share from `Field(json_schema_extra={...})`.
    """

    model_config = ConfigDict(extra="ignore", validate_assignment=True)

    __ui_label__: ClassVar[str] = ""
    __ui_icon__: ClassVar[str] = ""
    __ui_order__: ClassVar[int] = 0
    __ui_i18n__: ClassVar[dict[str, dict[str, str]]] = {}


PluginConfigT = TypeVar("PluginConfigT", bound=BaseModel)


def is_plugin_config_class(candidate: Any) -> TypeGuard[type[PluginConfigBase]]:
    """Whether `candidate` is `PluginConfigBase` or derived from it, as a class."""
    return isclass(candidate) and issubclass(candidate, PluginConfigBase)


def build_plugin_default_config(config_class: type[PluginConfigT]) -> dict[str, Any]:
    """The configuration of a plugin that nobody has configured, as Python objects under the names of the fields.

    Raises:
        ValueError: a field has no default, or its default is wrong.
    """
    try:
        return config_class().model_dump()
    except ValidationError as error:
        name = config_class.__name__
        fields = ", ".join(".".join(map(str, problem["loc"])) for problem in error.errors())
        raise ValueError(
            f"configuration class {name} needs a valid default for every field; look at: {fields} / "
            f"配置类 {name} 的每个字段都必须有有效的默认值，请检查：{fields}"
        ) from error
