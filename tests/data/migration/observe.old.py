from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep(stage="process", observe=True)
    async def watch(self, context, message, **kwargs):
        self.ctx.logger.info("seen %s", message["message_id"])


def create_plugin():
    return P()
