"""One capability: what it is called and takes, and who carries it out."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from host.capabilities.arguments import Arguments, ArgumentsError, read
from host.capabilities.errors import FailedError, RefusalError, SaidError, WrongArgumentsError
from host.runtime import Plugin
from host.storage import StorageError
from maibot_sdk.hooks import Text

A = TypeVar("A", bound=Arguments)
Answer = Mapping[str, Any]
"""What a plugin gets, with the key ``success``. The SDK takes out what is of use."""


class NoArguments(Arguments):
    """Nothing is asked for."""


@dataclass(frozen=True, slots=True)
class CapabilitySpec(Generic[A]):
    """What is fixed about a capability.

    Args:
        name: ``family.name``, as manifests list it.
        arguments: what it takes.
        answer: the ``TypedDict`` of a successful answer.
        about: what it does.
        failing: what a failed answer holds beside ``success`` and ``error``, for those who read no further.
        raises: a call that fails raises in the plugin, as authors know it of this one.
    """

    name: str
    arguments: type[A]
    answer: type[Any]
    about: Text
    failing: Mapping[str, Any] = field(default_factory=dict)
    raises: bool = False

    def by(self, carry_out: Callable[[Plugin, A], Awaitable[Answer]]) -> "Capability":
        """The capability, carried out by a function of the plugin that asks and the arguments as read."""

        async def call(plugin: Plugin, given: Mapping[str, Any]) -> Answer:
            try:
                return await carry_out(plugin, read(self.arguments, given))
            except ArgumentsError as error:
                refusal: RefusalError = WrongArgumentsError(self.name, error.problems)
            except RefusalError as error:
                refusal = error
            except StorageError as error:
                refusal = SaidError(error)
            if self.raises:
                raise FailedError(refusal)
            return {**self.failing, **refusal.answer()}

        return Capability(self.name, call)


@dataclass(frozen=True, slots=True)
class Capability:
    """A capability that can be called.

    Args:
        name: its name.
        call: ``(who asks, arguments as they came) -> the answer``. Whatever goes wrong as a matter of course is in the
            answer.
        available: whether this host can do it.
    """

    name: str
    call: Callable[[Plugin, Mapping[str, Any]], Awaitable[Answer]]
    available: bool = True


class Family(Protocol):
    """Some capabilities that belong together."""

    def offers(self) -> Iterable[Capability]:
        """All of them, ready to be called."""
