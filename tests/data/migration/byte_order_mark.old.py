# 过滤广告
from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep("过滤", "ingress", "拦下广告")
    async def 过滤(self, context, message, **kwargs):
        if "广告" in message["processed_plain_text"]:
            return {"hook_result": "abort"}  # 到此为止
        return {"hook_result": "continue"}


def create_plugin():
    return P()