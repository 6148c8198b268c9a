"""Which of the three slots each step of a plugin goes to, so that they keep the order that their priorities gave."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from host.authoring.migration.steps import Step
from maibot_sdk.types import HookOrder

_SLOTS = (HookOrder.EARLY, HookOrder.NORMAL, HookOrder.LATE)


@dataclass(frozen=True)
class Places:
    """Where the steps of one plugin go.

    Args:
        slots: the slot of each step.
        moved: those that go to another slot than their priority says, for the sake of their order.
        unordered: those that three slots are too few for, each with the steps that it should run after.
    """

    slots: dict[Step, HookOrder] = field(default_factory=dict)
    moved: set[Step] = field(default_factory=set)
    unordered: dict[Step, list[Step]] = field(default_factory=dict)


def slot_of(step: Step) -> HookOrder:
    """The slot that a priority stands for."""
    return _SLOTS[1 if step.priority == 0 else 0 if step.priority > 0 else 2]


def place(steps: Iterable[Step]) -> Places:
    """Find the slots of all steps of a plugin.

    Handlers of one slot and one plugin run in the order of their names. Where that is another order than before, the
    steps of a hook are spread over the slots so that as few pairs as possible change places, and of the ways to do
    that, so that as few as possible leave the slot of their priority.
    """
    places = Places()
    chains: dict[str, list[Step]] = defaultdict(list)
    for step in steps:
        places.slots[step] = slot_of(step)
        # Observers run at once.
        if not step.observes:
            chains[step.hook.name].append(step)
    for chain in chains.values():
        chain.sort(key=lambda step: (step.rank, step.name))
        _spread(chain, places)
    return places


def _spread(chain: Sequence[Step], places: Places) -> None:
    own = [_SLOTS.index(slot_of(step)) for step in chain]
    count = len(chain)
    cuts = ((early, normal) for early in range(count + 1) for normal in range(early, count + 1))
    ways = [[0] * early + [1] * (normal - early) + [2] * (count - normal) for early, normal in cuts]
    # As the priorities say, where that does; it need not be in one piece, since ingress comes before pre_process.
    best = min([own, *ways], key=lambda way: (len(_changed(chain, way)), *_moves(own, way)))
    for step, slot, before in zip(chain, best, own, strict=True):
        places.slots[step] = _SLOTS[slot]
        if slot != before:
            places.moved.add(step)
    for first, second in _changed(chain, best):
        places.unordered.setdefault(second, []).append(first)


def _moves(own: Sequence[int], way: Sequence[int]) -> tuple[int, int]:
    """How many steps leave their slot, and how far in all."""
    far = [abs(slot - before) for slot, before in zip(way, own, strict=True)]
    return sum(map(bool, far)), sum(far)


def _changed(chain: Sequence[Step], way: Sequence[int]) -> list[tuple[Step, Step]]:
    """The pairs that would run in another order than before, when each step goes to the slot given."""
    keys = [(slot, step.name) for slot, step in zip(way, chain, strict=True)]
    return [
        (first, second)
        for index, first in enumerate(chain)
        for later, second in enumerate(chain[index + 1 :], index + 1)
        if first.rank < second.rank and keys[index] >= keys[later]
    ]
