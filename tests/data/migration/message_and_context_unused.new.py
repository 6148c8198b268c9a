from maibot_sdk import MaiBotPlugin, HookHandler


class P(MaiBotPlugin):
    @HookHandler("maisaka.planner.before_request", name="a")
    async def a(self, **kwargs):
        return {"action": "continue"}

    @HookHandler("chat.receive.after_process", name="b")
    async def b(self, **_):
        return None

    @HookHandler("chat.receive.after_process", name="c")
    async def c(self, *, message):
        return {"action": "continue"}

    @HookHandler("chat.receive.after_process", name="d")
    async def d(self, message):
        message["platform"] = "d"
        return {"action": "continue", "modified_kwargs": {"message": message}}


def create_plugin():
    return P()
