"""``ctx.knowledge``: what the bot knows, as text."""

from datetime import datetime
from pathlib import Path

from host.storage import person_id
from tests.capabilities.home import home

SEARCH = "ctx.knowledge.search"


async def test_what_was_said_is_found_in_any_script(tmp_path: Path) -> None:
    async with home(tmp_path, "knowledge.search") as here:
        chat = await here.hear("我喜欢喝绿茶")
        await here.hear("Green tea, " + "please " * 40, message_id="772", timestamp="1790000000.0")
        when = f"{datetime.fromtimestamp(1789999999.25):%Y-%m-%d %H:%M}"
        assert await here.ask(f"{SEARCH}('绿茶')") == f"Known about '绿茶':\n1. [{when}] Lin: 我喜欢喝绿茶"
        [_, line] = (await here.ask(f"{SEARCH}('green tea')")).splitlines()
        assert len(line) == 160
        assert await here.ask(f"{SEARCH}('coffee')") == "Nothing is known about 'coffee'."
        call = "ctx.call_capability('knowledge.search', query='tea 绿茶',"
        for narrowed, lines in {
            f"chat_id='{chat}'": 2,
            "chat_id='elsewhere'": 0,
            f"person_id='{person_id('qq', '555')}', limit=0": 1,
            "user_id='9'": 0,
            "group_id='123456', limit='many'": 2,
            "time_start=1790000000": 1,
            "time_end='2026-09-21T14:13:19.500000+00:00'": 1,
        }.items():
            found = await here.ask(f"{call} {narrowed})")
            assert len(found.splitlines()) - 1 == lines, narrowed


async def test_what_is_remembered_of_somebody_is_found(tmp_path: Path) -> None:
    async with home(tmp_path, "knowledge.search", "database.save", "database.query") as here:
        await here.hear()
        await here.ask("ctx.db.save('PersonInfo', {'memory_points': ['likes green tea']}, 'user_id', '555')")
        assert await here.ask(f"{SEARCH}('green tea')") == "Known about 'green tea':\n1. Of Lin: likes green tea"


async def test_wrong_arguments_are_told(tmp_path: Path) -> None:
    async with home(tmp_path, "knowledge.search") as here:
        assert "'query' is missing" in await here.refused(f"{SEARCH}('')")
        call = "ctx.call_capability('knowledge.search', query='tea', time_start='noon')"
        assert "'time_start' is 'noon'; allowed is float | ISO time" in await here.refused(call)
