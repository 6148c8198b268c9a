"""The context before it is there, and calls that it refuses."""
from maibot_sdk import MaiBotPlugin, PluginContext, PluginPaths


class Plugin(MaiBotPlugin):
    def __init__(self):
        super().__init__()
        try:
            self.ctx
        except RuntimeError:
            self.early = "RuntimeError"


def create_plugin():
    return Plugin()


async def story(plugin):
    told = [plugin.early]
    alone = PluginContext("alone", paths=PluginPaths("d", "r"))
    for use in (
        lambda: alone.call_host_method("nonsense"),
        lambda: alone.send.text("x", "s"),
        lambda: plugin.ctx.call_host_method("nonsense"),
        lambda: plugin.ctx.call_host_method(" cap.call ", plugin_id=" other ", payload=None, timeout_ms=0),
        lambda: plugin.ctx.call_host_method("CAP.CALL"),
        lambda: plugin.ctx.call_capability(""),
        lambda: plugin.ctx.send.custom("t", 1, "s", content=2),
        lambda: plugin.ctx.component.enable_component("n", "workflow_step"),
        lambda: plugin.ctx.component.disable_component("n", " tool "),
    ):
        try:
            told.append(await use())
        except Exception as error:
            told.append(type(error).__name__)
    for change in (lambda: setattr(plugin.ctx, "plugin_id", "x"), lambda: setattr(alone.paths, "data_dir", 1)):
        try:
            told.append(change())
        except Exception as error:
            told.append(type(error).__name__)
    plugin.ctx.send = None
    return [*told, alone.paths, plugin.ctx.send]
