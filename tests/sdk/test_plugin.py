"""`MaiBotPlugin`: context, life cycle, subscriptions and dynamic APIs. Configuration has a file of its own."""

from typing import Any

import pytest

from maibot_sdk import ON_BOT_CONFIG_RELOAD, ON_MODEL_CONFIG_RELOAD, Command, LLMProvider, MaiBotPlugin, PluginContext


def listed(plugin: MaiBotPlugin) -> list[tuple[str, str]]:
    return [(api["name"], api["metadata"]["version"]) for api in plugin.get_dynamic_api_components()]


def test_the_context_is_there_only_after_it_was_set() -> None:
    plugin = MaiBotPlugin()
    with pytest.raises(RuntimeError, match="on_load"):
        _ = plugin.ctx
    context = PluginContext("p")
    plugin._set_context(context)
    assert plugin.ctx is context


@pytest.mark.parametrize("method", ["on_load", "on_unload", "on_config_update"])
async def test_the_base_class_defines_no_life_cycle(method: str) -> None:
    arguments: tuple[Any, ...] = ("self", {}, "1") if method == "on_config_update" else ()
    with pytest.raises(NotImplementedError, match=method):
        await getattr(MaiBotPlugin(), method)(*arguments)


def test_a_class_that_skips_the_base_constructor_fails_where_it_matters() -> None:
    class Plugin(MaiBotPlugin):
        def __init__(self) -> None: ...

    for use in ("get_components", "get_plugin_config_data"):
        with pytest.raises(AttributeError):
            getattr(Plugin(), use)()


def test_attributes_of_an_author_do_not_collide_with_those_of_the_base() -> None:
    class Plugin(MaiBotPlugin):
        def __init__(self) -> None:
            super().__init__()
            self._config_data = None
            self._dynamic_apis = None
            self.__config = None

    assert Plugin().get_components() == []
    assert Plugin().get_plugin_config_data() == {}


class TestReloadSubscriptions:
    @staticmethod
    def of(scopes: Any) -> list[str]:
        class Plugin(MaiBotPlugin):
            config_reload_subscriptions = scopes

        return Plugin().get_config_reload_subscriptions()

    def test_there_are_none_unless_declared(self) -> None:
        assert MaiBotPlugin().get_config_reload_subscriptions() == []

    def test_they_are_normalised_sorted_and_named_once(self) -> None:
        assert self.of((" Model ", ON_BOT_CONFIG_RELOAD, ON_MODEL_CONFIG_RELOAD)) == ["bot", "model"]

    def test_an_instance_may_decide_on_its_own(self) -> None:
        plugin = MaiBotPlugin()
        plugin.config_reload_subscriptions = ["model"]  # type: ignore[misc]
        assert plugin.get_config_reload_subscriptions() == ["model"]

    @pytest.mark.parametrize("wrong", ["bot", 5, None])
    def test_what_is_no_list_is_refused(self, wrong: Any) -> None:
        with pytest.raises(TypeError):
            self.of(wrong)

    @pytest.mark.parametrize("wrong", [["self"], [None], ["else"]])
    def test_an_unknown_scope_is_refused(self, wrong: Any) -> None:
        with pytest.raises(ValueError, match="bot, model"):
            self.of(wrong)


