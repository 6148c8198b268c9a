"""What the kernel raises. Each error carries its facts as fields; the sentence is made from them in either language."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from host.hooks.problems import nearest
from host.hooks.texts import KERNEL_TEXTS, Locale


class HookError(Exception):
    """Base of all errors that the kernel raises to whoever registers or fires a hook.

    Args:
        fields: the facts that the text names.
    """

    code: ClassVar[str]

    def __init__(self, **fields: object) -> None:
        self.fields = fields
        super().__init__(self.text())

    def text(self, locale: Locale = "en") -> str:
        """What happened and what to do, in the given language."""
        return KERNEL_TEXTS.render(self.code, self.fields, locale)


class UnknownHookError(HookError):
    """A name was fired or asked for that no HookSpec has."""

    code = "hook_unknown"

    def __init__(self, hook: str, known: Iterable[str]) -> None:
        self.hook = hook
        super().__init__(hook=hook, **nearest(hook, known))


class DuplicateHookError(HookError):
    """A HookSpec was registered under a name that is taken."""

    code = "hook_duplicate"

    def __init__(self, hook: str) -> None:
        self.hook = hook
        super().__init__(hook=hook)


class InvalidSpecError(HookError):
    """A HookSpec contradicts itself, or declares keys that no handler could be given."""

    code = "spec_invalid"

    def __init__(self, hook: str, why: str) -> None:
        self.hook = hook
        super().__init__(hook=hook, why=why)


@dataclass(frozen=True, slots=True)
class PayloadIssue:
    """One value that may not stand where it stands.

    Args:
        path: keys and positions from the payload down to the value, as ``message.raw_message[2].data``.
        found: what stands there.
        allowed: what may stand there.
    """

    path: str
    found: str
    allowed: str

    def __str__(self) -> str:
        return f"{self.path}: found {self.found}, allowed is {self.allowed}"


class PayloadError(HookError):
    """A hook was fired with a payload that its HookSpec does not accept. The caller's error; no handler ran."""

    code = "payload_invalid"

    def __init__(self, hook: str, issues: Iterable[PayloadIssue]) -> None:
        self.hook = hook
        self.issues = tuple(issues)
        super().__init__(hook=hook, issues="; ".join(map(str, self.issues)))


class PayloadTooLargeError(PayloadError):
    """A hook was fired with a payload that is too large for its handlers in other processes. No handler ran.

    Its one issue names the largest part.
    """

    code = "payload_too_large"


class UnknownHandlerError(HookError):
    """A handler was asked for that no active plugin has.

    Args:
        plugin_id: the plugin that was named.
        handler: the handler that was named.
        known: the handlers of that plugin; none if it is not active.
    """

    code = "handler_unknown"

    def __init__(self, plugin_id: str, handler: str, known: Iterable[str]) -> None:
        self.plugin_id = plugin_id
        self.handler = handler
        super().__init__(plugin_id=plugin_id, handler=handler, **nearest(handler, known))


class ExtraHandlerError(HookError):
    """A handler was given for one call of a hook that it was not checked for."""

    code = "extra_handler"

    def __init__(self, hook: str, plugin_id: str, handler: str, handler_hook: str) -> None:
        super().__init__(hook=hook, plugin_id=plugin_id, handler=handler, handler_hook=handler_hook)


class ChainDepthError(HookError):
    """A handler's call fired hooks that fired hooks, deeper than allowed: most likely an endless loop.

    Args:
        path: the hooks of the chain, the outermost first, the refused one last.
        limit: how many levels are allowed.
    """

    code = "chain_too_deep"

    def __init__(self, path: Sequence[str], limit: int) -> None:
        self.path = tuple(path)
        self.limit = limit
        super().__init__(depth=len(path), limit=limit, path=" -> ".join(path))
