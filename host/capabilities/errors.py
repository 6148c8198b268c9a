"""Why a capability call fails: by raising in the plugin, or by an answer that says so."""

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol, runtime_checkable

from host.capabilities.texts import CAPABILITY_TEXTS
from host.hooks.texts import Locale, TextTable
from host.runtime.host_methods import HostMethodError


class CallRefusedError(HostMethodError):
    """A call was not carried out; it raises in the plugin, with this error's text in both languages."""

    table: ClassVar[TextTable] = CAPABILITY_TEXTS


class UnknownCapabilityError(CallRefusedError):
    """There is no capability of that name.

    Args:
        capability: as the plugin spelled it.
        nearest: the name that is most like it, or "".
    """

    def __init__(self, capability: str, nearest: str = "") -> None:
        self.capability = capability
        self.nearest = nearest
        code = "unknown_capability_nearest" if nearest else "unknown_capability"
        super().__init__(code, capability=capability, nearest=nearest)


class DeniedError(CallRefusedError):
    """The manifest of the plugin does not list the capability.

    Args:
        plugin_id: who called.
        capability: its right name.
    """

    def __init__(self, plugin_id: str, capability: str) -> None:
        self.plugin_id = plugin_id
        self.capability = capability
        super().__init__("denied", plugin_id=plugin_id, capability=capability)


class RevokedError(CallRefusedError):
    """The owner of the host took a capability away from a plugin whose manifest lists it.

    Args:
        plugin_id: who called.
        capability: its right name.
    """

    def __init__(self, plugin_id: str, capability: str) -> None:
        self.plugin_id = plugin_id
        self.capability = capability
        super().__init__("revoked", plugin_id=plugin_id, capability=capability)


class BadPayloadError(CallRefusedError):
    """What a host method was called with is not what it takes.

    Args:
        method: the host method.
        problems: everything that is wrong with it.
    """

    def __init__(self, method: str, problems: "tuple[ArgumentProblem, ...]") -> None:
        self.method = method
        self.problems = problems
        told = {locale: " ".join(each.text(locale) for each in problems) for locale in ("en", "zh")}
        super().__init__("bad_payload", method=method, problems_en=told["en"], problems_zh=told["zh"])


class NoGatewaysError(CallRefusedError):
    """Nobody takes what gateways of plugins tell.

    Args:
        method: the host method that was called.
    """

    def __init__(self, method: str) -> None:
        self.method = method
        super().__init__("no_gateways", method=method)


class RefusalError(Exception):
    """A capability cannot do what it was asked to do: the answer is a dict with ``success`` False and ``error``.

    Args:
        code: why; a key of the room's text table.
        answer: further keys of the answer.
        fields: the facts that its text names.
    """

    def __init__(self, code: str, /, answer: Mapping[str, Any] | None = None, **fields: object) -> None:
        self.code = code
        self.fields = fields
        self._answer = dict(answer or {})
        super().__init__(self.text())

    def text(self, locale: Locale = "en") -> str:
        """What was found, what is allowed and what to do, in the given language."""
        return CAPABILITY_TEXTS.render(self.code, self.fields, locale)

    def answer(self) -> dict[str, Any]:
        """What the plugin gets."""
        return {"success": False, **self._answer, "error": f"{self.text()} / {self.text('zh')}"}


class FailedError(CallRefusedError):
    """A capability failed whose failures raise in the plugin.

    Args:
        refusal: why.
    """

    def __init__(self, refusal: RefusalError) -> None:
        self.refusal = refusal
        super().__init__("raised", en=refusal.text(), zh=refusal.text("zh"))


@runtime_checkable
class Explained(Protocol):
    """Anything that can say itself in either language, such as the errors of the rooms below."""

    def text(self, locale: Locale = "en") -> str:
        """What was found, what is allowed, what to do."""


class SaidError(RefusalError):
    """A capability failed by an error of a room below, which says itself.

    Args:
        error: that one.
    """

    def __init__(self, error: Explained) -> None:
        self.error = error
        super().__init__("said")

    def text(self, locale: Locale = "en") -> str:
        """What the error says."""
        return self.error.text(locale)


class ArgumentProblem:
    """One argument that is missing or wrong.

    Args:
        name: of the argument; with a path into it where the fault lies deeper, as in ``segments[0]``.
        allowed: what may stand there, as Python spells types.
        found: what stands there, shortened; None where nothing does.
    """

    def __init__(self, name: str, allowed: str, found: str | None = None) -> None:
        self.name = name
        self.allowed = allowed
        self.found = found

    def text(self, locale: Locale = "en") -> str:
        """One sentence."""
        code = "argument_missing" if self.found is None else "argument_wrong"
        return CAPABILITY_TEXTS.render(
            code, {"name": self.name, "allowed": self.allowed, "found": self.found or ""}, locale
        )


class WrongArgumentsError(RefusalError):
    """The arguments of a call are not what the capability takes.

    Args:
        capability: its name.
        problems: everything that is wrong with them.
        answer: further keys of the answer.
    """

    def __init__(
        self, capability: str, problems: tuple[ArgumentProblem, ...], answer: Mapping[str, Any] | None = None
    ) -> None:
        self.capability = capability
        self.problems = problems
        super().__init__("bad_arguments", answer, capability=capability)

    def text(self, locale: Locale = "en") -> str:
        """All problems in one line."""
        told = " ".join(each.text(locale) for each in self.problems)
        return CAPABILITY_TEXTS.render(self.code, {**self.fields, "problems": told}, locale)
