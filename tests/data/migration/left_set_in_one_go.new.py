from maibot_sdk import MaiBotPlugin, HookHandler


class P(MaiBotPlugin):
    @HookHandler("chat.receive.after_process", name="a")
    async def a(self, message, **kwargs):
        result = {}
        # TODO(migrate): hook_result is a word of the old result; the host does not know it. Use action and modified_kwargs.
        result["hook_result"], result["modified_message"] = "continue", message
        # TODO(migrate): What is returned here cannot be followed: result. Return action and modified_kwargs.
        return result

    @HookHandler("chat.receive.after_process", name="b")
    async def b(self, message, **kwargs):
        result: dict = {"action": "continue"}
        result["modified_kwargs"]: dict = {"message": {**message, "platform": "b"}}
        return result


def create_plugin():
    return P()
