from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @staticmethod
    @WorkflowStep("a", "process")
    def a(context, message, **kwargs):
        return {"hook_result": "continue", "modified_message": {**message, "platform": "a"}}


def create_plugin():
    return P()
