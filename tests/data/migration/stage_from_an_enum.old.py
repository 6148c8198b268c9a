from maibot_sdk import MaiBotPlugin, WorkflowStep
from maibot_sdk.types import HookResult, WorkflowStage


class P(MaiBotPlugin):
    @WorkflowStep("check", WorkflowStage.PRE_PROCESS)
    async def check(self, context: "object", message: dict, **kwargs) -> dict:
        if not message["processed_plain_text"]:
            return {"hook_result": HookResult.ABORT}
        return {"hook_result": HookResult.CONTINUE.value}


def create_plugin():
    return P()
