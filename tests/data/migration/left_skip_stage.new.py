from maibot_sdk import MaiBotPlugin, HookHandler


class P(MaiBotPlugin):
    @HookHandler("chat.receive.after_process", name="a")
    async def a(self, message, **kwargs):
        # TODO(migrate): There is no skip_stage: "continue" lets the next handlers of chat.receive.after_process run, "abort" ends what the hook is about. Choose.
        if "x" in message["processed_plain_text"]: return {"action": "continue"}
        if message["platform"] == "y":
            # nobody else
            # TODO(migrate): There is no skip_stage: "continue" lets the next handlers of chat.receive.after_process run, "abort" ends what the hook is about. Choose.
            return {"action": "continue" if message["processed_plain_text"] else "continue"}
        return {"action": "continue"}


def create_plugin():
    return P()
