from maibot_sdk import MaiBotPlugin
from maibot_sdk.types import ComponentType


class P(MaiBotPlugin):
    def get_components(self):
        return [
            {"name": "old", "type": "workflow_step", "metadata": {}},
            {"name": "older", "type": ComponentType.WORKFLOW_STEP, "metadata": {}},
        ]


def create_plugin():
    return P()
