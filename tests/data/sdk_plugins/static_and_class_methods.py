"""Static and class methods, with the decorator next to the function."""
from maibot_sdk import API, Command, LLMProvider, MaiBotPlugin


class Plugin(MaiBotPlugin):
    @staticmethod
    @Command("static inside")
    def a(**kwargs): ...

    @classmethod
    @API("class inside")
    def c(cls, **kwargs): ...

    @staticmethod
    @LLMProvider("static provider")
    def e(): ...


def create_plugin():
    return Plugin()
