from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep(
        "shout",
        "post_process",
        priority=0
    )
    async def shout(self, context, message, **kwargs):
        return None


def create_plugin():
    return P()
