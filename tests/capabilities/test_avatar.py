"""``ctx.chat.get_avatar``: pictures that adapters tell of."""

from pathlib import Path

import pytest

from host.capabilities import ApiTable, AvatarFamily
from tests.capabilities.home import home
from tests.capabilities.house import NOW, House, MakeHouse

ADAPTER = """
        asked = []

        @API("adapter.avatar.get", version="1", public=True)
        async def avatar(self, platform, target_id, target_type, account_id, scope, **kwargs):
            self.asked.append(target_id)
            if platform != "qq":
                return {"status": "unsupported"}
            return {
                "1": {"status": "available", "url": f"https://img.example/{target_type}/{account_id}/{scope}"},
                "2": {"status": "available", "url": "http://img.example/2", "expires_in": 10},
                "3": {"status": "missing"},
                "4": {"status": "available", "url": "https://me:secret@img.example/4"},
                "5": {"status": "available", "url": "file:///etc/passwd"},
                "6": "a picture",
            }[target_id]
"""
GET = "ctx.chat.get_avatar"


@pytest.fixture
async def here(house: MakeHouse) -> House:
    """A plugin that asks, which is the adapter too; what time it is can be changed."""
    here = await house("chat.get_avatar", more=ADAPTER)
    here.capabilities.add(AvatarFamily(ApiTable(here.plugins), lambda: here.now))
    return here


async def test_an_adapter_tells_where_the_picture_is(here: House) -> None:
    assert await here.ask(f"{GET}('qq', 1, account_id='10001', scope='main')") == {
        "status": "available",
        "url": "https://img.example/user/10001/main",
        "expires_at": NOW + 86_400,
    }
    assert (await here.ask(f"{GET}('qq', '1', 'group')"))["url"] == "https://img.example/group//"
    assert await here.ask(f"{GET}('qq', '3')") == {"status": "missing", "url": None, "expires_at": NOW + 300}
    assert (await here.ask(f"{GET}('telegram', '1')"))["status"] == "unsupported"


async def test_an_answer_counts_for_its_time(here: House) -> None:
    for _ in range(2):
        assert (await here.ask(f"{GET}('qq', '2')"))["expires_at"] == NOW + 10
    assert await here.ask("asyncio.sleep(0, plugin.asked)") == ["2"]
    await here.ask(f"{GET}('qq', '2', force_refresh=True)")
    here.now += 10
    assert (await here.ask(f"{GET}('qq', '2')"))["expires_at"] == NOW + 20
    assert await here.ask("asyncio.sleep(0, plugin.asked)") == ["2", "2", "2"]


WRONG = {
    f"{GET}('qq', '4')": "credentials",
    f"{GET}('qq', '5')": "answers with",
    f"{GET}('qq', '6')": "answers with 'a picture'",
    f"{GET}('qq', '7')": "adapter.avatar.get' failed",
    f"{GET}('qq', '1', 'robot')": "'target_type' is 'robot'; allowed are user, group",
    f"{GET}('', '1')": "'platform' is missing",
}


async def test_what_cannot_be_told_raises(here: House) -> None:
    for call, why in WRONG.items():
        with pytest.raises(RuntimeError, match=why.replace(".", r"\.")):
            await here.ask(call)


async def test_without_an_adapter_nothing_is_known(tmp_path: Path) -> None:
    async with home(tmp_path, "chat.get_avatar") as alone:
        assert (await alone.ask(f"{GET}('qq', '1')"))["status"] == "unsupported"
