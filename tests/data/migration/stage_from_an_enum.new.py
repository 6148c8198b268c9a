from maibot_sdk import MaiBotPlugin, HookHandler


class P(MaiBotPlugin):
    @HookHandler("chat.receive.before_process", name="check")
    async def check(self, message: dict, **kwargs) -> dict:
        if not message["processed_plain_text"]:
            return {"action": "abort"}
        return {"action": "continue"}


def create_plugin():
    return P()
