"""The rows of what is found by its words."""

from sqlalchemy import UniqueConstraint, event
from sqlalchemy.orm import Mapped, mapped_column

from host.storage.columns import Seconds
from host.storage.models import Row
from host.storage.versions.fourth import index_terms


class Known(Row, kw_only=True, eq=False):
    """A text that is found by its words, see `host.storage.knowledge`.

    Attributes:
        kind: of what it is: ``"message"`` or ``"person"``.
        source: which one of that kind.
        person_id: who said it, or whom it is about.
        speaker: the name of that person.
        terms: what it is found by, with spaces between.
    """

    __tablename__ = "knowledge"
    __table_args__ = (UniqueConstraint("kind", "source"),)

    id: Mapped[int] = mapped_column(primary_key=True, init=False)
    kind: Mapped[str]
    source: Mapped[str]
    session_id: Mapped[str | None] = mapped_column(default=None)
    group_id: Mapped[str | None] = mapped_column(default=None)
    user_id: Mapped[str | None] = mapped_column(default=None)
    person_id: Mapped[str | None] = mapped_column(default=None)
    timestamp: Mapped[Seconds]
    speaker: Mapped[str]
    text: Mapped[str]
    terms: Mapped[str]


event.listen(Known.__table__, "after_create", lambda table, connection, **_: index_terms(connection))
