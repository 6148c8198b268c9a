"""Decides on its scopes when it is made."""
from maibot_sdk import ON_MODEL_CONFIG_RELOAD, MaiBotPlugin


class Plugin(MaiBotPlugin):
    def __init__(self):
        super().__init__()
        self.config_reload_subscriptions = [ON_MODEL_CONFIG_RELOAD]


def create_plugin():
    return Plugin()
