"""The table of gateways: which of them takes what."""

import pytest

from host.bot import DeliveryError, Gateways
from host.bot.identity import Route
from tests.bot.chat import MemoryGateway


def refused(gateways: Gateways, platform: str, route: Route = Route()) -> str:  # noqa: B008
    """Why nothing is delivered there."""
    with pytest.raises(DeliveryError) as caught:
        gateways.find(platform, route)
    return caught.value.failure.code


def test_a_gateway_serves_its_platform_until_it_is_taken_out() -> None:
    gateways = Gateways(MemoryGateway("qq"))
    wechat = MemoryGateway("wechat")
    undo = gateways.add(wechat)
    assert gateways.find("wechat", Route("any account", "any scope")) is wechat
    assert gateways.addresses() == ("qq", "wechat")
    undo()
    assert refused(gateways, "wechat") == "no_gateway"
    assert gateways.addresses() == ("qq",)


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


def test_each_account_and_scope_has_the_gateway_that_is_closest() -> None:
    gateways = Gateways(MemoryGateway("qq"))
    routes = [Route(), Route("1"), Route("1", "main"), Route("2")]
    served = {route: MemoryGateway("qq") for route in routes}
    for route, gateway in served.items():
        gateways.add(gateway, route)
    for route, gateway in served.items():
        assert gateways.find("qq", route) is gateway
    assert gateways.find("qq", Route("1", "other")) is served[Route("1")]
    assert gateways.find("qq", Route("3")) is served[Route()]
    assert gateways.addresses() == ("qq", "qq/1", "qq/1/main", "qq/2")


def test_nothing_goes_out_by_an_account_that_is_not_connected() -> None:
    gateways = Gateways()
    gateways.add(MemoryGateway("qq"), Route("1"))
    with pytest.raises(DeliveryError, match="no gateway serves 'qq/2'; there are qq/1"):
        gateways.find("qq", Route("2"))


def test_what_names_no_account_goes_by_the_only_one_and_never_by_any_of_several() -> None:
    gateways = Gateways()
    first = MemoryGateway("qq")
    gateways.add(first, Route("1"))
    assert gateways.find("qq") is first
    gateways.add(MemoryGateway("qq"), Route("2"))
    with pytest.raises(DeliveryError, match="several gateways serve 'qq' alike: qq/1, qq/2"):
        gateways.find("qq")
