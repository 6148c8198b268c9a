from maibot_sdk import MaiBotPlugin, WorkflowStep

GO_ON = {"hook_result": "continue"}


def go_on():
    return GO_ON


class P(MaiBotPlugin):
    def _verdict(self, result, message=None):
        return {"hook_result": result, "modified_message": message}

    async def _later(self, message):
        if "x" in message["processed_plain_text"]:
            return self._verdict("abort")
        message["platform"] = "later"
        return self._verdict(result="continue", message=message)

    @WorkflowStep("a", "process")
    async def a(self, context, message, **kwargs):
        if "buy now" in message["processed_plain_text"]:
            return self._verdict("abort")
        return await self._later(message)

    @WorkflowStep("b", "egress")
    async def b(self, context, message, **kwargs):
        return go_on()


def create_plugin():
    return P()
