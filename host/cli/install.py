"""``maibot-host plugins install-deps``: the Python packages that plugins need, installed on the owner's word only."""

from shlex import join

import typer

from host.app import plugin_roots
from host.cli.options import fail, say
from host.cli.texts import CLI_TEXTS
from host.hooks.texts import Locale
from host.runtime.dependencies.packages import InstalledPackages, InstallError, install, install_command
from host.runtime.records import Records
from host.settings import Settings


def install_dependencies(settings: Settings, locale: Locale, *, yes: bool) -> int:
    """Show what is missing and what would be run, and run it if the owner agrees.

    What the host itself runs on is never changed, and nothing is installed in the place of its own SDK.

    Args:
        settings: where the plugins lie.
        locale: of what is said.
        yes: whether the owner has agreed already.

    Returns:
        The exit code: 1 when something is still missing at the end.
    """
    records = Records(tuple(plugin_roots(settings)), settings.plugins.versions())
    records.look()
    installed = InstalledPackages.here()
    needs = installed.unmet(plugin.manifest for plugin in records if plugin.manifest is not None)
    if not needs:
        say(CLI_TEXTS.render("deps_complete", {}, locale))
        return 0
    for need in needs:
        say(f"  {need.text(locale)}  ({', '.join(need.plugins)})")
    held = [need for need in needs if need.held]
    if held:
        say(CLI_TEXTS.render("deps_held", {"names": ", ".join(need.name for need in held)}, locale))
    if len(held) == len(needs):
        return 1
    say(CLI_TEXTS.render("deps_command", {"command": join(install_command(needs))}, locale))
    if not yes and not typer.confirm(CLI_TEXTS.render("deps_confirm", {}, locale), default=False):
        say(CLI_TEXTS.render("deps_nothing_done", {}, locale))
        return 1
    try:
        install(needs, installed)
    except InstallError as error:
        fail(error.text(locale), 1)
    return 1 if held else 0
