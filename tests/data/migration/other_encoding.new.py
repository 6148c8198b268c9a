# -*- coding: gbk -*-
from maibot_sdk import MaiBotPlugin, HookHandler


class P(MaiBotPlugin):
    @HookHandler("chat.receive.before_process", description="拦下广告")
    async def check(self, message, **kwargs):
        return {"action": "continue"}


def create_plugin():
    return P()
