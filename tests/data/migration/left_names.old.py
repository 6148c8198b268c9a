from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep("a", "process")
    async def a(self, ctx, msg, **kwargs):
        message = msg["processed_plain_text"]
        return {"hook_result": "continue" if message else "abort"}

    @WorkflowStep("a", "egress")
    async def b(self, context, message, session, **kwargs):
        return {"hook_result": "continue"}

    @WorkflowStep("c", "egress")
    async def c(self, context, *args):
        return {"hook_result": "continue" if args else "abort"}

    async def on_load(self):
        await self.b(None, {}, None)


def create_plugin():
    return P()
