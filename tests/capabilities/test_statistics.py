"""``ctx.statistics.local``: what the bot did, from the counts of a real storage."""

from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from host.capabilities import StatisticsFamily
from host.capabilities.statistics import STATISTICS
from host.storage import Direction, Handling, Message, ModelUsage, Storage, ToolRecord
from tests.bot.talk import calls
from tests.capabilities.home import home
from tests.capabilities.house import all_of
from tests.models.asking import provider, settings
from tests.models.endpoint import endpoint

ALL = all_of(STATISTICS)
LOCAL = "ctx.statistics.local"
NOON = datetime(2026, 9, 21, 12).timestamp()
"""What time it is."""
DAY, HOUR = 86_400.0, 3600.0


def used(hours_ago: float, **changes: Any) -> ModelUsage:
    values: dict[str, Any] = {
        "timestamp": NOON - hours_ago * HOUR,
        "model_name": "chat-small",
        "model_api_provider_name": "provider",
        "task_name": "planner",
        "request_type": "planner",
        "time_cost": 2.0,
        "prompt_tokens": 90,
        "completion_tokens": 10,
        "total_tokens": 100,
        "cost": 0.25,
    }
    return ModelUsage(**{**values, **changes})


def said(hours_ago: float, chat: str, name: str | None) -> Message:
    return Message(
        message_id="1",
        timestamp=NOON - hours_ago * HOUR,
        platform="qq",
        session_id=chat,
        user_id="555",
        user_nickname="Lin",
        group_id=chat,
        group_name=name,
        direction=Direction.IN,
        handling=Handling.KEPT,
        raw_message=[],
    )


@pytest.fixture
async def answers(tmp_path: Path) -> AsyncIterator[dict[str, Any]]:
    """The capabilities by name, over a storage in which things happened."""
    async with Storage.open(tmp_path / "maibot.db") as storage:
        for hours_ago in (1.0, 2.0, 25.0):
            await storage.usage.add(used(hours_ago))
        await storage.usage.add(used(1, model_name="chat.small", total_tokens=5, time_cost=4.0, task_name="replyer"))
        await storage.usage.add(used(24 * 30, model_name="old"))
        for hours_ago, chat, name in (
            (1, "g1", "Tea room"),
            (1.5, "g1", "Tea room"),
            (25, "g2", None),
            (1, "g2", None),
        ):
            await storage.messages.add(said(hours_ago, chat, name))
        for hours_ago, tool in ((1, "reply"), (1, "reply"), (26, "wait")):
            moment = NOON - hours_ago * HOUR
            await storage.activity.tool_called(ToolRecord(tool_id="c", timestamp=moment, session_id="", tool_name=tool))
        number = await storage.activity.started(NOON - 13.5 * HOUR)
        await storage.activity.runs_still(number, NOON - 13.5 * HOUR, NOON - 11 * HOUR)
        offered = StatisticsFamily(storage, lambda: NOON).offers()
        yield {each.name.removeprefix("statistics.local."): each for each in offered}


async def ask(answers: dict[str, Any], name: str, **arguments: Any) -> Any:
    answer = await answers[name].call(None, arguments)
    assert answer.pop("success") is True, answer
    [value] = answer.values()
    return value


async def test_what_models_were_used_for(answers: dict[str, Any]) -> None:
    small = {
        "model_name": "chat-small",
        "request_count": 3,
        "total_cost": 0.75,
        "total_tokens": 300,
        "avg_response_time": 2.0,
    }
    assert (await ask(answers, "models"))[0] == small
    assert [each["model_name"] for each in await ask(answers, "models", days=400)] == [
        "chat-small",
        "chat.small",
        "old",
    ]
    assert [each["request_count"] for each in await ask(answers, "models", days=1, limit=1)] == [2]


