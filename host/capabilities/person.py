"""``person.*``: the people whom the bot met."""

from collections.abc import Iterable, Mapping
from typing import Any

from typing_extensions import TypedDict

from host.capabilities.arguments import Arguments, Id
from host.capabilities.capability import Capability, CapabilitySpec
from host.capabilities.errors import RefusalError
from host.capabilities.texts import CAPABILITY_TEXTS
from host.hooks.texts import Locale
from host.runtime import Plugin
from host.storage import Message, Messages, Person, Persons, person_id
from maibot_sdk.hooks import Text

LOOKED_BACK = 200
"""In how many of somebody's latest messages their names in groups are looked for."""


class PersonId(TypedDict):
    """The id of a person, or ""."""

    success: bool
    person_id: str


class PersonValue(TypedDict):
    """What is known of a person under one name."""

    success: bool
    value: Any


class _GetId(Arguments):
    platform: Id
    user_id: Id


class _GetValue(Arguments):
    person_id: Id
    field_name: Id
    default: Any = None


class _GetIdByName(Arguments):
    person_name: Id


GET_ID = CapabilitySpec(
    "person.get_id",
    _GetId,
    PersonId,
    Text("The id of whoever is behind a user of a platform, met or not.", "某平台用户对应的人物 ID，未见过的也有。"),
)
GET_VALUE = CapabilitySpec(
    "person.get_value",
    _GetValue,
    PersonValue,
    Text(
        "What is known of somebody, such as nickname or memory_points.", "已知的人物信息，如 nickname、memory_points。"
    ),
)
GET_ID_BY_NAME = CapabilitySpec(
    "person.get_id_by_name",
    _GetIdByName,
    PersonId,
    Text('The first whom the bot calls so; "" for nobody.', '第一个被机器人这样称呼的人；没有则为 ""。'),
)
PERSON = (GET_ID, GET_VALUE, GET_ID_BY_NAME)


class PersonFamily:
    """The people whom the bot met.

    Args:
        persons: those people.
        messages: what they said, which tells their names in groups.
        locale: of the name that strangers get.
    """

    def __init__(self, persons: Persons, messages: Messages, locale: Locale = "en") -> None:
        self._persons = persons
        self._messages = messages
        self._locale = locale

    def offers(self) -> Iterable[Capability]:
        """``person.*``."""
        return GET_ID.by(self._get_id), GET_VALUE.by(self._get_value), GET_ID_BY_NAME.by(self._get_id_by_name)

    async def _get_id(self, plugin: Plugin, asked: _GetId) -> PersonId:
        return {"success": True, "person_id": person_id(asked.platform, asked.user_id)}

    async def _get_id_by_name(self, plugin: Plugin, asked: _GetIdByName) -> PersonId:
        found = await self._persons.by_name(asked.person_name)
        return {"success": True, "person_id": found.person_id if found else ""}

    async def _get_value(self, plugin: Plugin, asked: _GetValue) -> PersonValue:
        found = await self._persons.get(asked.person_id)
        values: Mapping[str, Any] = self._stranger(asked.person_id) if found is None else _known(found)
        name = asked.field_name
        if found is not None and name == "group_cardname_list":
            value: Any = await self._names_in_groups(found)
        elif name in values:
            value = values[name]
        else:
            known = sorted({*values, "group_cardname_list"} if found else values)
            raise RefusalError("no_such_field", name=name, person_id=asked.person_id, known=", ".join(known))
        return {"success": True, "value": asked.default if value is None else value}

    async def _names_in_groups(self, person: Person) -> list[dict[str, str]]:
        """Their latest name in each group that they lately spoke in, over what was written down of older ones."""
        named = {str(each.get("group_id")): str(each.get("group_cardname")) for each in person.group_cardname}
        said = await self._messages.by_user(person.user_id, LOOKED_BACK, platform=person.platform)
        named.update(each for message in said for each in _named(message))
        return [{"group_id": group, "group_cardname": name} for group, name in named.items()]

    def _stranger(self, person_id: str) -> dict[str, Any]:
        name = CAPABILITY_TEXTS.render("stranger", {"digits": person_id[:4]}, self._locale)
        return {"person_id": person_id, "is_known": False, "person_name": name, "platform": "", "user_id": ""}


def _known(person: Person) -> dict[str, Any]:
    return {
        "person_id": person.person_id,
        "is_known": person.is_known,
        "platform": person.platform,
        "user_id": person.user_id,
        "nickname": person.user_nickname,
        "person_name": person.person_name,
        "name_reason": person.name_reason,
        "know_times": person.know_counts,
        "know_since": person.first_known_time,
        "last_know": person.last_known_time,
        "memory_points": person.memory_points,
    }


def _named(message: Message) -> list[tuple[str, str]]:
    return [(message.group_id, message.user_cardname)] if message.group_id and message.user_cardname else []
