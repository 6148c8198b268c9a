from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep("a", "process")
    async def a(self, context, message, **kwargs):
        if message["processed_plain_text"]:
            return await self.judge(message)
        return True, message

    @WorkflowStep("b", "process")
    async def b(self, context, message, **kwargs):
        return {"hook_result": self.word}

    @WorkflowStep("c", "process")
    async def c(self, context, message, **kwargs):
        fields = ("hook_result", "modified_message")
        return dict(zip(fields, ("continue", message)))

    def told(self, message):
        return {"hook_result": "continue"}

    async def on_load(self):
        assert self.told({})["hook_result"]

    @WorkflowStep("d", "process")
    async def d(self, context, message, **kwargs):
        return self.told(message)


def create_plugin():
    return P()
