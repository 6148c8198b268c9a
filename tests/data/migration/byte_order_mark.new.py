# 过滤广告
from maibot_sdk import MaiBotPlugin, HookHandler


class P(MaiBotPlugin):
    @HookHandler("chat.receive.before_process", name="过滤", description="拦下广告")
    async def 过滤(self, message, **kwargs):
        if "广告" in message["processed_plain_text"]:
            return {"action": "abort"}  # 到此为止
        return {"action": "continue"}


def create_plugin():
    return P()