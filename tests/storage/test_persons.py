"""Whom the bot met."""

import pytest

from host.storage import DatabaseFailedError, Person, Storage


async def met(storage: Storage) -> Person:
    person = await storage.persons.get("ab")
    assert person is not None
    return person


async def test_meeting_again_counts_and_takes_the_new_nickname(storage: Storage) -> None:
    await storage.persons.meet("ab", "qq", "555", "Lin", now=5.0)
    await storage.persons.meet("ab", "qq", "555", "林", now=6.0)
    person = await met(storage)
    assert (person.user_nickname, person.know_counts, person.is_known) == ("林", 2, True)
    assert (person.first_known_time, person.last_known_time) == (5.0, 6.0)


async def test_what_is_learned_of_somebody_outlives_meeting_again(storage: Storage) -> None:
    await storage.persons.meet("ab", "qq", "555", "Lin", now=5.0)
    points = ["likes tea", {"weight": 0.5}]
    assert await storage.persons.change("ab", {"person_name": "Tea Lin", "memory_points": points})
    await storage.persons.meet("ab", "qq", "555", "Lin", now=6.0)
    person = await met(storage)
    assert (person.person_name, person.memory_points) == ("Tea Lin", points)
    assert not await storage.persons.change("cd", {"person_name": "nobody"})


async def test_persons_are_found_by_user_and_by_name(storage: Storage) -> None:
    await storage.persons.meet("ab", "qq", "555", "Lin", now=5.0)
    await storage.persons.change("ab", {"person_name": "Tea Lin"})
    for found in (await storage.persons.of_user("qq", "555"), await storage.persons.by_name("Tea Lin")):
        assert found is not None
        assert found.person_id == "ab"
    assert await storage.persons.of_user("console", "555") is None
    assert await storage.persons.by_name("Lin") is None


async def test_a_change_that_the_database_refuses_is_told(storage: Storage) -> None:
    await storage.persons.meet("ab", "qq", "555", "Lin", now=5.0)
    with pytest.raises(DatabaseFailedError):
        await storage.persons.change("ab", {"user_nickname": None})
