"""Who may call what, by which names, and what is said where a call cannot be."""

from pathlib import Path

import pytest

from host.capabilities import Denial, Grant, Revocations, RevocationsFileError
from host.runtime.manifests.capability_names import CAPABILITY_NAMES
from tests.capabilities.house import NOW, MakeHouse


async def test_what_the_manifest_lists_may_be_called(house: MakeHouse) -> None:
    here = await house("config.get")
    assert await here.ask("ctx.config.get('bot.nickname')") == "Mai"


async def test_what_it_does_not_list_is_denied_in_both_languages_and_recorded(house: MakeHouse) -> None:
    here = await house("config.get")
    for _ in range(2):
        with pytest.raises(RuntimeError, match=r"may not call send\.text.*_manifest\.json.*不能调用 send\.text"):
            await here.ask("ctx.send.text('hi', 'g1')")
    assert here.gateway.delivered == []
    assert here.capabilities.denials() == {"team.asker": (Denial("send.text", 2, NOW),)}


async def test_what_the_owner_takes_away_is_denied_until_it_is_given_back(house: MakeHouse, tmp_path: Path) -> None:
    here = await house("config.get", "send.text")
    grants = here.capabilities.grants
    grants.revocations = Revocations(tmp_path / "revoked.json")
    assert await here.ask("ctx.config.get('bot.nickname')") == "Mai"
    grants.revocations.revoke("team.asker", "config.get")
    with pytest.raises(RuntimeError, match=r"took it away.*--grant config\.get.*已撤销"):
        await here.ask("ctx.config.get('bot.nickname')")
    with pytest.raises(RuntimeError, match="may not call llm"):
        await here.ask("ctx.llm.generate('x')")
    assert grants.of(here.plugins["team.asker"]) == (
        Grant(capability="config.get", listed=True, revoked=True, uses=1, denials=1),
        Grant(capability="llm.generate", listed=False, revoked=False, denials=1),
        Grant(capability="send.text", listed=True, revoked=False),
    )
    again = Revocations(tmp_path / "revoked.json")
    again.read()
    assert again.of("team.asker") == {"config.get"}
    grants.revocations.grant("team.asker", "config.get")
    assert await here.ask("ctx.config.get('bot.nickname')") == "Mai"
    again.read()
    assert again.of("team.asker") == frozenset()


@pytest.mark.parametrize("content", ["{", "[]", '{"a.b": "config.get"}', '{"a.b": [1]}'])
def test_a_file_of_revocations_that_cannot_be_used_is_told_and_kept(tmp_path: Path, content: str) -> None:
    file = tmp_path / "revoked.json"
    file.write_text(content)
    with pytest.raises(RevocationsFileError) as caught:
        Revocations(file).read()
    assert str(file) in caught.value.text("zh")
    assert file.read_text() == content


async def test_a_plugin_cannot_call_in_the_name_of_another(house: MakeHouse) -> None:
    here = await house("config.get")
    await here.load("team.rich", "llm.get_available_models")
    with pytest.raises(RuntimeError, match=r"plugin 'team\.asker' may not call"):
        await here.ask(
            "ctx.call_host_method('cap.call', plugin_id='team.rich', "
            "payload={'capability': 'llm.get_available_models', 'args': {'plugin_id': 'team.rich'}})"
        )


@pytest.mark.parametrize("listed", ["db.count", "database.count"])
@pytest.mark.parametrize("called", ["db.count", "database.count"])
async def test_names_of_methods_are_understood_in_manifests_and_in_calls(
    house: MakeHouse, listed: str, called: str
) -> None:
    here = await house(listed)
    answer = await here.ask(f"ctx.call_capability({called!r})")
    assert answer["success"] is False
    assert "database.count is not available" in answer["error"]


async def test_enabling_a_component_may_be_listed_by_the_name_of_the_method(house: MakeHouse) -> None:
    here = await house("enable_component", "component.disable_component")
    assert await here.ask("ctx.component.disable_component('ask', 'tool')") == {"success": True}
    assert await here.ask("ctx.component.enable_component('ask', 'tool')") == {"success": True}


UNKNOWN = [("send.txt", "send.text"), ("db.qery", "database.query"), ("llm.generat", "llm.generate")]


async def test_an_unknown_capability_raises_with_the_nearest_name(house: MakeHouse) -> None:
    here = await house(*CAPABILITY_NAMES)
    for called, nearest in UNKNOWN:
        with pytest.raises(RuntimeError, match=f"no capability '{called}'. Did you mean '{nearest}'"):
            await here.ask(f"ctx.call_capability({called!r})")
        assert here.capabilities.denials() == {}


async def test_what_this_host_cannot_do_is_known_and_answered(house: MakeHouse) -> None:
    here = await house(*CAPABILITY_NAMES)
    missing = [name for name, available in here.capabilities.available().items() if not available]
    assert set(here.capabilities.available()) == CAPABILITY_NAMES
    assert {"emoji.get_random", "database.query", "render.html2png"} <= set(missing)
    for name in missing:
        answer = await here.ask(f"ctx.call_host_method('cap.call', payload={{'capability': {name!r}}})")
        assert (answer["success"], answer["error"][: len(name)]) == (False, name)


async def test_wrong_arguments_are_all_told_and_unknown_ones_ignored(house: MakeHouse) -> None:
    here = await house("message.get_by_time_in_chat", "config.get")
    answer = await here.ask("ctx.call_capability('message.get_by_time_in_chat', limit='many', start_time=[], x=1)")
    assert answer["success"] is False
    assert "argument 'chat_id' is missing or empty" in answer["error"]
    assert "argument 'limit' is 'many'; allowed is int" in answer["error"]
    assert "argument 'start_time' is list; allowed is float" in answer["error"]
    assert "参数 'limit' 为 'many'" in answer["error"]
    assert await here.ask("ctx.call_capability('config.get', key='bot.nickname', nonsense={'a': [1]})") == "Mai"


async def test_a_payload_that_is_no_call_raises(house: MakeHouse) -> None:
    here = await house("config.get")
    for payload in ("{}", "{'capability': ''}", "{'capability': 'config.get', 'args': [1]}"):
        with pytest.raises(RuntimeError, match=r"cap\.call cannot be called so"):
            await here.ask(f"ctx.call_host_method('cap.call', payload={payload})")
