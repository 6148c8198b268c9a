"""Settings are followed while the host runs, as far as that can be done; a wrong file changes nothing."""

import asyncio
from pathlib import Path

from host import Host, Settings
from host.hooks import HookSettings
from host.models import ModelSettings
from host.settings import BotSettings, WebSettings
from tests.cli.running import LIMIT_S, line_with, started, write_plugin

SUBSCRIBER = """
from maibot_sdk import MaiBotPlugin, ON_BOT_CONFIG_RELOAD

class Subscriber(MaiBotPlugin):
    config_reload_subscriptions = [ON_BOT_CONFIG_RELOAD]

    async def on_load(self): ...

    async def on_config_update(self, scope, config_data, version):
        self.ctx.logger.warning("told: %s %s", scope, config_data["nickname"])
        config_data.clear()

def create_plugin():
    return Subscriber()
"""
NOT_SUBSCRIBED = SUBSCRIBER.replace("config_reload_subscriptions = [ON_BOT_CONFIG_RELOAD]", "")
BREAKS = SUBSCRIBER.replace("config_data.clear()", "raise ValueError('on purpose')")


async def test_an_order_counts_from_the_next_dispatch_and_the_bots_names_from_the_next_message(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    hook = "send_service.before_send"
    async with Host(settings) as host:
        order = HookSettings.model_validate({hook: {"order": ["maibot-host.send-modifier"]}})
        bot = BotSettings(nickname="Nora")
        later = await host.take_over(settings.model_copy(update={"hooks": order, "bot": bot}))
        assert later == []
        (row,) = [row for row in host.hooks.describe() if row.spec.name == hook]
        assert [handler.plugin_id for handler in row.placed] == ["maibot-host.send-modifier"]
        assert host.settings.bot.nickname == "Nora"
        await host.take_over(settings)
        (row,) = [row for row in host.hooks.describe() if row.spec.name == hook]
        assert row.placed == frozenset()


async def test_what_counts_from_the_next_start_only_is_named(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    async with Host(settings) as host:
        changed = {"web": WebSettings(port=1), "hooks": HookSettings(strict_modes=True)}
        assert await host.take_over(settings.model_copy(update=changed)) == ["web", "hooks"]


async def test_plugins_that_asked_for_it_are_told_of_the_bots_configuration(tmp_path: Path, logged: list[str]) -> None:
    plugins = write_plugin(tmp_path / "plugins", "a.breaks", BREAKS)
    write_plugin(plugins, "b.asked", SUBSCRIBER)
    write_plugin(plugins, "c.not", NOT_SUBSCRIBED)
    settings = Settings(data_dir=tmp_path / "data", plugin_dirs=(plugins,), bundled_plugins=False)
    async with Host(settings) as host:
        await host.take_over(settings.model_copy(update={"bot": BotSettings(nickname="Nora")}))
        problems = {plugin.id: plugin.config_problem for plugin in host.plugins}
    assert problems["a.breaks"] is not None
    assert "on purpose" in problems["a.breaks"].text()
    assert (problems["b.asked"], problems["c.not"]) == (None, None)


async def test_plugins_that_asked_for_it_are_told_of_the_models_without_their_keys(
    tmp_path: Path, logged: list[str]
) -> None:
    asks = SUBSCRIBER.replace("[ON_BOT_CONFIG_RELOAD]", '["model"]').replace('["nickname"]', '["providers"]')
    plugins = write_plugin(tmp_path / "plugins", "b.asked", asks)
    settings = Settings(data_dir=tmp_path / "data", plugin_dirs=(plugins,), bundled_plugins=False)
    provider = {"name": "somewhere", "kind": "openai", "base_url": "https://example.org", "api_key": "very-secret"}
    models = ModelSettings.model_validate({"providers": [provider]})
    async with Host(settings) as host:
        assert await host.take_over(settings.model_copy(update={"models": models})) == []
        assert await host.take_over(settings.model_copy(update={"models": models})) == []
    (told,) = [line for line in logged if "told: model" in line]
    assert "https://example.org" in told
    assert "very-secret" not in told


async def test_the_settings_file_is_followed_and_a_wrong_one_is_told_and_changes_nothing(tmp_path: Path) -> None:
    plugins = write_plugin(tmp_path / "plugins", "b.asked", SUBSCRIBER)
    write_plugin(plugins, "c.not", NOT_SUBSCRIBED)
    file = tmp_path / "host.toml"
    file.write_text('[bot]\nnickname = "Early"\n', encoding="utf-8")
    async with started("run", "--no-web", "--plugins", str(plugins), cwd=tmp_path) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        await line_with(process, "Early is here")

        async def log_line(text: bytes) -> bytes:
            assert process.stderr is not None
            async with asyncio.timeout(LIMIT_S):
                while text not in (line := await process.stderr.readline()):
                    pass
            return line

        file.write_text("[bot]\nnickname = 7\n", encoding="utf-8")
        await log_line(b"The settings stay as they were")
        assert b"host.toml:2" in await log_line(b"bot.nickname is 7")
        file.write_text('[bot]\nnickname = "Late"\n[web]\nport = 9\n', encoding="utf-8")
        assert b"b.asked told: bot Late" in await log_line(b"told:")
        assert b"web" in await log_line(b"from the next start")
        process.stdin.write(b"Who are you?\n")
        await line_with(process, "I am Late")
