from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep(stage="pre_process", blocking=True)
    async def a(self, context, message, **kwargs):
        if "boom" in message["processed_plain_text"]:
            raise ValueError("boom")

    @WorkflowStep(
        "b",
        "plan",
    )
    async def b(self, **kwargs):
        return None

    @WorkflowStep(
        name="c",
        stage="egress",
        description="guards",  # what goes out
    )
    async def c(self, message, **kwargs):
        if "boom" in message["processed_plain_text"]:
            raise ValueError("boom")

    @WorkflowStep(stage="egress", observe=True)
    async def d(self, **kwargs):
        return None

    @WorkflowStep("e", "process", error_policy="skip")
    async def e(self, message, **kwargs):
        if "boom" in message["processed_plain_text"]:
            raise ValueError("boom")


def create_plugin():
    return P()
