"""Who needs whom, as a graph: its order, its cycles, and how far the trouble of one node reaches."""

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Mapping
from heapq import heapify, heappop, heappush

Graph = Mapping[str, Collection[str]]
"""What each node needs; every node that is needed is a key. Nodes are compared in code-point order."""


def load_order(graph: Graph) -> list[str]:
    """The nodes, each after all that it needs, and the least one first wherever there is a choice.

    Nodes on a cycle, and those that need one, are left out.
    """
    waits_for = {node: len(needed) for node, needed in graph.items()}
    dependents = _dependents(graph)
    ready = [node for node, count in waits_for.items() if not count]
    heapify(ready)
    order = []
    while ready:
        node = heappop(ready)
        order.append(node)
        for dependent in dependents[node]:
            waits_for[dependent] -= 1
            if not waits_for[dependent]:
                heappush(ready, dependent)
    return order


def cycles_through(graph: Graph, node: str) -> list[tuple[str, ...]]:
    """The cycles that a node is on, the shortest first: for each node that it needs and that needs it, one of the
    shortest cycles that begin so. Each begins and ends with the node: ``("b", "c", "b")``."""
    ways = [way for needed in graph[node] if (way := _way(graph, needed, node))]
    return sorted(((node, *way) for way in ways), key=lambda cycle: (len(cycle), cycle))


def spread(graph: Graph, sources: Iterable[str]) -> dict[str, str]:
    """For the sources, and all that need one of them directly or by way of others: the nearest source."""
    nearest = {source: source for source in sorted(sources)}
    dependents = _dependents(graph)
    left = deque(nearest)
    while left:
        node = left.popleft()
        for dependent in dependents[node]:
            if dependent not in nearest:
                nearest[dependent] = nearest[node]
                left.append(dependent)
    return nearest


def _dependents(graph: Graph) -> Mapping[str, list[str]]:
    dependents = defaultdict(list)
    for node in sorted(graph):
        for needed in graph[node]:
            dependents[needed].append(node)
    return dependents


def _way(graph: Graph, start: str, end: str) -> tuple[str, ...]:
    """A shortest way from what is needed to what it needs; empty when there is none."""
    came_from: dict[str, str] = {}
    left = deque([start])
    while left:
        node = left.popleft()
        if node == end:
            way = [node]
            while node != start:
                node = came_from[node]
                way.append(node)
            return tuple(reversed(way))
        for needed in sorted(graph[node]):
            if needed not in came_from and needed != start:
                came_from[needed] = node
                left.append(needed)
    return ()
