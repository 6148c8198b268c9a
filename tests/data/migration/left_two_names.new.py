from maibot_sdk import MaiBotPlugin, HookHandler


class P(MaiBotPlugin):
    async def a(self, message, **kwargs):
        return {"action": "continue"}

    # TODO(migrate): The class holds a under two names, and so declares it twice. Decorate it with @HookHandler instead.
    checked = HookHandler("chat.receive.after_process", name="checked")(a)


def create_plugin():
    return P()
