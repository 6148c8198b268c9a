"""The owner's order comes before the slot: from the settings or at run time, from the next dispatch on, and shown."""

import asyncio
from typing import Any

import pytest
from pydantic import ValidationError

from host.hooks import Hooks, HookSettings, Placement, UnknownHookError
from tests.hooks.greeting import HOOK, fire, hooks_with, on


def _settings(*order: Any, hook: str = HOOK) -> HookSettings:
    return HookSettings.model_validate({hook: {"order": list(order)}})


def _three(hooks: Hooks, ran: list[str]) -> None:
    def note(label: str) -> Any:
        async def handler(**kwargs: Any) -> None:
            ran.append(label)

        return handler

    hooks.register("a.first", [on(note("a1"), "one", order="early"), on(note("a2"), "two", order="late")])
    hooks.register("b.second", [on(note("b1"), "one"), on(note("b2"), "two", mode="observe")])
    hooks.register("c.third", [on(note("c1"), "one", order="late"), on(note("c2"), "two", mode="observe")])


async def _ran(hooks: Hooks, ran: list[str]) -> list[str]:
    ran.clear()
    await fire(hooks)
    await hooks.drain()
    return list(ran)


async def test_an_order_in_the_settings_takes_effect_and_is_shown() -> None:
    ran: list[str] = []
    hooks = hooks_with(_settings("c.third", {"plugin": "a.first", "handler": "two"}))
    _three(hooks, ran)
    assert await _ran(hooks, ran) == ["c1", "a2", "a1", "b1", "c2", "b2"]
    row = hooks.describe()[0]
    assert [(each.plugin_id, each.name, each in row.placed) for each in row.handlers] == [
        ("c.third", "one", True),
        ("a.first", "two", True),
        ("a.first", "one", False),
        ("b.second", "one", False),
        ("c.third", "two", True),
        ("b.second", "two", False),
    ]


async def test_a_handlers_own_place_counts_before_its_plugins() -> None:
    ran: list[str] = []
    hooks = hooks_with(_settings({"plugin": "a.first", "handler": "two"}, "b.second", "a.first"))
    _three(hooks, ran)
    assert (await _ran(hooks, ran))[:4] == ["a2", "b1", "a1", "c1"]


async def test_an_order_set_at_run_time_holds_from_the_next_dispatch_and_can_be_taken_back() -> None:
    ran: list[str] = []
    hooks = hooks_with()
    _three(hooks, ran)
    rule = ["a1", "b1", "a2", "c1", "b2", "c2"]
    assert await _ran(hooks, ran) == rule
    hooks.override_order(HOOK, [Placement(plugin="c.third"), Placement(plugin="b.second")])
    assert await _ran(hooks, ran) == ["c1", "b1", "a1", "a2", "c2", "b2"]
    hooks.override_order(HOOK, [])
    assert await _ran(hooks, ran) == rule


async def test_handlers_given_for_one_call_are_ordered_by_it_too() -> None:
    ran: list[str] = []
    hooks = hooks_with(_settings("z.extra"))
    _three(hooks, ran)

    async def injected(**kwargs: Any) -> None:
        ran.append("z")

    given = hooks.check("z.extra", [on(injected, order="late")]).handlers
    await hooks.invoke(HOOK, {"text": "hi"}, extra_handlers=given)
    assert ran[0] == "z"


async def test_a_running_dispatch_keeps_the_order_that_it_started_with() -> None:
    ran: list[str] = []
    hooks = hooks_with()
    inside, go_on = asyncio.Event(), asyncio.Event()

    async def first(**kwargs: Any) -> None:
        inside.set()
        await go_on.wait()

    hooks.register("0.zero", [on(first, order="early")])
    _three(hooks, ran)
    running = asyncio.create_task(fire(hooks))
    await inside.wait()
    hooks.override_order(HOOK, [Placement(plugin="c.third")])
    go_on.set()
    await running
    assert ran[:4] == ["a1", "b1", "a2", "c1"]


def test_names_that_match_nothing_are_told_and_only_those() -> None:
    settings = HookSettings.model_validate(
        {
            HOOK: {"order": ["a.first", "d.gone", {"plugin": "a.first", "handler": "gone"}]},
            "greeting.before_sent": {"order": ["a.first"]},
        }
    )
    hooks = hooks_with(settings)
    _three(hooks, [])
    found = hooks.unmatched_orders()
    assert [(each.code, each.fields.get("placement")) for each in found] == [
        ("warn_order_of_unknown_hook", None),
        ("warn_order_unmatched", "d.gone"),
        ("warn_order_unmatched", "a.first / gone"),
    ]
    assert "Did you mean 'greeting.before_send'" in found[0].text()
    assert all(each.text("zh") != each.text("en") for each in found)
    assert hooks_with(_settings("a.first")).unmatched_orders()[0].fields["known"] == "-"


@pytest.mark.parametrize(
    "wrong",
    [
        {HOOK: {"order": "a.first"}},
        {HOOK: {"order": ["a.first", "a.first"]}},
        {HOOK: {"order": [{"handler": "one"}]}},
        {HOOK: {"order": [""]}},
        {HOOK: {"sorted": []}},
        {"max_timeout": 5},
    ],
)
def test_an_order_that_cannot_be_meant_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        HookSettings.model_validate(wrong)


def test_the_order_of_an_unknown_hook_cannot_be_set() -> None:
    with pytest.raises(UnknownHookError):
        hooks_with().override_order("no.such", [])
