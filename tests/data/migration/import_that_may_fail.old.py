try:
    from maibot_sdk import MaiBotPlugin, WorkflowStep
except ImportError:
    MaiBotPlugin = object

    def WorkflowStep(*args, **kwargs):
        return lambda function: function


class P(MaiBotPlugin):
    @WorkflowStep(stage="process", priority=2)
    async def a(self, context, message, **kwargs):
        return {"hook_result": "continue"}


def create_plugin():
    return P()
