from maibot_sdk import (
    HookHandler,  # the new one
    MaiBotPlugin,
    WorkflowStep,  # the old one
)
from maibot_sdk.types import (
    ErrorPolicy,
    HookMode,
)


class P(MaiBotPlugin):
    @HookHandler("chat.receive.after_process", name="new", mode=HookMode.BLOCKING)
    async def new(self, message, **kwargs):
        return {"action": "continue"}

    @WorkflowStep(stage="process", priority=-1)
    async def old(self, context, message, **kwargs):
        return {"hook_result": "continue"}


def create_plugin():
    return P()
