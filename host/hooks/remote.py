"""A handler that lives in another process, as far as the kernel knows of it."""

from msgspec import Struct

from host.hooks.binding import Anatomy
from host.hooks.handler import Start


class RemoteFunction(Struct, frozen=True, eq=False):
    """Stands in a `Declaration` where a handler at hand has its function. Registration checks it by its anatomy.

    Args:
        anatomy: what the function there is, and what it asks for.
        start: how it is called. It gets the whole payload, and the arguments are chosen where the function is.
        name: the function's own, for a declaration that gives none.
    """

    anatomy: Anatomy
    start: Start
    name: str = ""
