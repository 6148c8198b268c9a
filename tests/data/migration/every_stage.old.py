from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep(stage="ingress")
    async def a(self, **kwargs): ...

    @WorkflowStep(stage="pre_process")
    async def b(self, **kwargs): ...

    @WorkflowStep(stage="process")
    async def c(self, **kwargs): ...

    @WorkflowStep(stage="plan")
    async def d(self, **kwargs): ...

    @WorkflowStep(stage="tool_execute")
    async def e(self, **kwargs): ...

    @WorkflowStep(stage="post_process")
    async def f(self, **kwargs): ...

    @WorkflowStep(stage="egress")
    async def g(self, **kwargs): ...

    @WorkflowStep(stage="finalize")
    async def h(self, **kwargs): ...


def create_plugin():
    return P()
