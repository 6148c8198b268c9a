from maibot_sdk import MaiBotPlugin, HookHandler


class P(MaiBotPlugin):
    @HookHandler("chat.receive.after_process", name="a")
    async def a(self, message, **kwargs):
        if message["processed_plain_text"]:
            # TODO(migrate): What is returned here cannot be followed: self.judge(message). Return action and modified_kwargs.
            return await self.judge(message)
        # TODO(migrate): What is returned here cannot be followed: True, message. Return action and modified_kwargs.
        return True, message

    @HookHandler("chat.receive.after_process", name="b")
    async def b(self, message, **kwargs):
        # TODO(migrate): Which result self.word is cannot be told. Make it "continue" or "abort".
        return {"action": self.word}

    @HookHandler("chat.receive.after_process", name="c")
    async def c(self, message, **kwargs):
        # TODO(migrate): hook_result is a word of the old result; the host does not know it. Use action and modified_kwargs.
        fields = ("hook_result", "modified_message")
        # TODO(migrate): What is returned here cannot be followed: zip(fields, ("continue", message)). Return action and modified_kwargs.
        return dict(zip(fields, ("continue", message)))

    def told(self, message):
        # TODO(migrate): hook_result is a word of the old result; the host does not know it. Use action and modified_kwargs.
        return {"hook_result": "continue"}

    async def on_load(self):
        # TODO(migrate): hook_result is a word of the old result; the host does not know it. Use action and modified_kwargs.
        assert self.told({})["hook_result"]

    @HookHandler("chat.receive.after_process", name="d")
    async def d(self, message, **kwargs):
        # TODO(migrate): What is returned here cannot be followed: self.told(message). Return action and modified_kwargs.
        return self.told(message)


def create_plugin():
    return P()
