"""Functions are set on the class and on the instance after the fact."""
import functools
import types

from maibot_sdk import API, Command, MaiBotPlugin


@Command("on class")
async def on_class(self, **kwargs): ...


@Command("bound")
async def bound(self, **kwargs): ...


@API("plain")
def plain(**kwargs): ...


@Command("partial")
def partial(self, **kwargs): ...


class Callable:
    @Command("call")
    def __call__(self, **kwargs): ...


class Plugin(MaiBotPlugin):
    listed = [on_class]
    callable = Callable()

    def __init__(self):
        super().__init__()
        self.bound = types.MethodType(bound, self)
        self.plain = plain
        self.partial = functools.partial(partial, self)
        self.other_name = self.bound


Plugin.grafted = on_class


def create_plugin():
    return Plugin()
