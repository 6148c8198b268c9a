"""The hook kernel. It knows no plugin files, no processes, no chat and no HTTP."""

from host.hooks.binding import Anatomy, examine
from host.hooks.breaker import BreakerPosition, BreakerState
from host.hooks.chain import Chain, inside
from host.hooks.declaration import Declaration, declarations_of
from host.hooks.errors import (
    ChainDepthError,
    DuplicateHookError,
    ExtraHandlerError,
    HookError,
    InvalidSpecError,
    PayloadError,
    PayloadIssue,
    PayloadTooLargeError,
    UnknownHandlerError,
    UnknownHookError,
)
from host.hooks.failure import CannotRunError, Failure, HandlerFailedError, failure_of
from host.hooks.family import MAIBOT, Failures, Family, Generators, Source
from host.hooks.foreign import Foreign
from host.hooks.handler import Handler, Start
from host.hooks.kernel import HookDescription, Hooks
from host.hooks.lease import Lease
from host.hooks.lifespan import enter, is_lifespan
from host.hooks.live import Implementation, LiveTable, picker
from host.hooks.outcome import PortableReturn, portable_return
from host.hooks.problems import Problem, RegistrationError
from host.hooks.reducers import REDUCERS
from host.hooks.registration import Registration, is_name
from host.hooks.registry import HookSpecRegistry
from host.hooks.remote import RemoteFunction
from host.hooks.result import CustomResult, ErrorKind, HandlerError, HookResult, StoppedBy
from host.hooks.series import BAIL, COLLECT, NOTIFY, WATERFALL, Preset, series, series_at_once
from host.hooks.settings import BreakerSettings, HookOverride, HookSettings, Placement
from host.hooks.spec import HookSpec
from host.hooks.table import HandlerTable
from host.hooks.trace import DispatchTrace, Recorded, Step, TraceListener, TraceStore
from host.hooks.version import PayloadVersion

__all__ = [
    "BAIL",
    "COLLECT",
    "MAIBOT",
    "NOTIFY",
    "REDUCERS",
    "WATERFALL",
    "Anatomy",
    "BreakerPosition",
    "BreakerSettings",
    "BreakerState",
    "CannotRunError",
    "Chain",
    "ChainDepthError",
    "CustomResult",
    "Declaration",
    "DispatchTrace",
    "DuplicateHookError",
    "ErrorKind",
    "ExtraHandlerError",
    "Failure",
    "Failures",
    "Family",
    "Foreign",
    "Generators",
    "Handler",
    "HandlerError",
    "HandlerFailedError",
    "HandlerTable",
    "HookDescription",
    "HookError",
    "HookOverride",
    "HookResult",
    "HookSettings",
    "HookSpec",
    "HookSpecRegistry",
    "Hooks",
    "Implementation",
    "InvalidSpecError",
    "Lease",
    "LiveTable",
    "PayloadError",
    "PayloadIssue",
    "PayloadTooLargeError",
    "PayloadVersion",
    "Placement",
    "PortableReturn",
    "Preset",
    "Problem",
    "Recorded",
    "Registration",
    "RegistrationError",
    "RemoteFunction",
    "Source",
    "Start",
    "Step",
    "StoppedBy",
    "TraceListener",
    "TraceStore",
    "UnknownHandlerError",
    "UnknownHookError",
    "declarations_of",
    "enter",
    "examine",
    "failure_of",
    "inside",
    "is_lifespan",
    "is_name",
    "picker",
    "portable_return",
    "series",
    "series_at_once",
]
