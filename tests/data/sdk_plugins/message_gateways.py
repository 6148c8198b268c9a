"""Every spelling of a route, and what a gateway tells the host."""
from maibot_sdk import MaiBotPlugin, MessageGateway


class Plugin(MaiBotPlugin):
    @MessageGateway("send", name="out", platform="qq", protocol=" onebot ", account_id=None, scope=1)
    async def out(self, **kwargs): ...

    @MessageGateway("recv")
    async def receive(self, **kwargs): ...

    @MessageGateway(route_type="DUPLEX", description="both")
    async def both(self, **kwargs): ...


def create_plugin():
    return Plugin()


ANSWERS = {"host.route_message": {"accepted": True}, "host.update_message_gateway_state": {"success": True}}


async def story(plugin):
    gateway = plugin.ctx.gateway
    return [
        await gateway.update_state("out", ready=True, platform="qq", account_id="1", metadata={"v": 1}),
        await gateway.update_runtime_state(gateway_name="out", connected=False),
        await gateway.route_message("receive", {"message_id": "m"}, external_message_id="e", dedupe_key="d"),
        await gateway.receive_external_message({"message_id": "m"}, gateway_name="receive", route_metadata={"r": 1}),
    ]
