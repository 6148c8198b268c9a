"""Names in Chinese, with dots, dashes, blanks and emoji."""
from maibot_sdk import API, Command, HookHandler, MaiBotPlugin, MessageGateway, Tool


class Plugin(MaiBotPlugin):
    @Command("查天气", "查询天气", pattern="^/天气\\s*(?P<城市>.+)$", aliases=["天气 ", ""])
    async def weather(self, **kwargs): ...

    @API("me.weather-api.v2", version=" 2 ")
    async def api(self, **kwargs): ...

    @Tool("  padded name  ", "  padded  ")
    async def tool(self, **kwargs): ...

    @Command("", "blank name")
    async def blank(self, **kwargs): ...

    @HookHandler(" chat.receive.before_process ", name=" 处理器-1 ")
    async def hook(self, **kwargs): ...

    @MessageGateway(" Recive ", name="  ", platform=" QQ ", account_id=12345)
    async def 网关(self, **kwargs): ...


def create_plugin():
    return Plugin()
