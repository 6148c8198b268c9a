"""What handlers return."""

from collections.abc import Mapping
from typing import Literal

from typing_extensions import TypedDict


class HookReturn(TypedDict, total=False):
    """What a blocking handler may return: a plain dict, with a type for those who want misspelt keys found.

    Every key may be left out, and so may the whole dict: None goes on without a change.

    action: `continue` (also when left out), or `abort` to end the chain, where the hook allows it.
    modified_kwargs: merged over the payload, key by key: all of it, or only what is to be different.
    custom_result: a value for whoever fired the hook.
    success: False reports a failure of the handler.
    error_message: what failed.
    """

    action: Literal["continue", "abort"]
    modified_kwargs: Mapping[str, object]
    custom_result: object
    success: bool
    error_message: str
