"""``maibot-host migrate``: plugins for SDK 1 become plugins for SDK 2."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from host.cli.locale import choose_locale
from host.cli.options import Language, fail, say
from host.cli.texts import CLI_TEXTS
from host.hooks.texts import Locale
from host.runtime import MANIFEST_FILE

if TYPE_CHECKING:
    from host.authoring.migration import FileChange


def migrate_command(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Plugin folders, folders of them, or files.")],
    write: Annotated[bool, typer.Option("--write", help="Write the files, each with a backup beside it.")] = False,
    keep_abort: Annotated[
        bool, typer.Option("--keep-abort", help="Keep the old default: a failure ends what the hook is about.")
    ] = False,
    plugin_id: Annotated[
        str | None,
        typer.Option("--id", metavar="ID", help="The id of a plugin whose manifest has none that can be used."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
    lang: Language = None,
) -> None:
    """Bring plugins from WorkflowStep (SDK 1) to HookHandler (SDK 2), and manifests to version 2.

    Prints a unified diff unless it writes. Exit code 1 if anything is left to do by hand, 2 if there is nothing
    to read.
    """
    # What reads the sources takes longer to import than all the rest, and no other command needs it.
    from host.authoring.migration import is_plugin_id, migrate

    locale = choose_locale(lang or "auto")
    for path in paths:
        if not path.exists():
            fail(CLI_TEXTS.render("migrate_nothing", {"path": path}, locale))
    if plugin_id is not None and not is_plugin_id(plugin_id):
        fail(CLI_TEXTS.render("migrate_bad_id", {"found": plugin_id}, locale))
    changes = migrate(paths, keep_abort=keep_abort, plugin_id=plugin_id, locale=locale)
    if not changes:
        fail(CLI_TEXTS.render("migrate_nothing", {"path": ", ".join(map(str, paths))}, locale))
    if plugin_id is not None and sum(change.path.name == MANIFEST_FILE for change in changes) > 1:
        fail(CLI_TEXTS.render("migrate_one_id", {"found": plugin_id}, locale))
    backups = _write(changes, locale) if write else {}
    left = any(change.left for change in changes)
    if as_json:
        say(_as_json(changes, backups, write, locale))
    else:
        if not write:
            sys.stdout.buffer.write(b"".join(change.diff() for change in changes))
            sys.stdout.flush()
        # Beside the diff, so that it can be piped into a patch.
        for line in _lines(changes, backups, locale):
            sys.stderr.write(f"{line}\n")
    raise typer.Exit(1 if left else 0)


def _write(changes: Sequence["FileChange"], locale: Locale) -> dict[Path, Path]:
    from host.authoring.migration import ChangedMeanwhileError

    backups: dict[Path, Path] = {}
    for change in changes:
        if change.changed:
            try:
                backups[change.path] = change.write()
            except ChangedMeanwhileError as error:
                fail(CLI_TEXTS.render("migrate_changed", {"path": error.path}, locale))
            except OSError as error:
                fail(CLI_TEXTS.render("cannot_write", {"path": change.path, "why": error.strerror}, locale))
    return backups


def _lines(changes: Sequence["FileChange"], backups: Mapping[Path, Path], locale: Locale) -> Iterator[str]:
    for change in changes:
        if change.path in backups:
            fields = {"path": change.path, "backup": backups[change.path]}
            yield CLI_TEXTS.render("migrate_written", fields, locale)
        for code, remarks in (("migrate_note", change.notes), ("migrate_left", change.left)):
            for remark in remarks:
                place = f"{change.path}:{remark.line}" if remark.line else f"{change.path}"
                yield CLI_TEXTS.render(code, {"place": place, "text": remark.text(locale)}, locale)
    counts = {
        "files": len(changes),
        "changed": sum(change.changed for change in changes),
        "left": sum(len(change.left) for change in changes),
    }
    yield CLI_TEXTS.render("migrate_sum", counts, locale)


def _as_json(changes: Sequence["FileChange"], backups: Mapping[Path, Path], written: bool, locale: Locale) -> str:
    files = [
        change.as_dict(locale) | {"backup": str(backups[change.path]) if change.path in backups else None}
        for change in changes
        if change.changed or change.left
    ]
    content = {"ok": not any(change.left for change in changes), "written": written, "files": files}
    return json.dumps(content, ensure_ascii=False, indent=2)
