from collections import Counter

from host.bub import AdmitDecision, hookimpl


class Answers:
    def __init__(self, framework):
        self.turns = Counter()
        self.log = []

    @hookimpl
    def admit_message(self, message):
        return AdmitDecision("drop") if "never mind" in message["content"] else None

    @hookimpl
    def load_state(self, session_id):
        return {"turn": self.turns[session_id] + 1}

    @hookimpl
    def build_prompt(self, message, state):
        return f"{state['turn']}: {message['content']}"

    @hookimpl
    async def run_model(self, prompt):
        if "fail" in prompt:
            raise RuntimeError("no answer")
        return f"you said {prompt}"

    @hookimpl
    def save_state(self, session_id, model_output):
        self.turns[session_id] += 1
        self.log.append(f"saved {model_output}")

    @hookimpl
    def render_outbound(self, state):
        return [{"content": "welcome"}] if state["turn"] == 1 else None

    @hookimpl
    def dispatch_outbound(self, message):
        self.log.append(f"sent {message['content']}")

    @hookimpl
    def on_error(self, stage, error):
        self.log.append(f"error {stage}: {error}")


plugin = Answers
