"""Cards with content of every kind."""
from enum import Enum

from maibot_sdk import HomeCard, MaiBotPlugin


class Kind(Enum):
    CHART = "chart"


class Plugin(MaiBotPlugin):
    @HomeCard(" a ", " Title ", None, width=None, order="5", link_url=" https://example.com ", icon=5)
    def a(self): ...

    @HomeCard("b", "t", [1, (2, 3), {"k": Kind.CHART}], width=" LARGE ", order=2.9, link_label=None)
    def b(self): ...

    @HomeCard(5, 6, b"bytes", description="d", width="odd word", order=True)
    def c(self): ...


def create_plugin():
    return Plugin()
