"""``ctx.person``: whom the bot met, over the real storage."""

from pathlib import Path

from host.capabilities.person import PERSON
from host.storage import person_id
from tests.capabilities.home import home
from tests.capabilities.house import all_of

LIN = person_id("qq", "555")


async def test_whoever_wrote_to_the_bot_is_known_by_id_and_by_name(tmp_path: Path) -> None:
    async with home(tmp_path, *all_of(PERSON)) as here:
        assert await here.ask("ctx.person.get_id('qq', 555)") == LIN
        assert await here.ask("ctx.person.get_id_by_name('Lin')") == ""
        await here.hear()
        await here.hear("again", message_id="772", timestamp="1790000000.0")
        assert await here.ask("ctx.person.get_id_by_name('Lin')") == LIN
        for name, value in {"nickname": "Lin", "user_id": "555", "is_known": True, "know_times": 2}.items():
            assert await here.ask(f"ctx.person.get_value('{LIN}', '{name}')") == value
        assert await here.ask(f"ctx.person.get_value('{LIN}', 'last_know')") == 1790000000.0


async def test_names_in_groups_are_the_latest(tmp_path: Path) -> None:
    async with home(tmp_path, *all_of(PERSON)) as here:
        for number, card in enumerate(("Tea Lin", "Green Tea Lin")):
            user = {"user_id": "555", "user_nickname": "Lin", "user_cardname": card}
            group = {"group_id": "123456", "group_name": "Tea room"}
            info = {"user_info": user, "group_info": group, "additional_config": {}}
            await here.hear(message_id=str(number), message_info=info, timestamp=f"{1789999999 + number}.0")
        named = await here.ask(f"ctx.person.get_value('{LIN}', 'group_cardname_list')")
        assert named == [{"group_id": "123456", "group_cardname": "Green Tea Lin"}]


async def test_of_a_stranger_little_is_known(tmp_path: Path) -> None:
    async with home(tmp_path, *all_of(PERSON)) as here:
        assert await here.ask(f"ctx.person.get_value('{LIN}', 'is_known')") is False
        assert await here.ask(f"ctx.person.get_value('{LIN}', 'person_name')") == f"Stranger {LIN[:4]}"
        assert "there are: is_known" in await here.refused(f"ctx.person.get_value('{LIN}', 'memory_points')")


async def test_a_default_stands_in_for_what_is_none(tmp_path: Path) -> None:
    async with home(tmp_path, *all_of(PERSON)) as here:
        await here.hear()
        call = "ctx.call_capability('person.get_value', default='?',"
        assert await here.ask(f"{call} person_id='{LIN}', field_name='name_reason')") == "?"
        assert await here.ask(f"{call} person_id='{LIN}', field_name='nickname')") == "Lin"
        assert "no column" not in await here.refused(f"{call} person_id='{LIN}', field_name='shoe_size')")
        assert "'person_name' is missing" in await here.refused("ctx.person.get_id_by_name('')")
