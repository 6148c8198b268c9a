"""Expressions: learned once, counted since."""

from host.storage import Storage


async def test_an_expression_that_is_met_again_counts(storage: Storage) -> None:
    first = await storage.expressions.learn("tea", "greeting", "oi", content="oi Lin", now=1.0)
    again = await storage.expressions.learn("tea", "greeting", "oi", content="oi Mai", now=2.0)
    assert (again.id, again.count, again.content_list) == (first.id, 2, ["oi Lin", "oi Mai"])
    assert (again.create_time, again.last_active_time) == (1.0, 2.0)
    assert again.id != (await storage.expressions.learn("garden", "greeting", "oi", now=3.0)).id
    shared = [await storage.expressions.learn(None, "greeting", "oi", now=3.0) for _ in range(2)]
    assert shared[0].id == shared[1].id != first.id


async def test_the_most_frequent_of_a_chat_come_first(storage: Storage) -> None:
    rare = await storage.expressions.learn("tea", "leaving", "bb", now=1.0)
    often = await storage.expressions.learn("tea", "greeting", "oi", now=1.0)
    shared = await storage.expressions.learn(None, "thanks", "ta", now=2.0)
    await storage.expressions.learn("garden", "thanks", "cheers", now=1.0)
    await storage.expressions.use([often.id], now=3.0)
    found = await storage.expressions.of(["tea"], limit=9)
    assert [(each.id, each.count) for each in found] == [(often.id, 2), (shared.id, 1), (rare.id, 1)]
    assert [each.id for each in await storage.expressions.of(["tea"], limit=9, shared=False)] == [often.id, rare.id]
    assert [each.id for each in await storage.expressions.of(["tea"], limit=1)] == [often.id]


async def test_only_checked_ones_can_be_asked_for(storage: Storage) -> None:
    good = await storage.expressions.learn("tea", "greeting", "oi", now=1.0)
    await storage.expressions.learn("tea", "leaving", "bb", now=1.0)
    await storage.expressions.review(good.id, "USER")
    [found] = await storage.expressions.of(["tea"], limit=9, checked_only=True)
    assert (found.id, found.modified_by) == (good.id, "USER")


async def test_forgotten_ones_are_gone(storage: Storage) -> None:
    one = await storage.expressions.learn("tea", "greeting", "oi", now=1.0)
    other = await storage.expressions.learn("tea", "leaving", "bb", now=1.0)
    await storage.expressions.forget([one.id])
    assert [each.id for each in await storage.expressions.get([one.id, other.id])] == [other.id]
