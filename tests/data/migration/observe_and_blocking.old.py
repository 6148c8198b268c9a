from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep(stage="process", blocking=False, observe=True)
    async def watch(self, **kwargs):
        return None

    @WorkflowStep(stage="process", observe=False)
    async def take_part(self, **kwargs):
        return None


def create_plugin():
    return P()
