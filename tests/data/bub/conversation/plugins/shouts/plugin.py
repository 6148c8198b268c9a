from maibot_sdk import HookHandler, MaiBotPlugin


class Shouts(MaiBotPlugin):
    @HookHandler("chat.receive.before_process", name="reads")
    async def reads(self, message, **kwargs):
        text = message["raw_message"][0]["data"]
        if "spam" in text:
            return {"action": "abort"}
        message["raw_message"] = [{"type": "text", "data": text.replace("tea", "green tea")}]
        return {"modified_kwargs": {"message": message}}

    @HookHandler("send_service.before_send", name="shouts")
    async def shouts(self, message, **kwargs):
        for segment in message["raw_message"]:
            segment["data"] = f"{segment['data']}!"
        return {"modified_kwargs": {"message": message}}


def create_plugin():
    return Shouts()
