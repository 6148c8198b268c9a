"""Handlers run in one order: mode, slot, source, plugin id, handler name; whoever registered first."""

import asyncio
import random
from itertools import permutations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from host.hooks import Declaration, Hooks, Source
from maibot_sdk.types import HookMode, HookOrder
from tests.hooks.greeting import HOOK, add, extra, fire, hooks_with, on

MODES = [HookMode.BLOCKING, HookMode.OBSERVE]
SLOTS = [HookOrder.EARLY, HookOrder.NORMAL, HookOrder.LATE]
NAMES = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=6)

Row = tuple[str, Source, str, HookMode, HookOrder]


async def _noop(**kwargs: Any) -> None:
    """Do nothing."""


def _specified(rows: list[Row]) -> list[tuple[str, str]]:
    """The order as the design states it, computed anew."""
    ranked = sorted(
        rows,
        key=lambda row: (
            MODES.index(row[3]),
            SLOTS.index(row[4]),
            [Source.BUILTIN, Source.THIRD_PARTY].index(row[1]),
            [ord(letter) for letter in row[0]],
            [ord(letter) for letter in row[2]],
        ),
    )
    return [(row[0], row[2]) for row in ranked]


@st.composite
def registrations(draw: st.DrawFn) -> list[Row]:
    sources = draw(st.dictionaries(NAMES, st.sampled_from(Source), min_size=1, max_size=5))
    keys = draw(st.lists(st.tuples(st.sampled_from(sorted(sources)), NAMES), unique=True, max_size=25))
    return [
        (plugin, sources[plugin], name, draw(st.sampled_from(MODES)), draw(st.sampled_from(SLOTS)))
        for plugin, name in keys
    ]


def _declare(row: Row) -> Declaration:
    return on(_noop, row[2], mode=row[3], order=row[4])


@given(registrations(), st.randoms(use_true_random=False))
def test_dispatch_order_is_the_specified_sort_whatever_the_order_of_registration(
    rows: list[Row], chance: random.Random
) -> None:
    hooks = hooks_with()
    plugins = sorted({(row[0], row[1]) for row in rows})
    chance.shuffle(plugins)
    for plugin, source in plugins:
        own = [row for row in rows if row[0] == plugin]
        chance.shuffle(own)
        hooks.register(plugin, [_declare(row) for row in own], source=source)
    assert [(each.plugin_id, each.name) for each in hooks.describe()[0].handlers] == _specified(rows)


@given(registrations(), registrations())
def test_handlers_given_for_one_call_take_their_place_by_the_same_sort(rows: list[Row], extras: list[Row]) -> None:
    ran: list[tuple[str, str]] = []

    def recording(row: Row) -> Declaration:
        async def record(**kwargs: Any) -> None:
            ran.append((row[0], row[2]))

        return on(record, row[2], mode=HookMode.BLOCKING, order=row[4])

    extras = [row for row in extras if row[0] not in {each[0] for each in rows}]
    hooks = hooks_with()
    for plugin, source in {(row[0], row[1]) for row in rows}:
        hooks.register(plugin, [recording(row) for row in rows if row[0] == plugin], source=source)
    given_now = [
        hooks.check(row[0], [recording(row)], source=row[1]).handlers[0]
        for row in random.Random(1).sample(extras, len(extras))
    ]
    asyncio.run(_invoke(hooks, given_now))
    assert ran == _specified([(*row[:3], HookMode.BLOCKING, row[4]) for row in (*rows, *extras)])


async def _invoke(hooks: Hooks, given_now: list[Any]) -> None:
    await hooks.invoke(HOOK, {"text": "hi"}, extra_handlers=given_now)


async def test_all_permutations_of_registration_give_the_same_trace() -> None:
    traces = set()
    plugins = {"a.one": ["x", "Y"], "b.two": ["x", "y"], "c.three": ["q", "p"]}
    for order in permutations(plugins):
        ran: list[str] = []
        hooks = hooks_with()

        def note(label: str, ran: list[str] = ran) -> Any:
            async def handler(**kwargs: Any) -> None:
                ran.append(label)

            return handler

        for plugin in order:
            hooks.register(plugin, [on(note(f"{plugin}/{name}"), name) for name in plugins[plugin]])
        await fire(hooks)
        traces.add(tuple(ran))
    assert traces == {("a.one/Y", "a.one/x", "b.two/x", "b.two/y", "c.three/p", "c.three/q")}


async def test_ties_are_broken_by_code_points_of_plugin_id_and_name() -> None:
    hooks = hooks_with()
    hooks.register("x.a", [on(_noop, "a"), on(_noop, "B"), on(_noop, "é"), on(_noop, "中")])
    hooks.register("x-a", [on(_noop, "z")])
    assert [(each.plugin_id, each.name) for each in hooks.describe()[0].handlers] == [
        ("x-a", "z"),
        ("x.a", "B"),
        ("x.a", "a"),
        ("x.a", "é"),
        ("x.a", "中"),
    ]


async def test_a_builtin_handler_given_for_one_call_runs_before_registered_third_party_ones() -> None:
    ran: list[str] = []

    async def registered(**kwargs: Any) -> None:
        ran.append("registered")

    async def injected(**kwargs: Any) -> None:
        ran.append("injected")

    hooks = hooks_with()
    hooks.register("a.third", [on(registered)])
    given_now = extra(hooks, injected, "z.builtin", Source.BUILTIN)
    await hooks.invoke(HOOK, {"text": "hi"}, extra_handlers=[given_now])
    await fire(hooks)
    assert ran == ["injected", "registered", "registered"]


async def test_blocking_handlers_are_serial_and_the_second_sees_the_change_of_the_first() -> None:
    running = 0
    seen: list[str] = []

    async def first(**kwargs: Any) -> dict[str, Any]:
        nonlocal running
        running += 1
        await asyncio.sleep(0)
        running -= 1
        return {"modified_kwargs": {"text": "from first"}}

    async def second(text: str, **kwargs: Any) -> None:
        assert running == 0
        seen.append(text)

    hooks = hooks_with()
    add(hooks, first, second)
    await fire(hooks)
    assert seen == ["from first"]
