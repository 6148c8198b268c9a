from maibot_sdk import MaiBotPlugin, HookHandler


class P(MaiBotPlugin):
    # TODO(migrate): There is no context any more: use self.ctx and the keyword arguments of the hook, and take it out.
    @HookHandler("chat.receive.after_process", name="a")
    async def a(self, context, message, **kwargs):
        context.log("seen")
        return {"action": "continue"}

    @HookHandler("chat.receive.after_process", name="b")
    async def b(self, **kwargs):
        # TODO(migrate): There is no kwargs["context"] any more: use self.ctx and the keyword arguments of the hook, and take it out.
        await kwargs["context"].send("seen")
        return {"action": "continue"}


def create_plugin():
    return P()
