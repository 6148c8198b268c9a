"""``maibot-host bub``: the commands that plugins of Bub bring, and one message through their turn alone."""

import asyncio
from typing import Annotated

import typer

from host.bub.framework import Framework
from host.bub.hosting import assembled
from host.bub.options import ModelOptions
from host.cli.locale import choose_locale
from host.cli.options import Config, Data, PluginFolders, say, settings_from
from host.cli.texts import CLI_TEXTS
from host.logs import configure_logs


def bub_command(
    context: typer.Context, plugins: PluginFolders = None, data: Data = None, config: Config = None
) -> None:
    """Commands of Bub's plugins: run MESSAGE, models, onboard, and what plugins register. Try: bub --help."""
    settings = settings_from(config, plugins, data, None)
    configure_logs("WARNING")
    framework = assembled(settings.bub, settings.plugin_dirs, settings.data_dir)
    locale = choose_locale(settings.language)
    for name, status in framework.plugins.statuses.items():
        if not status.is_success:
            say(CLI_TEXTS.render("bub_failed", {"name": name, "detail": status.detail}, locale))
    _app(framework)(context.args, prog_name="maibot-host bub")


def _app(framework: Framework) -> typer.Typer:
    app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)

    @app.command("run")
    def run(
        message: str,
        session: Annotated[str, typer.Option(help="The session that it is of.")] = "cli:local",
    ) -> None:
        """Take one message through the turn of Bub, and print what is sent."""

        async def turn() -> None:
            channel, _, chat = session.partition(":")
            async with framework.running():
                result = await framework.process_inbound(
                    {"channel": channel, "chat_id": chat, "session_id": session, "content": message}
                )
            for outbound in result.outbounds:
                say(str(outbound["content"] if isinstance(outbound, dict) else outbound.content))

        asyncio.run(turn())

    @app.command("models")
    def models(session: str = "cli:local") -> None:
        """Print the models that plugins offer."""
        options: ModelOptions = asyncio.run(framework.model_options(session))
        for choice in options.models:
            say(f"{'*' if choice.id == options.current_model else ' '} {choice.id}")

    @app.command("onboard")
    def onboard(plugin: Annotated[str | None, typer.Option(help="Ask this plugin alone.")] = None) -> None:
        """Ask plugins for their configuration, and print what comes of it."""
        for key, value in framework.onboard_config(plugin).items():
            say(f"{key} = {value!r}")

    framework.runtime.call_many_sync("register_cli_commands", app=app)
    return app
