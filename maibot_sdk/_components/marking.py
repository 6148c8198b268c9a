"""How a decorator leaves its mark on a function, and how it reads what it is given."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, TypeVar

from maibot_sdk.types import ComponentInfo

COMPONENT_INFO_ATTR = "__maibot_component_info__"
LLM_PROVIDER_INFO_ATTR = "__maibot_llm_provider_info__"

F = TypeVar("F", bound=Callable[..., Any])


def mark(function: F, info: ComponentInfo) -> F:
    """Put `info` on the function and return it; a later mark replaces an earlier one."""
    setattr(function, COMPONENT_INFO_ATTR, info)
    return function


def text_of(value: object) -> str:
    """A value given to a decorator as trimmed text: nothing, 0 and False are empty, an enum member is its value."""
    if not value:
        return ""
    return str(value.value if isinstance(value, Enum) else value).strip()


def required_text_of(value: object, decorator: str, parameter: str) -> str:
    """Like `text_of`, but ValueError when nothing is left."""
    text = text_of(value)
    if not text:
        raise ValueError(
            f'@{decorator}: {parameter} must not be blank, got {value!r}; write {parameter}="..." / '
            f'@{decorator}：参数 {parameter} 不能为空，收到 {value!r}；请写 {parameter}="..."'
        )
    return text


def integer_of(value: Any, decorator: str, parameter: str) -> int:
    """What `int` makes of a value; where it cannot, its ValueError or TypeError with a text that helps."""
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise type(error)(
            f"@{decorator}: {parameter} takes a whole number, got {value!r}; write {parameter}=10 / "
            f"@{decorator}：参数 {parameter} 应为整数，收到 {value!r}；请写 {parameter}=10"
        ) from None


def platforms_of(value: object, decorator: str) -> list[str]:
    """Platform names in lower case, without repeats; nothing given means all platforms, an empty list."""
    if value is None or value == []:
        return []
    members = [value] if isinstance(value, str) else value
    if not isinstance(members, list) or not all(isinstance(member, str) and member.strip() for member in members):
        raise ValueError(
            f"@{decorator}: platforms takes a text or a list of texts, none of them blank, got {value!r}; "
            'write platforms=["qq"], or leave it out for all / '
            f"@{decorator}：platforms 必须是非空字符串或非空字符串列表，收到 {value!r}；"
            '请写 platforms=["qq"]，不写则表示所有平台'
        )
    return list(dict.fromkeys(member.strip().lower() for member in members))
