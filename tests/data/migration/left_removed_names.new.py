from maibot_sdk import MaiBotPlugin, HookHandler
# TODO(migrate): maibot_sdk.types has no WorkflowResult any more. Replace what uses it.
from maibot_sdk.types import WorkflowResult


class P(MaiBotPlugin):
    @HookHandler("chat.receive.after_process", name="a")
    async def a(self, message, **kwargs) -> WorkflowResult:
        return {"action": "continue"}


def create_plugin():
    return P()
