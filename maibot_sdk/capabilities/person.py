"""`ctx.person`: the people that the bot knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from maibot_sdk.context import PluginContext


class PersonCapability:
    """Looks people up. A person has one id, whatever name they go by."""

    def __init__(self, ctx: PluginContext) -> None:
        self._ctx = ctx

    async def get_id(self, platform: str, user_id: str) -> Any:
        """The id of the person behind an account, known or not."""
        return await self._ctx.call_capability("person.get_id", platform=platform, user_id=user_id)

    async def get_value(self, person_id: str, field_name: str) -> Any:
        """What the bot remembers of a person under a field, or None."""
        return await self._ctx.call_capability("person.get_value", person_id=person_id, field_name=field_name)

    async def get_id_by_name(self, person_name: str) -> Any:
        """The id of the person the bot calls by a name, or an empty text."""
        return await self._ctx.call_capability("person.get_id_by_name", person_name=person_name)
