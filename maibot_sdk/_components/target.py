"""What a decorator is put on, and what it is not.

These errors surface in tracebacks, where no locale is known: each says the same in English and in Chinese.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from enum import Enum
from functools import partialmethod
from reprlib import repr as short_repr
from types import FunctionType, MethodType
from typing import Any


def shown(value: object) -> str:
    """A value for a message, shortened, and a thing with a name by its name."""
    match value:
        case Enum():
            return f"{type(value).__name__}.{value.name}"
        case FunctionType():
            return f"def {value.__name__}"
        case staticmethod() | classmethod():
            return shown(value.__func__)
        case MethodType():
            return f"bound method {value.__name__}"
        case type():
            return f"class {value.__name__}"
        case None | str() | bytes() | int() | float() | list() | tuple() | dict() | set():
            return short_repr(value)
    return f"{type(value).__name__} object"


def refuse_bare(first: object, decorator: str, example: str) -> None:
    """Raise TypeError when the first argument of a decorator is the very method that it stands above."""
    if isinstance(first, FunctionType | staticmethod | classmethod):
        raise TypeError(
            f"write @{decorator}({example}) above {shown(first)}; @{decorator} without parentheses declares nothing / "
            f"请在 {shown(first)} 之上写 @{decorator}({example})；不带括号的 @{decorator} 不会声明任何组件"
        )


def check_target(target: object, decorator: str, *, classes: bool = False) -> None:
    """Raise TypeError unless `target` can be called and can carry a mark; a class only where `classes` are meant."""
    is_function = callable(target) or isinstance(target, classmethod | partialmethod)
    if isinstance(target, type) and not classes:
        is_function = False
    # A bound method shows the attributes of its function and takes none.
    if not is_function or isinstance(target, MethodType) or not hasattr(target, "__dict__"):
        raise TypeError(
            f"@{decorator} belongs directly above a method (def or async def) of the plugin, got {shown(target)} / "
            f"@{decorator} 只能直接写在插件方法（def 或 async def）之上，收到 {shown(target)}"
        )


def refuse_generator(target: Callable[..., Any], decorator: str) -> None:
    """Raise TypeError for a generator function, sync or async: calling it runs nothing of its body."""
    body = target.__func__ if isinstance(target, staticmethod | classmethod) else target
    if inspect.isgeneratorfunction(body) or inspect.isasyncgenfunction(body):
        raise TypeError(
            f"@{decorator}: the body of {shown(body)} has a yield, which makes it a generator; "
            "a handler returns None or a dict, so replace yield by return / "
            f"@{decorator}：{shown(body)} 的函数体内有 yield，因此是生成器函数；"
            "处理器应返回 None 或字典，请把 yield 改为 return"
        )


def name_of(target: object, decorator: str) -> str:
    """The name of a function. TypeError for a callable without one, such as a `functools.partial`."""
    name = getattr(target, "__name__", None)
    if not isinstance(name, str):
        raise TypeError(
            f'@{decorator}: {shown(target)} has no name of its own; write name="..." / '
            f'@{decorator}：{shown(target)} 没有自己的名称；请写 name="..."'
        )
    return name
