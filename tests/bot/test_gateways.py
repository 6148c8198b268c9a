"""The table of gateways."""

from host.bot import Gateways
from tests.bot.chat import MemoryGateway


def test_a_gateway_serves_its_platform_until_it_is_taken_out() -> None:
    gateways = Gateways(MemoryGateway("qq"))
    wechat = MemoryGateway("wechat")
    undo = gateways.add(wechat)
    assert gateways.find("wechat") is wechat
    assert gateways.platforms() == ("qq", "wechat")
    undo()
    assert gateways.find("wechat") is None
    assert gateways.platforms() == ("qq",)


def test_taking_out_a_gateway_leaves_its_successor_alone() -> None:
    gateways = Gateways()
    undo = gateways.add(MemoryGateway("qq"))
    successor = MemoryGateway("qq")
    gateways.add(successor)
    undo()
    assert gateways.find("qq") is successor


def test_the_fallback_serves_what_nobody_else_does() -> None:
    fallback, own = MemoryGateway("any"), MemoryGateway("qq")
    gateways = Gateways(own, fallback=fallback)
    assert gateways.find("wechat") is fallback
    assert gateways.find("qq") is own
