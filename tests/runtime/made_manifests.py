"""Manifests in a line, and hosts to measure them against, for the tests of what plugins need."""

from typing import Any

from hypothesis import strategies as st

from host.runtime.dependencies.packages import InstalledPackages
from host.runtime.dependencies.plan import LoadPlan, plan
from host.runtime.dependencies.reasons import Reason, Trouble
from host.runtime.manifests.manifest import Manifest
from host.runtime.manifests.versions import HostVersions
from tests.runtime.plugin_folders import manifest

NOTHING_INSTALLED = InstalledPackages({}, frozenset())

IDS = [f"p.{letter}" for letter in "abcdefgh"]
NEEDS = st.sets(st.sampled_from([*IDS, "p.gone", *(f"{each} >=2" for each in IDS[:3])]), max_size=3)
GRAPHS = st.dictionaries(st.sampled_from(IDS), NEEDS, max_size=len(IDS))
"""Any few plugins and what each needs: plugins that are there, that are not, and versions that are not."""


def made(plugin_id: str, *needs: str, packages: tuple[str, ...] = (), **changes: Any) -> Manifest:
    """A manifest.

    Args:
        plugin_id: its id.
        needs: the plugins that it needs, each an id and, after a space, the versions that would do.
        packages: the Python packages that it needs, in the same way.
        changes: of other keys.
    """
    dependencies = [
        {"type": kind, key: name, "version_spec": spec}
        for kind, key, written in (("plugin", "id", needs), ("python_package", "name", packages))
        for name, _, spec in (each.partition(" ") for each in written)
    ]
    return Manifest.model_validate(manifest(plugin_id, dependencies=dependencies, **changes))


def planned(*manifests: Manifest, unusable: dict[str, Trouble] | None = None) -> LoadPlan:
    """The plan for a host that has no Python packages."""
    return plan(manifests, HostVersions(), NOTHING_INSTALLED, unusable=unusable)


def reasons(load_plan: LoadPlan) -> dict[str, list[Reason]]:
    """The reasons of each blocked plugin."""
    return {plugin_id: list(error.reasons) for plugin_id, error in load_plan.blocked.items()}


def manifests_of(graph: dict[str, set[str]]) -> list[Manifest]:
    """The plugins of a graph, all of version 1.0.0."""
    return [made(plugin_id, *sorted(needs), version="1.0.0") for plugin_id, needs in graph.items()]