async def test_models_over_time(answers: dict[str, Any]) -> None:
    assert await ask(answers, "model_trend") == {
        "timestamps": ["2026-09-20 00:00:00", "2026-09-21 00:00:00"],
        "values_by_key": {"chat_small": [100.0, 200.0], "chat_small_2": [0.0, 5.0]},
        "labels_by_key": {"chat_small": "chat-small", "chat_small_2": "chat.small"},
        "total": 305.0,
        "source_count": 3,
    }
    hours = await ask(answers, "model_trend", bucket="1h", metric="latency", module_name="replyer")
    assert (hours["timestamps"], hours["values_by_key"]) == (["2026-09-21 11:00:00"], {"chat_small": [4.0]})
    requests = await ask(answers, "model_trend", metric="count", top_models=1)
    assert requests["values_by_key"] == {"chat_small": [1.0, 2.0]}


async def test_tokens_over_time_and_in_parts(answers: dict[str, Any]) -> None:
    whole = await ask(answers, "token_trend")
    assert whole["values_by_key"]["total_tokens"] == [100.0, 205.0]
    assert whole["values_by_key"]["request_count"] == [1.0, 3.0]
    assert (whole["total"], whole["labels_by_key"]["prompt_tokens"]) == (305.0, "tokens asked")
    by_module = await ask(answers, "token_trend", group_by="module")
    assert by_module["values_by_key"] == {"planner": [100.0, 200.0], "replyer": [0.0, 5.0]}
    assert await ask(answers, "token_distribution", top_items=1) == {
        "pies": [
            {"title": "tokens", "data": [{"name": "chat-small", "value": 300}, {"name": "the rest", "value": 5}]},
            {"title": "requests", "data": [{"name": "chat-small", "value": 3}, {"name": "the rest", "value": 1}]},
        ],
        "total": 305,
        "source_count": 2,
    }


async def test_messages_tools_and_time_online_over_time(answers: dict[str, Any]) -> None:
    messages = await ask(answers, "message_trend")
    assert messages["labels_by_key"] == {"Tea_room": "Tea room", "g2": "g2"}
    assert messages["values_by_key"] == {"Tea_room": [0.0, 2.0], "g2": [1.0, 1.0]}
    assert (await ask(answers, "message_trend", days=1, top_chats=1))["total"] == 2.0
    tools = await ask(answers, "tool_trend", bucket="hours")
    assert tools["timestamps"] == ["2026-09-20 10:00:00", "2026-09-21 11:00:00"]
    assert tools["values_by_key"] == {"reply": [0.0, 2.0], "wait": [1.0, 0.0]}
    online = await ask(answers, "online_time_trend")
    assert online["values_by_key"] == {"online_hours": [1.5, 1.0]}
    hours = await ask(answers, "online_time_trend", bucket="hour")
    assert hours["values_by_key"] == {"online_hours": [0.5, 1.0, 1.0]}


async def test_a_plugin_sees_what_the_bot_did(tmp_path: Path) -> None:
    async with endpoint(calls("no_reply")) as planner:
        models = settings(provider("p", planner.url))
        async with home(tmp_path, *ALL, "database.get", models=models) as here:
            now = f"{datetime.now().timestamp()}"
            await here.hear("hello", timestamp=now)
            for _ in range(100):
                if (await here.ask(f"{LOCAL}.models()")) and await here.ask("ctx.db.get('ToolRecord')"):
                    break
            [model] = await here.ask(f"{LOCAL}.models()")
            assert model["model_name"] == "p-model"
            assert (await here.ask(f"{LOCAL}.message_trend()"))["labels_by_key"] == {"Tea_room": "Tea room"}
            assert (await here.ask(f"{LOCAL}.tool_trend()"))["total"] == 1.0
            [record] = await here.ask("ctx.db.get('ToolRecord')")
            assert (record["tool_name"], '"success":true' in record["tool_data"]) == ("no_reply", True)
            assert len(await here.ask("ctx.db.get('OnlineTime')")) == 1


WRONG = {
    f"{LOCAL}.message_trend(days=0)": "'days' is 0",
    f"{LOCAL}.tool_trend(bucket='week')": "'bucket' is 'week'; allowed are hour, h,",
    f"{LOCAL}.token_trend(group_by='mood')": "'group_by' is 'mood'; allowed are model, module, provider, type",
    f"{LOCAL}.token_distribution(top_items='many')": "'top_items' is 'many'",
}


async def test_wrong_arguments_are_told(tmp_path: Path) -> None:
    async with home(tmp_path, *ALL) as here:
        for call, why in WRONG.items():
            assert why in await here.refused(call)
