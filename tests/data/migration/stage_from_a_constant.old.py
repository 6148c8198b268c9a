from maibot_sdk import MaiBotPlugin, WorkflowStep

STAGE = "finalize"
FIRST = 100


class P(MaiBotPlugin):
    @WorkflowStep(stage=STAGE, priority=FIRST)
    async def check(self, **kwargs):
        return None


def create_plugin():
    return P()
