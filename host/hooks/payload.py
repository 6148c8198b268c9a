"""The payload type of a hook, made into checks: a ``TypedDict`` goes in, a check per key and a JSON schema come out."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Annotated, Any, NotRequired, Required, get_args, get_origin

import annotated_types
import msgspec
from loguru import logger
from pydantic import TypeAdapter, ValidationError
from pydantic.fields import FieldInfo
from typing_extensions import ReadOnly, TypedDict, get_type_hints, is_typeddict

from host.hooks.errors import InvalidSpecError, PayloadError, PayloadIssue
from host.hooks.portable import InvalidValueError, portable

CALLER_GIVES = ("hook_name", "trace_id")
"""Arguments that a handler may name beside the keys of the payload."""
CALL_DATA = frozenset({*CALLER_GIVES, "self"})
"""Names given beside the payload, or bound by Python itself, and so can be no keys of it."""

_MOST_SHAPES = 64
_MOST_WARNINGS = 1000
_ALWAYS_PORTABLE = frozenset({bool, float, type(None), bytes})
_SCALARS = frozenset({bool, float, type(None), str, int})
_UNCHANGEABLE = _SCALARS | {bytes}

Check = Callable[[Any, str], Any]
"""Takes a value and where it stands, gives a copy of it as it may travel, or raises `InvalidValueError`."""
_encode = msgspec.msgpack.Encoder().encode


class Key:
    """One declared key of a payload.

    Args:
        annotation: its declared type, without ``Required`` and ``NotRequired``.
        required: whether a payload must have it. One that is not required may also hold None.
    """

    def __init__(self, annotation: Any, *, required: bool) -> None:
        self.required = required
        self._plain, metadata = _unwrap(annotation)
        self._constrained = any(map(_constrains, metadata))
        self.deprecated = any(isinstance(item, FieldInfo) and bool(item.deprecated) for item in metadata)
        self._annotation = annotation if required else annotation | None

    @cached_property
    def exact(self) -> type | None:
        """The type whose values, once portable, need no validation under this key; None where there is no such type."""
        if not self._constrained:
            return _type_to_accept(self._plain)
        # A lenient flag takes more than the two booleans; that it leaves those alone can be tried out.
        lenient = self._plain is bool and all(self._validate(value, "") is value for value in (True, False))
        return bool if lenient else None

    @cached_property
    def accepts_all(self) -> bool:
        """Whether everything portable may stand under this key."""
        return self._plain in (Any, object) and not self._constrained

    @cached_property
    def _adapter(self) -> TypeAdapter[Any]:
        return TypeAdapter(self._annotation)

    def check(self, value: Any, path: str) -> Any:
        """A copy of the value as it may travel; `path` is where it stands, for the error.

        Text, numbers and booleans come out in the declared type where the declaration is lenient about them. What nests
        keeps the keys that the declaration does not know: they travel on.

        Raises:
            InvalidValueError: it may not be in any payload, or not under this key.
        """
        value = portable(value, path)
        if type(value) is self.exact or self.accepts_all:
            return value
        validated = self._validate(value, path)
        return value if isinstance(value, (dict, list)) else validated

    def _validate(self, value: Any, path: str) -> Any:
        try:
            return self._adapter.validate_python(value)
        except ValidationError as error:
            raise InvalidValueError(_first_issue(path, error)) from None


class Payload:
    """All that the dispatcher needs to know of one hook's payload type.

    Args:
        hook: the hook's name, for errors.
        declared: a ``TypedDict`` class.

    Attributes:
        keys: the declared keys.
        passed: the names of everything that a handler may be given by keyword.

    Raises:
        InvalidSpecError: `declared` is no ``TypedDict``, cannot be resolved, or declares a key named like call data.
    """

    def __init__(self, hook: str, declared: type[Any]) -> None:
        if not is_typeddict(declared):
            raise InvalidSpecError(hook, f"its payload is {declared!r}, and allowed is a TypedDict class")
        try:
            self._hints = get_type_hints(declared, include_extras=True)
        except NameError as error:
            raise InvalidSpecError(hook, f"an annotation of its payload cannot be resolved ({error})") from error
        reserved = sorted(CALL_DATA & self._hints.keys())
        if reserved:
            raise InvalidSpecError(
                hook, f"its payload declares {', '.join(reserved)}, which is given beside the payload"
            )
        self.hook = hook
        required: frozenset[str] = declared.__required_keys__
        self.keys = {
            name: Key(_without_qualifiers(hint), required=name in required) for name, hint in self._hints.items()
        }
        self.passed = dict.fromkeys((*self.keys, *CALLER_GIVES))
        self._required = tuple(name for name in self.keys if name in required)
        self._title = declared.__name__
        self._shapes: dict[tuple[Any, ...], _Shape] = {}
        self._warned: set[str] = set()

    @cached_property
    def json_schema(self) -> dict[str, Any]:
        """The payload as a JSON schema, with the keys' descriptions."""
        optional = {name: NotRequired[_without_qualifiers(hint)] for name, hint in self._hints.items()}
        hints = {name: self._hints[name] if self.keys[name].required else optional[name] for name in self.keys}
        # Rebuilt, since pydantic refuses the TypedDict of `typing` before Python 3.12.
        return TypeAdapter(TypedDict(self._title, hints)).json_schema()  # type: ignore[operator]

    def admit(self, payload: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
        """Check what the caller passed.

        Returns:
            The checked payload, a copy; and whether anything in it nests, so that each handler needs a copy of its own.

        Raises:
            PayloadError: with every problem of it.
        """
        shape = self._shapes.get((*payload, *map(type, payload.values()))) or self._plan(payload)
        checked = {**payload}
        try:
            if shape.flat:
                _encode(payload)
            else:
                for name, check in shape.checks:
                    checked[name] = check(checked[name], name)
        except (InvalidValueError, OverflowError, UnicodeEncodeError):
            raise PayloadError(self.hook, _issues_of(payload, shape)) from None
        return checked, shape.nests

    def may_lack(self, name: str) -> bool:
        """Whether `name` is a key that a payload need not have."""
        key = self.keys.get(name)
        return key is not None and not key.required

    def check_change(self, name: str, value: Any) -> Any:
        """A copy of the value that a handler returned for `name`, as it may travel on.

        Raises:
            InvalidValueError: it may not stand there.
        """
        key = self.keys.get(name)
        return portable(value, name) if key is None else key.check(value, name)

    def _plan(self, payload: Mapping[str, Any]) -> "_Shape":
        """What payloads with just these keys and types need, remembered for the next one."""
        self._check_names(payload)
        kinds = [*map(type, payload.values())]
        needed = [(name, self._check_for(name, kind)) for name, kind in zip(payload, kinds, strict=True)]
        checks = tuple((name, check) for name, check in needed if check is not None)
        shape = _Shape(
            flat=all(self._fits(name, kind) and kind in _SCALARS for name, kind in zip(payload, kinds, strict=True)),
            nests=not _UNCHANGEABLE.issuperset(kinds),
            checks=checks,
        )
        if len(self._shapes) >= _MOST_SHAPES:
            self._shapes.clear()
        self._shapes[(*payload, *kinds)] = shape
        return shape

    def _fits(self, name: str, kind: type) -> bool:
        """Whether values of this type need no validation under this key, once they are portable."""
        key = self.keys.get(name)
        return key is None or key.accepts_all or kind is key.exact

    def _check_for(self, name: str, kind: type) -> Check | None:
        """What a value of this type goes through under this key."""
        if not self._fits(name, kind):
            return self.keys[name].check
        return None if kind in _ALWAYS_PORTABLE else portable

    def _check_names(self, payload: Mapping[str, Any]) -> None:
        issues = []
        for name in payload:
            if type(name) is not str:
                issues.append(PayloadIssue(repr(name), f"a key of type {type(name).__name__}", "keys that are text"))
            elif not _can_be_encoded(name):
                issues.append(PayloadIssue(repr(name), "a key with a lone surrogate", "keys without lone surrogates"))
            elif name in CALL_DATA:
                issues.append(PayloadIssue(name, "a key named like call data", "any other name"))
            elif name not in self.keys:
                self._warn_once(name, "which its HookSpec does not declare; it travels on unchecked")
            elif self.keys[name].deprecated:
                self._warn_once(name, "which is deprecated")
        issues += [
            PayloadIssue(name, "nothing", "a value: the key is required")
            for name in self._required
            if name not in payload
        ]
        if issues:
            raise PayloadError(self.hook, issues)

    def _warn_once(self, name: str, why: str) -> None:
        if name not in self._warned and len(self._warned) < _MOST_WARNINGS:
            self._warned.add(name)
            logger.warning("Hook {} was fired with the key {!r}, {}", self.hook, name, why)


class _Shape(msgspec.Struct, frozen=True):
    """What payloads with the same keys and value types have in common.

    Args:
        flat: every value is a scalar of its declared type.
        nests: some value may hold others.
        checks: what values have to go through, by key; those without need nothing.
    """

    flat: bool
    nests: bool
    checks: tuple[tuple[str, Check], ...]


def _issues_of(payload: Mapping[str, Any], shape: _Shape) -> list[PayloadIssue]:
    """Everything that is wrong with a payload in which something is."""
    issues = []
    for name, check in shape.checks:
        try:
            check(payload[name], name)
        except InvalidValueError as error:
            issues.append(error.issue)
    return issues


def _can_be_encoded(name: str) -> bool:
    return name.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in name)


