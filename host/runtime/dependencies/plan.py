"""What plugins need of each other and of the host: the order in which they load, and which of them cannot, and why.

All of this is pure: manifests and facts in, a plan out. The same plugins give the same plan in whatever order they
are given.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from host.runtime.dependencies.graph import Graph, cycles_through, load_order, spread
from host.runtime.dependencies.packages import InstalledPackages
from host.runtime.dependencies.reasons import (
    BlockedError,
    DependencyBlocked,
    DependencyCycle,
    DependencyMissing,
    DependencyVersion,
    HostTooNew,
    HostTooOld,
    PackagesHeld,
    PackagesMissing,
    Reason,
    Trouble,
)
from host.runtime.manifests.manifest import Manifest
from host.runtime.manifests.versions import HostVersions, Release, VersionRange, fits


@dataclass(frozen=True, slots=True)
class LoadPlan:
    """In which order plugins load, and which cannot be loaded.

    Args:
        order: ids of those that load, each after all that it needs; where that leaves a choice, by id in code-point
            order.
        blocked: why each of the others cannot be loaded.
        manifests: what was planned, by id in code-point order; those in `unusable` that have one are among them.
        unusable: plugins that were known to be unusable before.
    """

    order: tuple[str, ...]
    blocked: Mapping[str, BlockedError]
    manifests: Mapping[str, Manifest]
    unusable: Mapping[str, Trouble]

    @property
    def unload_order(self) -> tuple[str, ...]:
        """The order in which they go: each before all that it needs."""
        return self.order[::-1]

    def needs(self, plugin_id: str) -> list[str]:
        """The ids that a plugin's manifest names as dependencies, there or not; none for one without a manifest."""
        manifest = self.manifests.get(plugin_id)
        return sorted(manifest.needed_plugins) if manifest else []

    def dependents_of(self, plugin_id: str) -> tuple[str, ...]:
        """Those that load and need a plugin, directly or by way of others, in the order in which they load."""
        dependents = {plugin_id}
        for other in self.order:
            if not dependents.isdisjoint(self.needs(other)):
                dependents.add(other)
        return tuple(other for other in self.order if other in dependents and other != plugin_id)


def plan(
    manifests: Iterable[Manifest],
    versions: HostVersions,
    packages: InstalledPackages,
    *,
    unusable: Mapping[str, Trouble] | None = None,
) -> LoadPlan:
    """Decide what can be loaded, and in which order.

    A plugin is blocked when the host or the SDK is below its minimum, when a plugin that it needs is missing, has a
    version that does not fit, needs it in turn or is blocked itself, or when a Python package that it needs is missing.
    All reasons of a plugin are told. All other plugins load.

    Args:
        manifests: of the plugins there are; their ids differ.
        versions: the releases that the host offers.
        packages: the Python packages that are installed.
        unusable: ids of plugins that cannot be used for another reason (their manifest is refused, they are switched
            off, their code failed), and that reason. They are not in the order; what needs them is blocked.
    """
    unusable = unusable or {}
    by_id = {manifest.id: manifest for manifest in sorted(manifests, key=lambda each: each.id)}
    candidates = [plugin_id for plugin_id in by_id if plugin_id not in unusable]
    graph = _graph(candidates, by_id, unusable)
    order = load_order(graph)
    cycles = {plugin_id: cycles_through(graph, plugin_id) for plugin_id in graph.keys() - set(order)}
    reasons: dict[str, list[Reason]] = {
        plugin_id: [
            *_of_versions(by_id[plugin_id], versions),
            *_of_dependencies(by_id[plugin_id], by_id, unusable),
            *_of_packages(by_id[plugin_id], packages),
            *(DependencyCycle(cycle) for cycle in cycles.get(plugin_id, [])[:1]),
        ]
        for plugin_id in candidates
    }
    why: dict[str, Reason | Trouble] = {plugin_id: own[0] for plugin_id, own in reasons.items() if own}
    why |= unusable
    roots = spread(graph, why)
    for plugin_id, own in reasons.items():
        # What is on a cycle with it is told as that cycle.
        on_cycle = {cycle[1] for cycle in cycles.get(plugin_id, ())}
        blocked_ones = (each for each in sorted(graph[plugin_id]) if each in roots and each not in on_cycle)
        own += [DependencyBlocked(each, roots[each], why[roots[each]]) for each in blocked_ones]
    blocked = {plugin_id: BlockedError(plugin_id, own) for plugin_id, own in reasons.items() if own}
    loading = tuple(plugin_id for plugin_id in order if plugin_id not in roots)
    return LoadPlan(order=loading, blocked=blocked, manifests=by_id, unusable=unusable)


def _graph(candidates: Iterable[str], manifests: Mapping[str, Manifest], unusable: Mapping[str, Trouble]) -> Graph:
    """What each plugin needs of what is there; what is unusable needs nothing any more."""
    graph: dict[str, frozenset[str]] = dict.fromkeys(unusable, frozenset())
    for plugin_id in candidates:
        needed = manifests[plugin_id].needed_plugins
        graph[plugin_id] = frozenset(each for each in needed if each in manifests or each in unusable)
    return graph


def _of_versions(manifest: Manifest, versions: HostVersions) -> Iterator[Reason]:
    ranges: list[tuple[Literal["MaiBot", "SDK"], VersionRange, Release]] = [
        ("MaiBot", manifest.host_application, versions.host),
        ("SDK", manifest.sdk, versions.sdk),
    ]
    for what, made_for, offered in ranges:
        if made_for.begins_above(offered):
            yield HostTooOld(what, made_for.min_version, str(offered))
        elif versions.strict and made_for.ends_below(offered):
            yield HostTooNew(what, made_for.max_version, str(offered))


def _of_dependencies(
    manifest: Manifest, manifests: Mapping[str, Manifest], unusable: Mapping[str, Trouble]
) -> Iterator[Reason]:
    for plugin_id, spec in sorted(manifest.needed_plugins.items(), key=lambda needed: needed[0]):
        if plugin_id not in manifests:
            if plugin_id not in unusable:
                yield DependencyMissing(plugin_id)
        elif not fits(spec, manifests[plugin_id].version):
            yield DependencyVersion(plugin_id, str(spec), manifests[plugin_id].version)


def _of_packages(manifest: Manifest, packages: InstalledPackages) -> Iterator[Reason]:
    needs = packages.unmet([manifest])
    if missing := tuple(need for need in needs if not need.held):
        yield PackagesMissing(missing)
    if held := tuple(need for need in needs if need.held):
        yield PackagesHeld(held)
