"""What plugins call on the host: each in its own name, the allowed methods only, with values that may travel."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from host.hooks.failure import failure_of
from host.hooks.portable import InvalidValueError, portable
from host.runtime.texts import RUNTIME_TEXTS

HostCall = Callable[[str, str, Mapping[str, Any]], Awaitable[Any]]
"""``(plugin id, method, payload) -> the answer``. The id is the host's word for who calls, never the plugin's."""

ALLOWED_METHODS = frozenset({"cap.call", "host.route_message", "host.update_message_gateway_state"})
DEFAULT_SECONDS = 30.0
"""What a call may take where the plugin says nothing; 30 s is what authors know from MaiBot."""


class HostMethodError(RuntimeError):
    """A call to the host failed. Plugins know such failures as RuntimeError.

    Args:
        code: why; a key of the runtime's text table.
        fields: the facts that its text names.
    """

    def __init__(self, code: str, **fields: object) -> None:
        self.code = code
        self.fields = fields
        texts = [RUNTIME_TEXTS.render(code, fields, "en"), RUNTIME_TEXTS.render(code, fields, "zh")]
        super().__init__(" / ".join(texts))


class HostMethods:
    """The host's methods for one plugin; what its context carries calls with.

    Args:
        plugin_id: the plugin that calls. Whatever it says itself about who it is counts for nothing.
        answer: carries a call out.
    """

    def __init__(self, plugin_id: str, answer: HostCall) -> None:
        self._plugin_id = plugin_id
        self._answer = answer

    async def __call__(
        self, method: str, plugin_id: str, payload: Mapping[str, Any] | None = None, *, timeout_ms: int | None = None
    ) -> Any:
        """Call `method` and return its answer, made of the types that may be in a payload.

        Args:
            method: one of `ALLOWED_METHODS`.
            plugin_id: who the plugin says it is; not looked at.
            payload: what the method takes.
            timeout_ms: deadline in milliseconds; `DEFAULT_SECONDS` when not given.

        Raises:
            HostMethodError: the method is not allowed, a value cannot travel, the deadline passed, or carrying the call
                out raised something; all that is left of that is its text.
        """
        if method not in ALLOWED_METHODS:
            raise HostMethodError("host_method_refused", method=method, allowed=", ".join(sorted(ALLOWED_METHODS)))
        seconds = DEFAULT_SECONDS if timeout_ms is None else timeout_ms / 1000
        deadline = asyncio.timeout(seconds)
        try:
            given = portable(payload or {}, "payload")
            async with deadline:
                return portable(await self._answer(self._plugin_id, method, given), "answer")
        except InvalidValueError as error:
            raise HostMethodError("host_method_value", method=method, issue=error.issue) from None
        except Exception as error:  # a border: no object of the host's gets to the plugin
            if deadline.expired():
                raise HostMethodError("host_method_timeout", method=method, seconds=seconds) from None
            raise HostMethodError("host_method_raised", method=method, error=failure_of(error).text) from None
