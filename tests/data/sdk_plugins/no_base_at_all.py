"""A class that only borrows the collector."""
from maibot_sdk import Command, HookHandler
from maibot_sdk.components import collect_components, collect_llm_providers


class Plugin:
    @Command("a")
    async def a(self, **kwargs): ...

    @HookHandler("chat.receive.after_process")
    async def b(self, **kwargs): ...

    def get_components(self):
        return collect_components(self)

    def get_llm_providers(self):
        return collect_llm_providers(self)


def create_plugin():
    return Plugin()
