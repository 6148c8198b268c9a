"""The version of the item form that came back from a handler."""

from collections.abc import Mapping
from typing import Any

from host.catalogue.context_items import ITEM_SCHEMA_VERSION, SchemaVersionError


def check_version(before: Mapping[str, Any], after: Mapping[str, Any], items_key: str) -> None:
    """See that a handler which changed the items, or the version, left the version that the host has.

    Raises:
        SchemaVersionError: it did not.
    """
    version = after["item_schema_version"]
    touched = version != before["item_schema_version"] or after[items_key] != before[items_key]
    if touched and version != ITEM_SCHEMA_VERSION:
        raise SchemaVersionError(version, ITEM_SCHEMA_VERSION)
