from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    @WorkflowStep("a", "process")
    async def a(self, context, message, **kwargs):
        result = {"hook_result": "continue"}
        if "buy now" in message["processed_plain_text"]:
            result["hook_result"] = "abort"
            return result
        if message["processed_plain_text"]:
            message["platform"] = "a"
            result["modified_message"] = message
            result["modified_message"]["platform"] += "!"
        if result.get("hook_result") == "continue" and result["hook_result"] != "abort":
            result.update({"reason": "fine"})
        return result

    @WorkflowStep("b", "process")
    async def b(self, context, message, **kwargs):
        answer: dict = dict(hook_result="continue")
        message["platform"] += "b"
        answer.update(hook_result="continue", modified_message=message)
        return answer


def create_plugin():
    return P()
