"""Sums of what models were used for."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from host.storage import Storage, UsageSum
from tests.storage.rows import usage

CHINA = timezone(timedelta(hours=8))
INDIA = timezone(timedelta(hours=5, minutes=30))


async def test_sums_are_told_apart_by_columns(storage: Storage) -> None:
    await storage.usage.add(usage())
    await storage.usage.add(usage(prompt_tokens=50, total_tokens=60))
    await storage.usage.add(usage(model_name="chat-large", task_name="replyer", plugin_id="tea.plugin", cost=1.0))
    await storage.usage.add(usage(timestamp=1790000010.0))
    since, until = 1790000000.0, 1790000010.0
    assert await storage.usage.sums(since, until, by=["task_name", "plugin_id", "model_name"]) == [
        UsageSum(since, ("planner", None, "chat-small"), 2, 150, 20, 170, 0.5, 1.0),
        UsageSum(since, ("replyer", "tea.plugin", "chat-large"), 1, 100, 10, 110, 1.0, 0.5),
    ]
    assert await storage.usage.sums(since, until) == [UsageSum(since, (), 3, 250, 30, 280, 1.5, 1.5)]
    assert await storage.usage.sums(0, 1) == []


async def test_days_are_those_of_the_zone(storage: Storage) -> None:
    for hour in (0, 7, 8, 31, 32):
        await storage.usage.add(usage(timestamp=datetime(2026, 9, 1, tzinfo=CHINA).timestamp() + hour * 3600))
    first = datetime(2026, 9, 1, tzinfo=CHINA).timestamp()
    sums = await storage.usage.sums(first, first + 40 * 3600, per="day", zone=CHINA)
    assert [(each.since, each.request_count) for each in sums] == [(first, 3), (first + 86_400, 2)]
    sums = await storage.usage.sums(first, first + 40 * 3600, per="day", zone=UTC)
    assert [each.request_count for each in sums] == [2, 2, 1]


async def test_hours_begin_where_the_zone_has_them(storage: Storage) -> None:
    start = datetime(2026, 9, 1, 12, tzinfo=INDIA).timestamp()
    for moment in (start, start + 3599.75, start + 3600):
        await storage.usage.add(usage(timestamp=moment))
    sums = await storage.usage.sums(start, start + 7200, per="hour", zone=INDIA)
    assert [(each.since, each.request_count) for each in sums] == [(start, 2), (start + 3600, 1)]


async def test_a_day_on_which_the_clock_is_changed_is_one_day(storage: Storage) -> None:
    berlin = ZoneInfo("Europe/Berlin")
    day, following = (datetime(2026, 10, each, tzinfo=berlin).timestamp() for each in (25, 26))
    assert following - day == 25 * 3600
    for moment in (day, following - 1, following):
        await storage.usage.add(usage(timestamp=moment))
    sums = await storage.usage.sums(day, following + 1, per="day", zone=berlin)
    assert [(each.since, each.request_count) for each in sums] == [(day, 2), (following, 1)]
