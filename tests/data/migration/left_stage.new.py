from maibot_sdk import MaiBotPlugin, WorkflowStep, HookHandler


def pick():
    return 'plan'


class P(MaiBotPlugin):
    # TODO(migrate): "thinking" is no stage; allowed are ingress, pre_process, process, plan, tool_execute, post_process, egress, finalize. Correct it, and migrate again.
    @WorkflowStep("a", "thinking")
    async def a(self, context, message, **kwargs):
        return {"hook_result": "abort"}

    # TODO(migrate): The stage pick() cannot be told from the source; allowed are ingress, pre_process, process, plan, tool_execute, post_process, egress, finalize. Write it as text, and migrate again.
    @WorkflowStep("b", pick())
    async def b(self, context, message, **kwargs):
        return {"hook_result": "abort"}

    # TODO(migrate): No stage is given; allowed are ingress, pre_process, process, plan, tool_execute, post_process, egress, finalize. Add it, and migrate again.
    @WorkflowStep("c")
    async def c(self, context, message, **kwargs):
        return {"hook_result": "abort"}

    @HookHandler("chat.receive.after_process")
    async def d(self, message, **kwargs):
        return {"action": "abort"}


def create_plugin():
    return P()
