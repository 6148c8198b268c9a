"""What plugins call on the host: each in its own name, the allowed methods only, with values that may travel."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, ClassVar

from host.hooks.failure import failure_of
from host.hooks.portable import InvalidValueError, portable
from host.hooks.texts import TextTable
from host.runtime.state import Plugin
from host.runtime.texts import RUNTIME_TEXTS

HostCall = Callable[[Plugin, str, Mapping[str, Any]], Awaitable[Any]]
"""``(who calls, method, payload) -> the answer``. The record is the host's word for who calls, not the plugin's; while
a plugin is reloaded there are two of them, and each calls in the name of its own manifest."""

ALLOWED_METHODS = frozenset({"cap.call", "host.route_message", "host.update_message_gateway_state"})
DEFAULT_SECONDS = 30.0
"""What a call may take where the plugin says nothing; 30 s is what authors know from MaiBot."""
_DEADLINES = ("rpc_timeout_ms", "_timeout_ms", "timeout_ms")
_HAS_ITS_OWN = frozenset({"render.html2png"})
"""Capabilities whose argument ``timeout_ms`` is none of a call's."""


class HostMethodError(RuntimeError):
    """A call to the host failed. Plugins know such failures as RuntimeError.

    Args:
        code: why; a key of the text table.
        fields: the facts that its text names.
    """

    table: ClassVar[TextTable] = RUNTIME_TEXTS
    """Where its texts stand; a room above has errors of its own kind."""

    def __init__(self, code: str, **fields: object) -> None:
        self.code = code
        self.fields = fields
        super().__init__(self.table.both(code, fields))


class HostMethods:
    """The host's methods for one plugin; what its context carries calls with.

    Args:
        plugin: the plugin that calls. Whatever it says itself about who it is counts for nothing.
        answer: carries a call out.
    """

    def __init__(self, plugin: Plugin, answer: HostCall) -> None:
        self._plugin = plugin
        self._answer = answer

    async def __call__(
        self, method: str, plugin_id: str, payload: Mapping[str, Any] | None = None, *, timeout_ms: int | None = None
    ) -> Any:
        """Call `method` and return its answer, made of the types that may be in a payload.

        Args:
            method: one of `ALLOWED_METHODS`.
            plugin_id: who the plugin says it is; not looked at.
            payload: what the method takes.
            timeout_ms: deadline in milliseconds. One that the arguments of a capability name counts too, the shorter
                of the two; `DEFAULT_SECONDS` when neither is given.

        Raises:
            HostMethodError: the method is not allowed, a value cannot travel, the deadline passed, or carrying the call
                out raised something; all that is left of that is its text.
        """
        if method not in ALLOWED_METHODS:
            raise HostMethodError("host_method_refused", method=method, allowed=", ".join(sorted(ALLOWED_METHODS)))
        asked = [each for each in (timeout_ms, asked_timeout_ms(payload or {})) if each is not None]
        seconds = min(asked) / 1000 if asked else DEFAULT_SECONDS
        deadline = asyncio.timeout(seconds)
        try:
            given = portable(payload or {}, "payload")
            async with deadline:
                return portable(await self._answer(self._plugin, method, given), "answer")
        except HostMethodError:
            raise
        except InvalidValueError as error:
            raise HostMethodError("host_method_value", method=method, issue=error.issue) from None
        except Exception as error:  # a border: no object of the host's gets to the plugin
            if deadline.expired():
                raise HostMethodError("host_method_timeout", method=method, seconds=seconds) from None
            raise HostMethodError("host_method_raised", method=method, error=failure_of(error).text) from None


def asked_timeout_ms(payload: Mapping[str, Any]) -> int | None:
    """The deadline, in milliseconds, that the arguments of a capability name: the first of ``rpc_timeout_ms``,
    ``_timeout_ms`` and ``timeout_ms`` that is there, where it is a positive integer. So older plugins say it."""
    arguments = payload.get("args")
    if not isinstance(arguments, Mapping):
        return None
    keys = _DEADLINES[:2] if payload.get("capability") in _HAS_ITS_OWN else _DEADLINES
    asked = next((arguments[key] for key in keys if key in arguments), None)
    return asked if type(asked) is int and asked > 0 else None
