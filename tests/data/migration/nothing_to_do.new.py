from maibot_sdk import HookHandler, MaiBotPlugin


class P(MaiBotPlugin):
    @HookHandler("chat.receive.after_process")
    async def a(self, **kwargs):
        """Was a WorkflowStep once."""
        return {"action": "continue"}


def create_plugin():
    return P()
