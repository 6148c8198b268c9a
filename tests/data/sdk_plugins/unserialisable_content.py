"""A declared value that is no JSON."""
from maibot_sdk import HomeCard, MaiBotPlugin


class Plugin(MaiBotPlugin):
    @HomeCard("a", "t", content=object())
    def a(self): ...


def create_plugin():
    return Plugin()
