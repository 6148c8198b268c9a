from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
	@WorkflowStep(stage="pre_process",
		priority=1)
	def check(self, context, message, **kwargs):
		if "buy" in message["processed_plain_text"]:
			return {"hook_result": "abort"}
		return {"hook_result": "continue"}


def create_plugin():
	return P()
