"""The checks of registration: declarations go in; ready handlers, or a list of everything that is wrong, come out."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from math import inf
from typing import Any, TypeVar

from host.hooks.binding import Anatomy, examine, starter
from host.hooks.breaker import Breaker
from host.hooks.declaration import Declaration
from host.hooks.family import Failures, Generators, Source
from host.hooks.foreign import Foreign
from host.hooks.gate import Gate
from host.hooks.handler import Handler, Start
from host.hooks.lease import Lease
from host.hooks.payload import Payload
from host.hooks.problems import Problem, RegistrationError, nearest
from host.hooks.remote import RemoteFunction
from host.hooks.settings import HookSettings
from host.hooks.spec import HookSpec
from host.hooks.workers import Workers
from maibot_sdk.types import ErrorPolicy, HookMode, HookOrder

MAX_NAME_LENGTH = 128
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_E = TypeVar("_E", bound=Enum)


@dataclass(frozen=True, slots=True)
class Registration:
    """A plugin's hook handlers, all checked, ready to be activated.

    Args:
        plugin_id: whose they are.
        source: where the plugin lies.
        handlers: in the order of their declarations.
        warnings: what is allowed but will disappoint.
        lease: whether the handlers may be called just now.
    """

    plugin_id: str
    source: Source
    handlers: tuple[Handler, ...]
    warnings: tuple[Problem, ...]
    lease: Lease


@dataclass(frozen=True, slots=True)
class Rules:
    """What registration checks against, handed in by the kernel.

    Args:
        find: the spec and the payload checks of a hook, or None when there is no such hook.
        names: all hook names.
        settings: ceilings and defaults.
        numbers: counts handlers.
        clock: what breakers take the time from, in seconds.
    """

    find: Callable[[str], tuple[HookSpec, Payload] | None]
    names: Callable[[], Iterable[str]]
    settings: HookSettings
    numbers: Iterator[int]
    clock: Callable[[], float]


def check_plugin(
    plugin_id: str, declarations: Iterable[Declaration], source: Source, *, rules: Rules, workers: Workers
) -> Registration:
    """Make a plugin's declarations into handlers.

    Raises:
        RegistrationError: with every problem of every declaration; nothing was registered.
    """
    check = _Check(plugin_id, source, rules, workers)
    if not is_name(plugin_id):
        check.problem("bad_plugin_id", found=_show(plugin_id))
    handlers = [handler for each in declarations if (handler := check.handler(each)) is not None]
    if check.problems:
        raise RegistrationError(plugin_id, check.problems, check.warnings)
    return Registration(plugin_id, source, tuple(handlers), tuple(check.warnings), check.lease)


def is_name(name: object) -> bool:
    """Whether `name` may name a component or plugin: any script; nothing blank, invisible or over 128 characters."""
    if not isinstance(name, str) or not 0 < len(name) <= MAX_NAME_LENGTH:
        return False
    if name.isascii() and name.isprintable():
        return bool(name.strip())
    return bool(name.strip()) and not any(unicodedata.category(letter) in _INVISIBLE for letter in name)


class _Check:
    """The checks of one plugin; collects what it finds."""

    def __init__(self, plugin_id: str, source: Source, rules: Rules, workers: Workers) -> None:
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []
        self._plugin_id = plugin_id
        self._source = source
        self._rules = rules
        self._workers = workers
        self.lease = Lease()
        self._taken: dict[str, tuple[str, int]] = {}
        self._handler = ""
        self._file, self._line = "", 0

    def problem(self, code: str, **fields: Any) -> None:
        self.problems.append(Problem(code, fields, self._plugin_id, self._handler, self._file, self._line))

    def warning(self, code: str, **fields: Any) -> None:
        self.warnings.append(Problem(code, fields, self._plugin_id, self._handler, self._file, self._line))

    def handler(self, declared: Declaration) -> Handler | None:
        """The handler of one declaration; None when something is wrong with it, or with the plugin so far."""
        function = declared.handler
        name = declared.name if declared.name != "" else _name_of(function)
        self._handler = name if isinstance(name, str) else Foreign.of(name).text
        anatomy = function.anatomy if isinstance(function, RemoteFunction) else examine(function)
        self._file, self._line = anatomy.file, anatomy.line
        before = len(self.problems)
        if not self._is_hook_handler(declared):
            return None
        self._check_name(name)
        mode = self._enum("mode", HookMode, declared.mode)
        order = self._enum("order", HookOrder, declared.order)
        policy = self._enum("error_policy", ErrorPolicy, declared.error_policy)
        self._check_timeout(declared.timeout_ms)
        observe_aborted = declared.metadata.get("observe_aborted", False)
        if not isinstance(observe_aborted, bool):
            self.problem("bad_flag", field="observe_aborted", found=_show(observe_aborted))
        found = self._hook(declared.hook)
        if found is not None:
            self._check_mode(found[0], mode, policy)
        self._check_function(declared, anatomy, found)
        if len(self.problems) > before:
            return None
        # With no problem found, everything is there, and of the right type.
        assert found is not None
        assert mode is not None
        assert order is not None
        assert policy is not None
        spec, payload = found
        isolated = spec.family.failures is not Failures.DECLARED
        return self._ready(declared, anatomy, spec, payload, mode, order, ErrorPolicy.SKIP if isolated else policy)

    def _is_hook_handler(self, declared: Declaration) -> bool:
        if declared.component_type is None:
            self.problem("bad_component", found=_show(declared.handler))
            return False
        if declared.component_type in ("WORKFLOW_STEP", "workflow_step"):
            stage = declared.metadata.get("stage")
            hint = f" Its stage was {stage!r}." if stage else ""
            hint_zh = f"其 stage 为 {stage!r}。" if stage else ""
            self.problem("workflow_step", found=declared.component_type, replacement_en=hint, replacement_zh=hint_zh)
            return False
        return True

    def _check_name(self, name: object) -> None:
        if not is_name(name):
            self.problem("bad_name", found=_show(name))
            return
        assert isinstance(name, str)
        if name in self._taken:
            file, line = self._taken[name]
            self.problem("duplicate_name", other=f"{file}:{line}" if file else "an unknown place")
            return
        self._taken[name] = (self._file, self._line)

    def _enum(self, field: str, kind: type[_E], value: object) -> _E | None:
        if isinstance(value, kind):
            return value
        if type(value) is str:
            try:
                return kind(value)
            except ValueError:
                """Told below."""
        self.problem("bad_enum", field=field, found=_show(value), allowed=", ".join(repr(each.value) for each in kind))
        return None

    def _check_timeout(self, timeout_ms: object) -> None:
        ceiling = self._rules.settings.max_timeout_ms
        if type(timeout_ms) is not int or not 0 <= timeout_ms <= ceiling:
            self.problem("bad_timeout", found=_show(timeout_ms), ceiling=ceiling)

    def _hook(self, hook: object) -> tuple[HookSpec, Payload] | None:
        if not isinstance(hook, str) or not hook:
            self.problem("bad_hook_name", found=_show(hook))
            return None
        found = self._rules.find(hook)
        if found is None:
            self.problem("unknown_hook", hook=str(hook), **nearest(hook, self._rules.names()))
        return found

    def _check_mode(self, spec: HookSpec, mode: HookMode | None, policy: ErrorPolicy | None) -> None:
        hook = spec.name
        allowed = spec.allowed_modes()
        if mode is not None and mode not in allowed:
            self.problem(
                "mode_not_allowed", hook=hook, mode=mode.value, allowed=", ".join(repr(each.value) for each in allowed)
            )
        elif mode is HookMode.OBSERVE and spec.allow_kwargs_mutation and not spec.allow_abort:
            if self._rules.settings.strict_modes:
                self.problem("observer_on_change_only", hook=hook)
            else:
                self.warning("warn_observer_on_change_only", hook=hook)
        elif mode is HookMode.BLOCKING and not spec.allow_kwargs_mutation and not spec.allow_abort:
            self.warning("warn_blocking_without_effect", hook=hook)
        if policy is ErrorPolicy.ABORT and not spec.allow_abort:
            self.problem("abort_policy_not_allowed", hook=hook)
        elif policy is ErrorPolicy.ABORT and mode is HookMode.OBSERVE:
            self.warning("warn_abort_on_observer")

    def _check_function(self, declared: Declaration, anatomy: Anatomy, found: tuple[HookSpec, Payload] | None) -> None:
        function = declared.handler
        if function is None and declared.handler_name:
            self.problem("handler_missing", handler_name=declared.handler_name)
        elif not callable(function) and not isinstance(function, RemoteFunction):
            self.problem("not_callable", found=_show(function))
        elif anatomy.is_generator and (found is None or found[0].family.generators is Generators.REFUSED):
            self.problem("generator")
        elif found is not None:
            self._check_parameters(anatomy, *found)

    def _check_parameters(self, anatomy: Anatomy, spec: HookSpec, payload: Payload) -> None:
        passed = payload.passed
        missing = [*anatomy.positional_only, *(name for name in anatomy.required if name not in passed)]
        unknown = [name for name in anatomy.optional if name not in passed]
        for code, parameters in (("unfillable_parameters", missing), ("warn_unknown_parameter", unknown)):
            if parameters:
                tell = self.problem if code == "unfillable_parameters" else self.warning
                tell(code, hook=spec.name, parameters=", ".join(parameters), allowed=", ".join(passed))

    def _ready(
        self,
        declared: Declaration,
        anatomy: Anatomy,
        spec: HookSpec,
        payload: Payload,
        mode: HookMode,
        order: HookOrder,
        policy: ErrorPolicy,
    ) -> Handler:
        timeout_ms: Any = declared.timeout_ms or spec.default_timeout_ms or self._rules.settings.default_timeout_ms
        function: Any = declared.handler
        remote = isinstance(function, RemoteFunction)
        takes_all = anatomy.takes_rest and spec.family.fills_var_keyword
        names = anatomy.required
        chosen = "trace_id" in names or "trace_id" in anatomy.optional or any(map(payload.may_lack, names))
        breaker = Breaker(self._rules.settings.breaker, self._rules.clock)
        return Handler(
            hook=spec.name,
            plugin_id=self._plugin_id,
            name=self._handler,
            description=declared.description,
            mode=mode,
            order=order,
            source=self._source,
            policy=policy,
            timeout_ms=timeout_ms,
            observe_aborted=declared.metadata.get("observe_aborted", False),
            sequence=next(self._rules.numbers),
            file=anatomy.file,
            line=anatomy.line,
            metadata=declared.metadata,
            gate=Gate(self.lease, breaker, f"{self._plugin_id}/{self._handler} of {spec.name}"),
            spread=anatomy.is_async and takes_all and not chosen and not remote,
            call=function,
            start=function.start if remote else self._starter(function, anatomy, payload, takes_all),
            remote=remote,
            timeout=timeout_ms / 1000 if spec.family.deadlines else inf,
        )

    def _starter(self, function: Callable[..., Any], anatomy: Anatomy, payload: Payload, takes_all: bool) -> Start:
        workers = None if anatomy.is_async else self._workers
        return starter(function, anatomy, may_lack=payload.may_lack, takes_all=takes_all, workers=workers)


def _name_of(function: object) -> object:
    return function.name if isinstance(function, RemoteFunction) else getattr(function, "__name__", "")


def _show(value: object) -> str:
    """A value as a report shows it: its type, and as much of it as fits."""
    return str(Foreign.of(value))
