from maibot_sdk import MaiBotPlugin, HookHandler


class P(MaiBotPlugin):
    @HookHandler("chat.receive.after_process", name="a")
    async def a(self, message, **kwargs):
        base = {"action": "continue", "reason": "fine"}
        message["platform"] = "a"
        return {**base, "modified_kwargs": {"message": message}}

    @HookHandler("chat.receive.after_process", name="b")
    async def b(self, message, **kwargs):
        return {"action": "continue"} | {"reason": "fine"}


def create_plugin():
    return P()