def _without_qualifiers(hint: Any) -> Any:
    while get_origin(hint) in (Required, NotRequired, ReadOnly):
        hint = get_args(hint)[0]
    return hint


def _unwrap(annotation: Any) -> tuple[Any, tuple[Any, ...]]:
    """The type under ``Annotated``, and the metadata."""
    if get_origin(annotation) is Annotated:
        plain, *metadata = get_args(annotation)
        return plain, tuple(metadata)
    return annotation, ()


def _constrains(metadata: Any) -> bool:
    """Whether a piece of metadata takes part in validation, as against describing."""
    if isinstance(metadata, FieldInfo):
        return bool(metadata.metadata)
    return isinstance(metadata, (annotated_types.BaseMetadata, annotated_types.GroupedMetadata)) or hasattr(
        metadata, "__get_pydantic_core_schema__"
    )


def _type_to_accept(plain: Any) -> type | None:
    """The type whose instances need no validation under this annotation, once they are portable."""
    if plain in (str, int, float, bool, dict, list):
        return plain  # type: ignore[no-any-return]
    if get_origin(plain) is dict and get_args(plain)[0] in (str, Any) and get_args(plain)[1] in (Any, object):
        return dict
    if get_origin(plain) is list and get_args(plain)[0] in (Any, object):
        return list
    return None


def _first_issue(name: str, error: ValidationError) -> PayloadIssue:
    """Of everything pydantic found, the innermost first finding, with its path in our spelling."""
    details = error.errors(include_url=False, include_context=False)
    first = details[0]
    path = name + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"])
    return PayloadIssue(path, _show(first["input"]), first["msg"])


def _show(value: Any) -> str:
    text = repr(value)
    return f"{type(value).__name__} {text}" if len(text) <= 60 else f"{type(value).__name__} {text[:57]}..."
