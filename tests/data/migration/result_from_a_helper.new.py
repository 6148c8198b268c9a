from maibot_sdk import MaiBotPlugin, HookHandler

GO_ON = {"action": "continue"}


def go_on():
    return GO_ON


class P(MaiBotPlugin):
    def _verdict(self, result, message=None):
        return {"action": result, "modified_kwargs": {"message": message} if message is not None else None}

    async def _later(self, message):
        if "x" in message["processed_plain_text"]:
            return self._verdict("abort")
        message["platform"] = "later"
        return self._verdict(result="continue", message=message)

    @HookHandler("chat.receive.after_process", name="a")
    async def a(self, message, **kwargs):
        if "buy now" in message["processed_plain_text"]:
            return self._verdict("abort")
        return await self._later(message)

    @HookHandler("send_service.before_send", name="b")
    async def b(self, message, **kwargs):
        return go_on()


def create_plugin():
    return P()
