from maibot_sdk import MaiBotPlugin, HookHandler


class P(MaiBotPlugin):
    @HookHandler("chat.receive.after_process", name="a")
    async def a(self, message, **kwargs):
        bad = "buy now" in message["processed_plain_text"]
        return {"action": "abort" if bad else "continue"}

    @HookHandler("chat.receive.after_process", name="b")
    async def b(self, message, **kwargs):
        if not message["processed_plain_text"]:
            return
        verdict = "continue"
        if message["processed_plain_text"] == "stop":
            verdict = "abort"
        changed = None
        if len(message["processed_plain_text"]) > 3:
            changed = {**message, "platform": "b"}
        return {"action": verdict, "modified_kwargs": {"message": changed} if changed is not None else None}

    @HookHandler("chat.receive.after_process", name="c")
    async def c(self, message, **kwargs):
        return ({"action": "abort"}) if "xx" in message["processed_plain_text"] else None

    @HookHandler("chat.receive.after_process", name="d")
    async def d(self, message, **kwargs):
        long = len(message["processed_plain_text"]) > 3
        return {
            "action": "continue",
            "modified_kwargs": {"message": {**message, "platform": message["platform"] + "d"}} if long else None,
        }


def create_plugin():
    return P()
