from maibot_sdk import *  # noqa: F403


class P(MaiBotPlugin):
    @WorkflowStep(stage="process", priority=2)
    async def a(self, context, message, **kwargs):
        return {"hook_result": "continue"}


def create_plugin():
    return P()
