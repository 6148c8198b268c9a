"""Each capability over the storage, from a plugin in the host's process and from one in its own: called rightly,
without being listed, and while the database is locked or its tables are gone."""

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from host.capabilities.database import DATABASE
from host.capabilities.frequency import FREQUENCY
from host.capabilities.knowledge import KNOWLEDGE
from host.capabilities.maisaka import MAISAKA
from host.capabilities.person import PERSON
from host.capabilities.statistics import STATISTICS
from host.capabilities.tool import TOOL
from host.runtime.code import Isolation
from host.storage import DATABASE_FILE, person_id
from tests.bot.chat import message_dict
from tests.bot.talk import calls
from tests.capabilities.home import Home, home
from tests.capabilities.house import ASKER, all_of
from tests.models.asking import provider, settings
from tests.models.endpoint import endpoint, says
from tests.runtime.plugin_folders import manifest, write_plugin

NAMES = all_of((*DATABASE, *FREQUENCY, *KNOWLEDGE, *MAISAKA, *PERSON, *STATISTICS, *TOOL))
NO_DATABASE = {"frequency.get_adjust", "person.get_id", "tool.get_definitions"}
WRITING = {"database.delete", "database.save", "database.query", "maisaka.context.append"}
PICTURE = [{"type": "image", "data": "", "binary_data_base64": "aGk="}]
NO_PICTURES = "the bytes of the picture"


def arguments(chat: str) -> dict[str, dict[str, Any]]:
    """A right call of each."""
    lin = {"person_id": person_id("qq", "555")}
    new = {"person_id": "ab", "platform": "qq", "user_id": "9", "user_nickname": "Wu"}
    return {
        "database.get": {"model_name": "PersonInfo"},
        "database.count": {"model_name": "Messages"},
        "database.save": {"model_name": "PersonInfo", "data": new},
        "database.delete": {"model_name": "PersonInfo", "filters": {"person_id": "ab"}},
        "database.query": {"model_name": "PersonInfo", "query_type": "update", "data": {"name_reason": "x"}},
        "frequency.get_current_talk_value": {"chat_id": chat},
        "frequency.get_adjust": {"chat_id": chat},
        "frequency.set_adjust": {"chat_id": chat, "value": 0.5},
        "knowledge.search": {"query": "tea"},
        "maisaka.context.append": {"stream_id": chat, "segments": [{"type": "text", "data": "x"}]},
        "maisaka.context.resolve_image": {"stream_id": chat, "source_id": "771"},
        "maisaka.proactive.trigger": {"stream_id": chat, "intent": "x"},
        "maisaka.reply.generate": {"stream_id": chat, "reference": "x"},
        "person.get_id": {"platform": "qq", "user_id": "555"},
        "person.get_value": {**lin, "field_name": "nickname"},
        "person.get_id_by_name": {"person_name": "Lin"},
        **{name: {} for name in all_of((*STATISTICS, *TOOL))},
    }


async def called(here: Home, name: str, given: dict[str, Any], plugin_id: str = "team.asker") -> dict[str, Any]:
    """The whole answer of the host."""
    payload = {"capability": name, "args": given}
    answer: dict[str, Any] = await here.ask(f"ctx.call_host_method('cap.call', payload={payload!r})", plugin_id)
    return answer


@pytest.mark.parametrize("isolation", ["inline", "process"])
async def test_every_capability_in_every_way(
    tmp_path: Path, isolation: Isolation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("host.storage.place.BUSY_SECONDS", 0.05)
    poor = json.dumps(manifest("team.poor", capabilities=["config.get"]))
    write_plugin(tmp_path / "plugins", "team.poor", ASKER, {"_manifest.json": poor})
    async with endpoint(calls("no_reply")) as planner, endpoint(says("Tea!")) as replyer:
        models = settings(
            provider("planner", planner.url),
            provider("replyer", replyer.url),
            tasks={"planner": {"models": ["planner-model"]}, "replyer": {"models": ["replyer-model"]}},
        )
        async with home(tmp_path, *NAMES, isolation=isolation, models=models) as here:
            heard = await here.host.bot.receive({**message_dict("tea"), "raw_message": PICTURE})
            planner.arrived.clear()
            asked = arguments(heard.session_id)
            assert set(asked) == set(NAMES)
            for name in NAMES:
                answer = await called(here, name, asked[name])
                assert answer["success"] is True or answer["error"].startswith(NO_PICTURES), (name, answer)
                with pytest.raises(RuntimeError, match=rf"'team\.poor' may not call {name}: its manifest"):
                    await called(here, name, asked[name], "team.poor")
            denials = here.host.capabilities.denials()["team.poor"]
            assert [(each.capability, each.count) for each in denials] == [(name, 1) for name in NAMES]

            async with asyncio.timeout(10):
                await planner.arrived.wait()  # What was triggered is stored by then.
            file = here.host.settings.data_dir / DATABASE_FILE
            with closing(sqlite3.connect(file, isolation_level=None, check_same_thread=False)) as other:
                # In a thread: what the host is writing needs this loop to come to its end.
                await asyncio.to_thread(other.execute, "BEGIN IMMEDIATE")
                for name in NAMES:
                    answer = await called(here, name, asked[name])
                    refused = "database is locked" in answer.get("error", "")
                    assert refused is (name in WRITING), (name, answer)
                other.execute("ROLLBACK")
                assert (await called(here, "database.count", {"model_name": "Messages"}))["count"] == 3
                tables = [row[0] for row in other.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
                for table in tables:
                    if not table.startswith(("knowledge_terms_", "sqlite_", "schema_")):
                        await asyncio.to_thread(other.execute, f"DROP TABLE {table}")
                for name in set(NAMES) - NO_DATABASE:
                    answer = await called(here, name, asked[name])
                    assert answer["success"] is False, (name, answer)
                    assert "no such table" in answer["error"], (name, answer)
                    assert "数据库拒绝了操作" in answer["error"]
