"""What a plugin may ask of the host, a module for each family; a context holds one object of each class.

Every method is a call to the host. What the host answers is unwrapped: the value that was asked for comes back, or
whether it worked. A refusal does not raise: where nothing else is said, it comes back as the host gave it,
`{"success": False, "error": "..."}`. What the connection raises does reach the caller.

A method with free keywords sends them along under their own names, for arguments that newer hosts know. `timeout_ms`
among them is not sent: it is the deadline of this one call, in milliseconds.
"""

from typing import TYPE_CHECKING

from maibot_sdk._late import late

_FAMILIES = (
    "api",
    "chat",
    "component",
    "config",
    "database",
    "emoji",
    "frequency",
    "gateway",
    "knowledge",
    "llm",
    "maisaka",
    "market",
    "message",
    "person",
    "render",
    "send",
    "statistics",
    "tool",
    "webui",
)

if not TYPE_CHECKING:  # type checkers find the modules of a package by themselves
    __getattr__, __dir__ = late(__name__, {f"{__name__}.{family}": (family,) for family in _FAMILIES})
