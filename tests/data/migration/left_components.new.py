from maibot_sdk import MaiBotPlugin
from maibot_sdk.types import ComponentType


class P(MaiBotPlugin):
    def get_components(self):
        # TODO(migrate): A component of type workflow_step is refused. Declare the handler with @HookHandler.
        return [
            {"name": "old", "type": "workflow_step", "metadata": {}},
            {"name": "older", "type": ComponentType.WORKFLOW_STEP, "metadata": {}},
        ]


def create_plugin():
    return P()
