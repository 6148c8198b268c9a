from maibot_sdk import MaiBotPlugin, HookHandler


class P(MaiBotPlugin):
    @staticmethod
    @HookHandler("chat.receive.after_process", name="a")
    def a(message, **kwargs):
        return {"action": "continue", "modified_kwargs": {"message": {**message, "platform": "a"}}}


def create_plugin():
    return P()
