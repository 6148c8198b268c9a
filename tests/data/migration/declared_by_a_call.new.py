from maibot_sdk import MaiBotPlugin, HookHandler


class P(MaiBotPlugin):
    async def a(self, message, **kwargs):
        message["platform"] = "a"
        return {"action": "continue", "modified_kwargs": {"message": message}}

    a = HookHandler("chat.receive.after_process", name="checked")(a)


def create_plugin():
    return P()
