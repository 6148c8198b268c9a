from maibot_sdk import MaiBotPlugin, HookHandler


class P(MaiBotPlugin):
    @HookHandler("chat.receive.after_process", name="a")
    async def a(self, message, **kwargs):
        result = {"action": "continue"}
        if "buy now" in message["processed_plain_text"]:
            result["action"] = "abort"
            return result
        if message["processed_plain_text"]:
            message["platform"] = "a"
            result["modified_kwargs"] = {"message": message}
            result["modified_kwargs"]["message"]["platform"] += "!"
        if result.get("action") == "continue" and result["action"] != "abort":
            result.update({"reason": "fine"})
        return result

    @HookHandler("chat.receive.after_process", name="b")
    async def b(self, message, **kwargs):
        answer: dict = dict(action="continue")
        message["platform"] += "b"
        answer.update(action="continue", modified_kwargs={"message": message})
        return answer


def create_plugin():
    return P()