class TestDynamicApis:
    @staticmethod
    def answer(**kwargs: Any) -> Any:
        return kwargs

    def test_registering_returns_the_component(self) -> None:
        plugin = MaiBotPlugin()
        component = plugin.register_dynamic_api(" 天气.查询 ", self.answer, description="d", public=True, region="eu")
        assert component == {
            "name": "天气.查询",
            "type": "API",
            "metadata": {
                "description": "d",
                "version": "1",
                "public": True,
                "dynamic": True,
                "handler_name": "dynamic_api__天气.查询__1",
                "region": "eu",
            },
        }
        assert plugin.get_dynamic_api_components() == [component]

    def test_what_is_returned_and_listed_are_copies(self) -> None:
        plugin = MaiBotPlugin()
        component = plugin.register_dynamic_api("a", self.answer, tags=["t"])
        component["metadata"]["tags"].append("x")
        plugin.get_dynamic_api_components()[0]["name"] = "b"
        assert plugin.get_dynamic_api_components()[0]["metadata"]["tags"] == ["t"]
        assert listed(plugin) == [("a", "1")]

    def test_free_keywords_win_over_the_fields(self) -> None:
        component = MaiBotPlugin().register_dynamic_api("a", self.answer, dynamic=False)
        assert component["metadata"]["dynamic"] is False

    @pytest.mark.parametrize("blank", ["", "  ", None])
    def test_a_blank_name_is_refused(self, blank: Any) -> None:
        with pytest.raises(ValueError, match="name"):
            MaiBotPlugin().register_dynamic_api(blank, self.answer)

    def test_a_handler_name_of_blanks_is_refused_and_others_are_trimmed(self) -> None:
        plugin = MaiBotPlugin()
        with pytest.raises(ValueError, match="handler_name"):
            plugin.register_dynamic_api("a", self.answer, handler_name="  ")
        component = plugin.register_dynamic_api("a", self.answer, handler_name=" own ")
        assert component["metadata"]["handler_name"] == "own"

    def test_name_and_version_say_which_one_it_is(self) -> None:
        plugin = MaiBotPlugin()
        for name, version in (("a", "1"), ("a", "2"), ("b", " "), (" a ", "1")):
            plugin.register_dynamic_api(name, self.answer, version=version, description=f"{name}{version}")
        assert listed(plugin) == [("a", "1"), ("a", "2"), ("b", "1")]
        assert plugin.get_dynamic_api_components()[0]["metadata"]["description"] == " a 1"

    def test_they_come_after_the_declared_components(self) -> None:
        class Plugin(MaiBotPlugin):
            @Command("z")
            def z(self) -> None: ...

            @LLMProvider("p")
            def provider(self) -> None: ...

        plugin = Plugin()
        plugin.register_dynamic_api("a", self.answer)
        assert [component["name"] for component in plugin.get_components()] == ["z", "a"]
        assert [provider["client_type"] for provider in plugin.get_llm_providers()] == ["p"]

    async def test_a_handler_is_called_by_its_name_and_may_be_async(self) -> None:
        async def later(**kwargs: Any) -> Any:
            return kwargs

        plugin = MaiBotPlugin()
        plugin.register_dynamic_api("now", self.answer, handler_name="now")
        plugin.register_dynamic_api("later", later, handler_name="later")
        assert await plugin.invoke_component("now", x=1) == {"x": 1}
        assert await plugin.invoke_component("later", x=1) == {"x": 1}

    async def test_nothing_else_is_called_by_name(self) -> None:
        class Plugin(MaiBotPlugin):
            @Command("cmd")
            def run(self) -> None: ...

        plugin = Plugin()
        plugin.register_dynamic_api("a", self.answer)
        for name in ("run", "cmd", "a", "get_components", " dynamic_api__a__1"):
            with pytest.raises(AttributeError, match=name):
                await plugin.invoke_component(name)

    async def test_a_shared_handler_stays_until_its_last_api_goes(self) -> None:
        plugin = MaiBotPlugin()
        plugin.register_dynamic_api("a", lambda: "first", handler_name="shared")
        plugin.register_dynamic_api("b", lambda: "second", handler_name="shared")
        assert await plugin.invoke_component("shared") == "second"
        assert plugin.unregister_dynamic_api("a")
        assert await plugin.invoke_component("shared") == "second"
        assert plugin.unregister_dynamic_api("b")
        with pytest.raises(AttributeError):
            await plugin.invoke_component("shared")

    async def test_an_old_handler_name_still_answers_after_a_new_one_took_its_place(self) -> None:
        plugin = MaiBotPlugin()
        plugin.register_dynamic_api("a", lambda: "old", handler_name="old")
        plugin.register_dynamic_api("a", lambda: "new", handler_name="new")
        assert await plugin.invoke_component("old") == "old"

    def test_unregistering_trims_and_tells_whether_it_was_there(self) -> None:
        plugin = MaiBotPlugin()
        plugin.register_dynamic_api("a", self.answer, version="2")
        assert not plugin.unregister_dynamic_api("a")
        assert not plugin.unregister_dynamic_api("  ")
        assert plugin.unregister_dynamic_api(" a ", version=" 2 ")
        assert listed(plugin) == []

    async def test_clearing_drops_apis_and_handlers(self) -> None:
        plugin = MaiBotPlugin()
        plugin.register_dynamic_api("a", self.answer, handler_name="h")
        plugin.clear_dynamic_apis()
        assert listed(plugin) == []
        with pytest.raises(AttributeError):
            await plugin.invoke_component("h")

    @pytest.mark.parametrize(
        ("answer", "synced"),
        [({"success": True}, True), ({"success": False}, False), (None, False), ([1], False), ({}, False)],
    )
    async def test_syncing_sends_the_whole_list(self, answer: Any, synced: bool) -> None:
        sent: list[Any] = []

        async def host(method: str, plugin_id: str, payload: Any) -> Any:
            sent.append(payload)
            return answer

        plugin = MaiBotPlugin()
        plugin._set_context(PluginContext("p", host))
        component = plugin.register_dynamic_api("a", self.answer)
        assert await plugin.sync_dynamic_apis(offline_reason="gone") is synced
        assert sent == [{"capability": "api.replace_dynamic", "args": {"apis": [component], "offline_reason": "gone"}}]

    async def test_syncing_needs_a_context(self) -> None:
        with pytest.raises(RuntimeError):
            await MaiBotPlugin().sync_dynamic_apis()
