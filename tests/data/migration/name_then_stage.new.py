from maibot_sdk import MaiBotPlugin, HookHandler


class P(MaiBotPlugin):
    @HookHandler("chat.receive.after_process", name="look")
    def look_at_it(self, message):
        return {"action": "continue"}


def create_plugin():
    return P()
