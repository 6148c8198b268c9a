"""What can go wrong with the database."""

from host.storage.texts import STORAGE_TEXTS


class StorageError(Exception):
    """Something of the database cannot be used or done.

    Args:
        fields: what the text names.

    Attributes:
        code: names the sentence.
        fields: as given.
    """

    code = ""

    def __init__(self, **fields: object) -> None:
        self.fields = fields
        super().__init__(self.text())

    def text(self, locale: str = "en") -> str:
        """What was found and what to do, in English or Chinese (``"zh"``)."""
        english, chinese = STORAGE_TEXTS[self.code]
        return (chinese if locale.lower().startswith("zh") else english).format_map(self.fields)


class BadPlaceError(StorageError):
    """The URL names no database that can be used.

    Args:
        found: the URL, without its password.
    """

    code = "bad_place"

    def __init__(self, found: str) -> None:
        self.found = found
        super().__init__(found=found)


class DatabaseUnavailableError(StorageError):
    """The database cannot be opened.

    Args:
        place: the file, or the URL without its password.
        why: what the database says.
    """

    code = "unavailable"

    def __init__(self, place: str, why: str) -> None:
        self.place = place
        self.why = why
        super().__init__(place=place, why=why)


class NewerDatabaseError(StorageError):
    """The database was written by a later program.

    Args:
        place: the file, or the URL without its password.
        found: the version of its tables.
        known: the latest version that this program knows.
    """

    code = "newer"

    def __init__(self, place: str, found: int, known: int) -> None:
        self.place = place
        self.found = found
        self.known = known
        super().__init__(place=place, found=found, known=known)


class ForeignDatabaseError(StorageError):
    """The database has tables of these names that another program made.

    Args:
        place: the file, or the URL without its password.
        tables: their names.
    """

    code = "foreign"

    def __init__(self, place: str, tables: tuple[str, ...]) -> None:
        self.place = place
        self.tables = tables
        super().__init__(place=place, tables=", ".join(tables))


class DatabaseFailedError(StorageError):
    """The database refused to read or write; what one call was to write is written whole or not at all.

    Args:
        why: what the database says.
    """

    code = "failed"

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__(why=why)


class StorageClosedError(StorageError):
    """Something was to be written after the storage was closed."""

    code = "closed"
