from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep(stage="pre_" "process")
    async def check(self, **kwargs):
        return None


def create_plugin():
    return P()
