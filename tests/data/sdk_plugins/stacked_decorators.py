"""More than one decorator on a function."""
import functools

from maibot_sdk import API, Command, HookHandler, LLMProvider, MaiBotPlugin, Tool


def logged(function):
    @functools.wraps(function)
    async def wrapper(self, **kwargs):
        return await function(self, **kwargs)

    return wrapper


def forgetful(function):
    async def wrapper(self, **kwargs):
        return await function(self, **kwargs)

    return wrapper


class Plugin(MaiBotPlugin):
    @Command("outer")
    @API("inner")
    async def both(self, **kwargs): ...

    @LLMProvider("p", name=" ", version="")
    @Tool("tool beside provider")
    async def provider_too(self, **kwargs): ...

    @logged
    @HookHandler("send_service.after_send", name="wrapped", mode="observe")
    async def wrapped(self, **kwargs): ...

    @forgetful
    @Command("lost")
    async def lost(self, **kwargs): ...


def create_plugin():
    return Plugin()
