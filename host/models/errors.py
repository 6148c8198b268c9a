"""What goes wrong with models: what a caller got wrong, how a provider failed, and that none of a pool answered."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from host.hooks.texts import Locale
from host.models.texts import MODEL_TEXTS

FailureKind = Literal[
    "timeout", "connection", "busy", "server", "refused", "no_key", "no_kind", "unsuitable",
    "unreadable", "empty", "filtered", "plugin",
]  # fmt: skip
"""Why an attempt failed.

Too slow; no connection, or lost; 429; 5xx and the like; another 4xx; the key's variable is not set; nobody provides
that kind; the model cannot do what is asked; the answer is not what the interface says; it is empty; a filter kept it
back; a plugin raised.
"""

PASSING: frozenset[FailureKind] = frozenset(
    {"timeout", "connection", "busy", "server", "unreadable", "empty", "plugin"}
)
"""What may go well at the next attempt with the same model."""


class ModelError(Exception):
    """Base of all errors that a call of a model raises.

    Args:
        fields: the facts that the text names.
    """

    code: ClassVar[str]

    def __init__(self, **fields: object) -> None:
        self.fields = fields
        super().__init__(self.text())

    def text(self, locale: Locale = "en") -> str:
        """What was found, what is allowed and what to do, in the given language."""
        return MODEL_TEXTS.render(self.code, self.fields, locale)


class UnknownTaskError(ModelError):
    """A call names a task that there is not."""

    code = "unknown_task"

    def __init__(self, task: str, known: Iterable[str]) -> None:
        self.task = task
        self.known = tuple(known)
        super().__init__(task=task, known=", ".join(self.known))


class UnknownModelError(ModelError):
    """A call names a model that the settings do not have."""

    code = "unknown_model"

    def __init__(self, model: str, known: Iterable[str]) -> None:
        self.model = model
        self.known = tuple(known)
        super().__init__(model=model, known=", ".join(self.known) or "-")


class NoModelError(ModelError):
    """No model of the settings can do a task."""

    code = "no_model"

    def __init__(self, task: str, needs: str) -> None:
        self.task = task
        self.needs = needs
        super().__init__(task=task, needs=needs)


class KindTakenError(ModelError):
    """A kind of provider is offered that somebody offers already."""

    code = "kind_taken"

    def __init__(self, kind: str) -> None:
        self.kind = kind
        super().__init__(kind=kind)


class PromptError(ModelError):
    """Role messages that a plugin or a handler gave are not what role messages are.

    Args:
        path: where, as in `prompt[2].content[0]`.
        found: what stands there.
        allowed: what may stand there, as a key of the text table.
    """

    code = "bad_prompt"

    def __init__(self, path: str, found: object, allowed: str) -> None:
        self.path = path
        self.found = f"{found!r:.60}"
        self.allowed = allowed
        super().__init__()

    def text(self, locale: Locale = "en") -> str:
        """Where, what was found and what is allowed."""
        allowed = MODEL_TEXTS.render(self.allowed, {}, locale)
        return MODEL_TEXTS.render(self.code, {"path": self.path, "found": self.found, "allowed": allowed}, locale)


class ProviderError(Exception):
    """One attempt with one model failed. Providers raise it; callers see it as an `Attempt`.

    Args:
        kind: why.
        detail: what the provider or the library said, without any secret.
        status: of the HTTP answer, where there was one.
        retry_after_seconds: how long the provider asks to wait, where it does.
    """

    def __init__(
        self,
        kind: FailureKind,
        detail: str = "",
        *,
        status: int | None = None,
        retry_after_seconds: float | None = None,
    ) -> None:
        self.kind: FailureKind = kind
        self.detail = detail
        self.status = status
        self.retry_after_seconds = retry_after_seconds
        super().__init__(kind, detail, status)

    @property
    def passes(self) -> bool:
        """Whether another attempt with the same model may go well."""
        return self.kind in PASSING


@dataclass(frozen=True, slots=True)
class Attempt:
    """What became of one attempt.

    Args:
        model: its name in the settings.
        provider: its provider's name in the settings.
        kind: why it failed.
        detail: what the provider said, without any secret.
        status: of the HTTP answer, where there was one.
        seconds: how long it took.
    """

    model: str
    provider: str
    kind: FailureKind
    detail: str
    status: int | None
    seconds: float

    def text(self, locale: Locale = "en") -> str:
        """Which model failed, and why."""
        why = MODEL_TEXTS.render(f"failure_{self.kind}", {}, locale)
        status = "" if self.status is None else f" {self.status}"
        detail = f" ({self.detail})" if self.detail else ""
        return f"{self.model}: {why}{status}{detail}"


class NoAnswerError(ModelError):
    """No model that a task may use gave an answer.

    Args:
        task: the task.
        attempts: all attempts in their order; none where the deadline had passed before the first.
        out_of_time: whether the deadline of the call ended it.
    """

    code = "no_answer"

    def __init__(self, task: str, attempts: Sequence[Attempt], *, out_of_time: bool = False) -> None:
        self.task = task
        self.attempts = tuple(attempts)
        self.out_of_time = out_of_time
        super().__init__()

    def text(self, locale: Locale = "en") -> str:
        """Every attempt, and why it failed."""
        told = "; ".join(attempt.text(locale) for attempt in self.attempts) or "-"
        code = "no_answer_in_time" if self.out_of_time else self.code
        return MODEL_TEXTS.render(code, {"task": self.task, "attempts": told, "count": len(self.attempts)}, locale)


class BrokenStreamError(NoAnswerError):
    """An answer broke off when pieces of it had been handed out, so no other model may begin anew."""

    code = "broken_stream"

    def text(self, locale: Locale = "en") -> str:
        """Which model broke off, and why."""
        return MODEL_TEXTS.render(self.code, {"task": self.task, "attempt": self.attempts[-1].text(locale)}, locale)
