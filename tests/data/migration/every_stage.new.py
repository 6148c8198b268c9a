from maibot_sdk import MaiBotPlugin, HookHandler


class P(MaiBotPlugin):
    @HookHandler("chat.receive.before_process")
    async def a(self, **kwargs): ...

    @HookHandler("chat.receive.before_process")
    async def b(self, **kwargs): ...

    @HookHandler("chat.receive.after_process")
    async def c(self, **kwargs): ...

    @HookHandler("maisaka.planner.before_request")
    async def d(self, **kwargs): ...

    @HookHandler("chat.command.before_execute")
    async def e(self, **kwargs): ...

    @HookHandler("maisaka.replyer.after_response")
    async def f(self, **kwargs): ...

    @HookHandler("send_service.before_send")
    async def g(self, **kwargs): ...

    @HookHandler("send_service.before_send")
    async def h(self, **kwargs): ...


def create_plugin():
    return P()
