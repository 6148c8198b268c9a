"""``ctx.gateway``: what gateways of plugins tell reaches whoever is handed in for it, typed; it needs no grant."""

from pathlib import Path

import pytest

from host.capabilities import Capabilities, GatewayState, NoGatewaysError, RoutedMessage
from host.hooks import Source
from host.runtime import Plugin
from tests.capabilities.house import MakeHouse


async def test_messages_and_states_arrive_in_the_name_of_the_plugin(house: MakeHouse) -> None:
    here = await house()
    message = {"message_id": "1"}
    assert await here.ask(f"ctx.gateway.route_message('qq', {message}, external_message_id=7)") is True
    assert await here.ask(f"ctx.gateway.route_message('qq', {message}, dedupe_key='twice')") is False
    assert await here.ask("ctx.gateway.update_state('qq', ready=True, platform='qq', account_id=10001)") is True
    assert here.gateways.told == [
        ("team.asker", RoutedMessage(gateway_name="qq", message=message, external_message_id="7")),
        ("team.asker", RoutedMessage(gateway_name="qq", message=message, dedupe_key="twice")),
        ("team.asker", GatewayState(gateway_name="qq", ready=True, platform="qq", account_id="10001")),
    ]


async def test_what_is_refused_raises_in_the_plugin(house: MakeHouse) -> None:
    here = await house()
    with pytest.raises(RuntimeError, match="it needs a platform"):
        await here.ask("ctx.gateway.update_state('qq', ready=True)")
    with pytest.raises(RuntimeError, match=r"host\.route_message cannot be called so: .*'message' is 'hi'"):
        await here.ask("ctx.gateway.route_message('qq', 'hi')")
    assert here.gateways.told == []


async def test_a_host_without_gateways_says_so(tmp_path: Path) -> None:
    plugin = Plugin(id="team.one", path=tmp_path, source=Source.THIRD_PARTY)
    with pytest.raises(NoGatewaysError, match="takes nothing from gateways"):
        await Capabilities()(plugin, "host.route_message", {})
