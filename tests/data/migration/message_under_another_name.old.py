from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep("rename", "process")
    async def rename(self, ctx, msg, **kw):
        def text():
            return msg["processed_plain_text"] + f"{msg['platform']}"

        msg = dict(msg, processed_plain_text=text())
        return {"hook_result": "continue", "modified_message": msg}


def create_plugin():
    return P()
