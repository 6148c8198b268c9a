"""Scopes in odd spellings, and repeated."""
from maibot_sdk import ON_BOT_CONFIG_RELOAD, ON_MODEL_CONFIG_RELOAD, MaiBotPlugin


class Plugin(MaiBotPlugin):
    config_reload_subscriptions = (" Model ", ON_BOT_CONFIG_RELOAD, "BOT", ON_MODEL_CONFIG_RELOAD)


def create_plugin():
    return Plugin()


async def story(plugin):
    told = []
    for scopes in (["self"], ["x"], [None], "bot", 5, None, {"bot"}):
        told_by = type("Subclass", (Plugin,), {"config_reload_subscriptions": scopes})
        try:
            told.append(told_by().get_config_reload_subscriptions())
        except Exception as error:
            told.append(type(error).__name__)
    return told
