from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep("process")
    async def look(self, message, **kwargs):
        return None


def create_plugin():
    return P()
