"""The rows of this family in the hook table."""

from dataclasses import dataclass

from host.bub.catalogue import HOOKS, BubHook
from host.bub.framework import Framework
from host.hooks import Implementation

FAMILY = "bub"


@dataclass(frozen=True, slots=True)
class BubRow:
    """One hook, with its implementations in the order in which they run."""

    hook: BubHook
    implementations: tuple[Implementation, ...]


def rows(framework: Framework | None) -> list[BubRow]:
    """All hooks, in the order of the catalogue; none where the family is switched off."""
    if framework is None:
        return []
    return [BubRow(hook, framework.plugins.table.of(name)) for name, hook in HOOKS.items()]
