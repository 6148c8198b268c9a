"""`ctx.db`: the database of the host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from maibot_sdk.context import PluginContext


class DatabaseCapability:
    """Reads and writes rows. `model_name` is a table, `filters` a dict of column to value, all of which must match."""

    def __init__(self, ctx: PluginContext) -> None:
        self._ctx = ctx

    async def query(
        self,
        model_name: str,
        query_type: str = "get",
        data: dict[str, Any] | None = None,
        filters: dict[str, Any] | None = None,
        order_by: list[str] | None = None,
        limit: int | None = None,
        single_result: bool = False,
    ) -> Any:
        """Any kind of query.

        Args:
            model_name: the table.
            query_type: `get`, `create`, `update`, `delete` or `count`.
            data: the values to write, for `create` and `update`.
            filters: which rows; without any, `update` and `delete` touch them all.
            order_by: columns to sort by, each with a `-` before it for descending.
            limit: how many rows at most.
            single_result: the first row instead of a list.

        Returns:
            Rows as dicts for `get`, the new row for `create`, how many rows for the others.
        """
        return await self._ctx.call_capability(
            "database.query",
            model_name=model_name,
            query_type=query_type,
            data=data,
            filters=filters or {},
            order_by=order_by or [],
            limit=limit,
            single_result=single_result,
        )

    async def save(self, model_name: str, data: dict[str, Any], key_field: str = "id", key_value: Any = None) -> Any:
        """Update the row whose `key_field` is `key_value`, or add one where there is none or no value is given.

        Returns:
            The row as it is stored, or None.
        """
        return await self._ctx.call_capability(
            "database.save", model_name=model_name, data=data, key_field=key_field, key_value=key_value
        )

    async def get(
        self,
        model_name: str,
        filters: dict[str, Any] | None = None,
        limit: int | None = None,
        order_by: str | list[str] | None = None,
        single_result: bool = False,
    ) -> Any:
        """Rows as dicts, or with `single_result` the first one or None; arguments as in `query`."""
        return await self._ctx.call_capability(
            "database.get",
            model_name=model_name,
            filters=filters or {},
            limit=limit,
            order_by=order_by,
            single_result=single_result,
        )

    async def delete(self, model_name: str, filters: dict[str, Any]) -> Any:
        """Delete the rows that match, and return how many; the host refuses empty filters."""
        return await self._ctx.call_capability("database.delete", model_name=model_name, filters=filters)

    async def count(self, model_name: str, filters: dict[str, Any] | None = None) -> int:
        """How many rows match; 0 also when the host refuses.

        Raises:
            ValueError: the host answers with text that is no number.
            TypeError: the host answers with a list, or with a dict where the number should be.
        """
        answer = await self._ctx.call_capability("database.count", model_name=model_name, filters=filters or {})
        found = answer.get("count") if isinstance(answer, dict) else answer
        return 0 if found is None else int(found)
