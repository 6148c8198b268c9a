"""``maibot-host plugins remove``: a plugin's folder into the trash, on the owner's word only."""

import typer

from host.cli.desk import Desk
from host.cli.options import say
from host.cli.plugin_pages import printable, standing


def remove_plugin(desk: Desk, plugin_id: str, *, yes: bool) -> int:
    """Show what is to be removed and who needs it, and remove it if the owner agrees.

    Args:
        desk: where to ask.
        plugin_id: which.
        yes: whether the owner has agreed already.

    Returns:
        The exit code: 1 where the owner does not agree.
    """
    if not yes:
        plugin = desk.source.plugin(plugin_id)
        say(standing(plugin, desk.locale))
        say(printable(f"  {plugin.path}"))
        if plugin.dependents:
            say(printable(desk.text("remove_needed", ids=", ".join(each.id for each in plugin.dependents))))
        if not typer.confirm(desk.text("remove_confirm"), default=False):
            say(desk.text("remove_nothing_done"))
            return 1
    removed = desk.source.remove(plugin_id)
    for each in removed.unloaded:
        say(printable(desk.text("remove_unloaded", id=each, needed=removed.id)))
    say(printable(desk.text("removed", id=removed.id, trash=removed.trash)))
    if removed.data is not None:
        say(printable(desk.text("remove_data", path=removed.data)))
    return 0
