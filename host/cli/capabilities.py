"""``maibot-host plugins caps``: what a plugin may ask of the host, taken away and given back."""

from collections.abc import Iterable

from rich.table import Table
from rich.text import Text

from host.cli.desk import Desk
from host.cli.options import say, table_console
from host.cli.plugin_pages import printable
from host.cli.texts import CLI_TEXTS
from host.hooks.texts import Locale
from webui_api.plugin_capabilities import CapabilityList, CapabilityView, Decision

_STYLES = {"cap_granted": "green", "cap_revoked": "red", "cap_not_listed": "yellow", "cap_unavailable": "dim"}


def decide(desk: Desk, plugin_id: str, grant: Iterable[str], revoke: Iterable[str]) -> CapabilityList:
    """Do what an owner decides about capabilities of a plugin; gives how it stands then.

    Args:
        desk: where it is done.
        plugin_id: the plugin.
        grant: names of what is given back.
        revoke: names of what is taken away.
    """
    found = desk.source.capabilities(plugin_id)
    for decision, names in ((Decision.GRANT, grant), (Decision.REVOKE, revoke)):
        for name in names:
            found = desk.source.decide(plugin_id, name, decision)
    return found


def print_capabilities(found: CapabilityList, locale: Locale) -> None:
    """Print a line for each capability."""
    if not found.capabilities:
        say(printable(CLI_TEXTS.render("no_capabilities", {"id": found.plugin}, locale)))
        return
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in ("label_capability", "label_may", "label_uses", "label_denials"):
        table.add_column(CLI_TEXTS.render(column, {}, locale), overflow="fold")
    for each in found.capabilities:
        code = _standing(each)
        may = Text(CLI_TEXTS.render(code, {}, locale), style=_STYLES[code])
        table.add_row(Text(printable(each.name)), may, Text(str(each.uses)), Text(str(each.denials)))
    table_console().print(table)


def _standing(each: CapabilityView) -> str:
    if each.revoked:
        return "cap_revoked"
    if not each.listed:
        return "cap_not_listed"
    return "cap_unavailable" if each.available is False else "cap_granted"
