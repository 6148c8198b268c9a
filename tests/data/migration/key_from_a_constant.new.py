from maibot_sdk import MaiBotPlugin, HookHandler

KEY = "hook_" "result"
STOP = "abort"


class P(MaiBotPlugin):
    @HookHandler("chat.receive.after_process", name="a")
    async def a(self, message, **kwargs):
        if "x" in message["processed_plain_text"]:
            return {"action": STOP}
        return {"action": "continue"}


def create_plugin():
    return P()
