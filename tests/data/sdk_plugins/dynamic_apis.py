"""Registers, replaces and withdraws APIs while running."""
from maibot_sdk import API, MaiBotPlugin


class Plugin(MaiBotPlugin):
    @API("static")
    async def static(self, **kwargs): ...


def create_plugin():
    return Plugin()


ANSWERS = {"api.replace_dynamic": {"success": True, "count": 1}}


async def story(plugin):
    told = []

    async def later(**kwargs):
        return {"later": kwargs}

    def at_once(**kwargs):
        return [kwargs]

    told.append(plugin.register_dynamic_api(" a.b ", later, description=" d ", version=" ", public=1, color="red"))
    told.append(plugin.register_dynamic_api("a.b", at_once, version="2", dynamic="no", handler_name=" h "))
    told.append(plugin.register_dynamic_api("c", at_once, version=3, handler_name="h"))
    told.append(plugin.get_components())
    told.append(await plugin.sync_dynamic_apis(offline_reason="gone"))
    told.append(await plugin.invoke_component("h", x=1))
    told.append(await plugin.invoke_component("dynamic_api__a.b__1", y=2))
    for name in ("static", "a.b", " h ", "missing"):
        try:
            told.append(await plugin.invoke_component(name))
        except AttributeError:
            told.append(f"no {name}")
    for name, version in ((" a.b", "2 "), ("a.b", "2"), ("", "1"), (None, None), ("c", "3")):
        told.append(plugin.unregister_dynamic_api(name, version=version))
        told.append(plugin.get_dynamic_api_components())
    listed = plugin.get_dynamic_api_components()
    listed[0]["metadata"]["color"] = "blue"
    told.append(plugin.get_dynamic_api_components())
    told.append(plugin.clear_dynamic_apis())
    told.append(await plugin.sync_dynamic_apis(offline_reason=""))
    for name, extra in (("", {}), (None, {}), ("x", {"handler_name": "  "})):
        try:
            told.append(plugin.register_dynamic_api(name, later, **extra))
        except ValueError:
            told.append("ValueError")
    return told
