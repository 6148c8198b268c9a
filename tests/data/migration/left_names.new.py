from maibot_sdk import MaiBotPlugin, HookHandler


class P(MaiBotPlugin):
    # TODO(migrate): The message comes as message=, but msg cannot be renamed safely here. Rename it by hand.
    @HookHandler("chat.receive.after_process", name="a")
    async def a(self, msg, **kwargs):
        message = msg["processed_plain_text"]
        return {"action": "continue" if message else "abort"}

    # TODO(migrate): Another handler of this plugin is named a too; names must differ. Give one of them another name=.
    # TODO(migrate): send_service.before_send does not hand over session. Give it a default, or take it out.
    @HookHandler("send_service.before_send", name="a")
    async def b(self, message, session, **kwargs):
        return {"action": "continue"}

    # TODO(migrate): Nothing comes in *args: everything comes by keyword. Use the names.
    @HookHandler("send_service.before_send", name="c")
    async def c(self, *args):
        return {"action": "continue" if args else "abort"}

    async def on_load(self):
        # TODO(migrate): b takes other arguments now. Call it with those of its new signature.
        await self.b(None, {}, None)


def create_plugin():
    return P()
