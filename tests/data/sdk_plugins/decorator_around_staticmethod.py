"""Static and class methods, with the decorator outermost."""
from maibot_sdk import API, Command, MaiBotPlugin


class Plugin(MaiBotPlugin):
    @Command("static outside")
    @staticmethod
    def b(**kwargs): ...

    @API("class outside")
    @classmethod
    def d(cls, **kwargs): ...


def create_plugin():
    return Plugin()
