from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep(stage="pre_process", blocking=True)
    async def on_pre_process(self, **kwargs):
        ...


def create_plugin():
    return P()
