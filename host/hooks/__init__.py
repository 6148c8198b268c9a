"""The hook kernel. It knows no plugin files, no processes, no chat and no HTTP."""

from host.hooks.chain import Chain
from host.hooks.declaration import Declaration, declarations_of
from host.hooks.errors import (
    ChainDepthError,
    DuplicateHookError,
    ExtraHandlerError,
    HookError,
    InvalidSpecError,
    PayloadError,
    PayloadIssue,
    UnknownHookError,
)
from host.hooks.family import MAIBOT, Failures, Family, Generators, Source
from host.hooks.handler import Handler
from host.hooks.kernel import HookDescription, Hooks
from host.hooks.lease import Lease
from host.hooks.problems import Problem, RegistrationError
from host.hooks.registration import Registration, is_name
from host.hooks.registry import HookSpecRegistry
from host.hooks.result import CustomResult, HandlerError, HookResult, StoppedBy
from host.hooks.settings import HookOverride, HookSettings, Placement
from host.hooks.spec import HookSpec
from host.hooks.table import HandlerTable
from host.hooks.trace import DispatchTrace, Recorded, Step, TraceListener, TraceStore

__all__ = [
    "MAIBOT",
    "Chain",
    "ChainDepthError",
    "CustomResult",
    "Declaration",
    "DispatchTrace",
    "DuplicateHookError",
    "ExtraHandlerError",
    "Failures",
    "Family",
    "Generators",
    "Handler",
    "HandlerError",
    "HandlerTable",
    "HookDescription",
    "HookError",
    "HookOverride",
    "HookResult",
    "HookSettings",
    "HookSpec",
    "HookSpecRegistry",
    "Hooks",
    "InvalidSpecError",
    "Lease",
    "PayloadError",
    "PayloadIssue",
    "Placement",
    "Problem",
    "Recorded",
    "Registration",
    "RegistrationError",
    "Source",
    "Step",
    "StoppedBy",
    "TraceListener",
    "TraceStore",
    "UnknownHookError",
    "declarations_of",
    "is_name",
]
