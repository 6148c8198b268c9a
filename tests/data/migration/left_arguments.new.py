from maibot_sdk import MaiBotPlugin, WorkflowStep

OPTIONS = {"name": "b", "stage": "process"}


class P(MaiBotPlugin):
    # TODO(migrate): WorkflowStep is used without being called. Write @HookHandler("<hook name>") above the handler.
    @WorkflowStep
    async def a(self, context, message, **kwargs):
        return {"hook_result": "abort"}

    # TODO(migrate): The arguments of WorkflowStep(**OPTIONS) cannot be told from the source. Write them one by one, and migrate again.
    @WorkflowStep(**OPTIONS)
    async def b(self, context, message, **kwargs):
        return {"hook_result": "abort"}


def create_plugin():
    return P()
