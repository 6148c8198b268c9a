# -*- coding: gbk -*-
from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep(stage="ingress", description="拦下广告")
    async def check(self, context, message, **kwargs):
        return {"hook_result": "continue"}


def create_plugin():
    return P()
