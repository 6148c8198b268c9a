"""Static and class methods, the decorator on either side."""
from maibot_sdk import API, Command, LLMProvider, MaiBotPlugin


class Plugin(MaiBotPlugin):
    @staticmethod
    @Command("static inside")
    def a(**kwargs): ...

    @Command("static outside")
    @staticmethod
    def b(**kwargs): ...

    @classmethod
    @API("class inside")
    def c(cls, **kwargs): ...

    @API("class outside")
    @classmethod
    def d(cls, **kwargs): ...

    @staticmethod
    @LLMProvider("static provider")
    def e(): ...


def create_plugin():
    return Plugin()
