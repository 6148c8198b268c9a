from maibot_sdk import MaiBotPlugin, HookHandler


class P(MaiBotPlugin):
    @HookHandler("chat.receive.after_process", name="rename")
    async def rename(self, message, **kw):
        def text():
            return message["processed_plain_text"] + f"{message['platform']}"

        message = dict(message, processed_plain_text=text())
        return {"action": "continue", "modified_kwargs": {"message": message}}


def create_plugin():
    return P()
