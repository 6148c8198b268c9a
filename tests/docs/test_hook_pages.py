"""The chapter on the hooks is made of the catalogue and the payload types, and tells all of them."""

from pathlib import Path

import pytest
from typing_extensions import get_type_hints

from host import Host, Settings
from host.authoring.hook_facts import HOOK_FACTS
from host.authoring.hook_pages import page, write_pages
from host.catalogue import BUILTIN_HOOKS
from host.hooks import Chain, DispatchTrace, HookSpec, Step
from host.models import ModelSettings
from tests.bot.emoji.pictures import picture
from tests.docs.guide import GUIDE, LOCALES, MESSAGE, chapter
from tests.runtime.plugin_folders import write_plugin

EACH = pytest.mark.parametrize("spec", BUILTIN_HOOKS, ids=lambda spec: spec.name)


COMMAND = """
    from maibot_sdk import Command, MaiBotPlugin

    class P(MaiBotPlugin):
        async def on_load(self): ...

        @Command("hello", pattern="hello")
        async def hello(self, **kwargs): ...

    create_plugin = P
"""


class Fired:
    """A trace listener that keeps the names of the hooks."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def dispatched(self, trace: DispatchTrace) -> None:
        self.names.add(trace.result.hook_name)

    def observed(self, dispatch: Chain, step: Step) -> None:
        """Nothing."""


@pytest.mark.parametrize("locale", LOCALES)
def test_the_chapter_is_up_to_date(locale: str) -> None:
    kept = (GUIDE / locale / "hooks.md").read_text(encoding="utf-8")
    assert kept == page(locale), "run python -m host.authoring.hook_pages"


def test_the_generator_writes_both_languages(tmp_path: Path) -> None:
    for locale in LOCALES:
        (tmp_path / locale).mkdir()
    write_pages(tmp_path)
    assert [(tmp_path / locale / "hooks.md").read_text(encoding="utf-8") for locale in LOCALES] == [
        page(locale) for locale in LOCALES
    ]


@EACH
def test_every_hook_is_there_with_its_keys_and_its_words_in_both_languages(spec: HookSpec) -> None:
    for locale in LOCALES:
        section = page(locale).split(f"### `{spec.name}`\n")[1].split("\n#")[0]
        assert spec.describe(locale) in section
        for key in get_type_hints(spec.payload):
            assert f"\n| `{key}` |" in section


@EACH
def test_what_is_read_back_and_what_an_abort_does_fit_the_spec(spec: HookSpec) -> None:
    facts = HOOK_FACTS[spec.name]
    assert facts.read_back.keys() <= get_type_hints(spec.payload).keys()
    assert bool(facts.read_back) is spec.allow_kwargs_mutation
    assert (facts.abort is not None) is spec.allow_abort


def test_the_facts_are_those_of_the_catalogue() -> None:
    assert sorted(HOOK_FACTS) == [spec.name for spec in BUILTIN_HOOKS]


async def test_the_hooks_that_are_marked_as_fired_are_those_that_a_message_meets(tmp_path: Path) -> None:
    fired = Fired()
    plugins = write_plugin(tmp_path / "plugins", "a.command", COMMAND)
    models = ModelSettings.model_validate(
        {
            "providers": [{"name": "mine", "kind": "offline"}],
            "models": [{"name": "small", "provider": "mine"}],
        }
    )
    settings = Settings(data_dir=tmp_path, plugin_dirs=(plugins.parent,), bundled_plugins=False, models=models)
    new = tmp_path / "emoji" / "new"
    new.mkdir(parents=True)
    (new / "happy.png").write_bytes(picture())
    async with Host(settings) as host:
        host.hooks.listen(fired)
        assert host.emoji is not None
        await host.emoji.settle()
        await host.bot.receive(MESSAGE)
        await host.bot.receive({**MESSAGE, "raw_message": [{"type": "text", "data": "send_emoji happy"}]})
    assert fired.names == {name for name, facts in HOOK_FACTS.items() if facts.fired}


@pytest.mark.parametrize("locale", LOCALES)
def test_dicts_inside_payloads_are_explained_where_they_are_linked(locale: str) -> None:
    here = chapter(locale, "hooks")
    assert {"sessionmessage", "userinfo", "messagesegment", "tooldefinition", "jargonentry"} <= set(here.anchors)
