from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep(stage=' PRE_PROCESS ')
    async def check(self, **kwargs):
        return {'hook_result': 'continue'}


def create_plugin():
    return P()
