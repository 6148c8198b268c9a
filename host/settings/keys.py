"""Which keys a section of the settings may have, read from its model."""

from difflib import get_close_matches
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel

from host.runtime.config.toml_values import KeyPath


def nearest_key(model: type[BaseModel], path: KeyPath) -> str | None:
    """The key that somebody meant who wrote the unknown one at the end of a path; None where none is near.

    Args:
        model: of all settings.
        path: with the unknown key.
    """
    section = section_at(model, path[:-1])
    known = list(section.model_fields) if section else []
    return next(iter(get_close_matches(str(path[-1]).lower(), known, 1)), None)


def takes_free_keys(model: type[BaseModel], path: KeyPath) -> bool:
    """Whether the last key of a path is a free one of its section, such as a plugin's id."""
    section = section_at(model, path[:-1])
    return section is not None and path[-1] not in section.model_fields and section.model_config["extra"] == "allow"


def section_at(model: type[BaseModel], path: KeyPath) -> type[BaseModel] | None:
    """The model of the table at a path; None where the keys of that table are free."""
    annotation: Any = model
    for key in path:
        annotation = _below(plain(annotation), key)
    annotation = plain(annotation)
    return annotation if _is_model(annotation) else None


def plain(annotation: Any) -> Any:
    """An annotation without what may be None, and without what is annotated to it."""
    while True:
        arguments = [each for each in get_args(annotation) if each is not NoneType]
        origin = get_origin(annotation)
        if origin is Annotated or (origin in (Union, UnionType) and len(arguments) == 1):
            annotation = arguments[0]
        else:
            return annotation


def _below(annotation: Any, key: str | int) -> Any:
    if not _is_model(annotation):
        # A list's members, or a table's.
        return next((each for each in reversed(get_args(annotation)) if each is not Ellipsis), Any)
    if key in annotation.model_fields:
        return annotation.model_fields[key].annotation
    free = annotation.__annotations__.get("__pydantic_extra__")
    return get_args(free)[-1] if free else Any


def _is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)
