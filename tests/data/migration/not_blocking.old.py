from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep("watch", "egress", blocking=False, priority=-1)
    async def watch(self, context, message, **kwargs):
        self.ctx.logger.info("sent %s", message["message_id"])
        return {"hook_result": "continue"}


def create_plugin():
    return P()
