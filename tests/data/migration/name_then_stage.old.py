from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep("look", "process")
    def look_at_it(self, context, message):
        return {"hook_result": "continue"}


def create_plugin():
    return P()
