from maibot_sdk import MaiBotPlugin, HookHandler
from maibot_sdk.types import HookOrder


class P(MaiBotPlugin):
	@HookHandler("chat.receive.before_process",
		order=HookOrder.EARLY)
	def check(self, message, **kwargs):
		if "buy" in message["processed_plain_text"]:
			return {"action": "abort"}
		return {"action": "continue"}


def create_plugin():
	return P()
