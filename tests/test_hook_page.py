"""What the public hook page shows works here: each of its plugins, written anew, declared and returning the same."""

from pathlib import Path
from typing import Any

from host import Host, Settings
from host.hooks import HookResult
from host.models import ModelSettings
from host.runtime import PluginState
from maibot_sdk.types import ErrorPolicy, HookMode, HookOrder
from tests.bot.chat import MemoryGateway, message_dict
from tests.bot.talk import calls
from tests.cli.running import write_plugin
from tests.models.asking import provider
from tests.models.endpoint import endpoint, says

LIFE_CYCLE = """
    async def on_load(self) -> None:
        self.ctx.logger.info("loaded")

    async def on_unload(self) -> None:
        self.ctx.logger.info("unloaded")

    async def on_config_update(self, scope: str, config_data: dict, version: str) -> None:
        pass
"""

MESSAGE_FILTER = f"""
from maibot_sdk import HookHandler, MaiBotPlugin
from maibot_sdk.types import ErrorPolicy, HookMode, HookOrder

class MessageFilter(MaiBotPlugin):
{LIFE_CYCLE}
    @HookHandler(
        "chat.receive.before_process",
        name="message_filter",
        description="Keeps messages out",
        mode=HookMode.BLOCKING,
        order=HookOrder.EARLY,
        error_policy=ErrorPolicy.ABORT,
    )
    async def handle_message_filter(self, **kwargs):
        raw_message = kwargs.get("message", {{}}).get("raw_message", "")
        if "forbidden" in raw_message:
            return {{"action": "abort"}}
        kwargs["message"]["filtered"] = True
        return {{"action": "continue", "modified_kwargs": kwargs}}

def create_plugin():
    return MessageFilter()
"""

MESSAGE_LOGGER = f"""
from maibot_sdk import HookHandler, MaiBotPlugin
from maibot_sdk.types import HookMode, HookOrder

class MessageLogger(MaiBotPlugin):
{LIFE_CYCLE}
    @HookHandler(
        "chat.receive.after_process",
        name="message_logger",
        description="Notes what comes in",
        mode=HookMode.OBSERVE,
        order=HookOrder.LATE,
    )
    async def observe_message(self, **kwargs):
        message = kwargs.get("message", {{}})
        self.ctx.logger.info("saw user=%s text=%s", message.get("user_id", "unknown"), message.get("raw_message", ""))

def create_plugin():
    return MessageLogger()
"""

SEND_INTERCEPTOR = f"""
from maibot_sdk import HookHandler, MaiBotPlugin
from maibot_sdk.types import HookMode, HookOrder

class SendInterceptor(MaiBotPlugin):
{LIFE_CYCLE}
    @HookHandler(
        "send_service.before_send",
        name="send_modifier",
        description="Changes how messages are sent",
        mode=HookMode.BLOCKING,
        order=HookOrder.NORMAL,
        timeout_ms=5000,
    )
    async def modify_send_params(self, **kwargs):
        kwargs["typing"] = False
        kwargs["show_log"] = True
        return {{"action": "continue", "modified_kwargs": kwargs}}

def create_plugin():
    return SendInterceptor()
"""

THINKING_LEVEL = """
from maibot_sdk import HookHandler, MaiBotPlugin
from maibot_sdk.types import HookMode

class ThinkingLevel(MaiBotPlugin):
    @HookHandler("maisaka.planner.before_request", mode=HookMode.BLOCKING)
    async def add_reply_tool_param(self, **kwargs):
        for tool in kwargs.get("tool_definitions", []):
            function = tool.get("function", {})
            if function.get("name") != "reply":
                continue
            properties = function.setdefault("parameters", {}).setdefault("properties", {})
            properties["thinking_level"] = {"type": "string", "enum": ["normal", "deep"], "description": "how hard"}
        return {"action": "continue", "modified_kwargs": kwargs}

    @HookHandler("maisaka.replyer.before_request", mode=HookMode.BLOCKING)
    async def route_replyer_model(self, **kwargs):
        if kwargs.get("reply_tool_args", {}).get("thinking_level") == "deep":
            kwargs["model_name"] = "a-deep-model"
            kwargs["extra_prompt"] = "Think twice."
        return {"action": "continue", "modified_kwargs": kwargs}

def create_plugin():
    return ThinkingLevel()
"""

EXPRESSIONS = """
from maibot_sdk import HookHandler, MaiBotPlugin
from maibot_sdk.types import HookMode

class Expressions(MaiBotPlugin):
    @HookHandler("expression.select.after_selection", mode=HookMode.BLOCKING)
    async def replace_expression_selection(self, **kwargs):
        strategy = kwargs.get("reply_tool_args", {}).get("expression_strategy")
        assert strategy is None
        kwargs["selected_expression_ids"] = [item["id"] for item in kwargs.get("candidates", [])[:1]]
        return {"action": "continue", "modified_kwargs": kwargs}

def create_plugin():
    return Expressions()
"""

MIGRATED = """
from maibot_sdk import HookHandler, MaiBotPlugin
from maibot_sdk.types import HookMode

class Migrated(MaiBotPlugin):
    @HookHandler("chat.receive.before_process", mode=HookMode.BLOCKING)
    async def on_pre_process(self, **kwargs):
        ...

def create_plugin():
    return Migrated()
"""

NOT_MIGRATED = """
from maibot_sdk import MaiBotPlugin, WorkflowStep

class NotMigrated(MaiBotPlugin):
    @WorkflowStep(stage="pre_process", blocking=True)
    async def on_pre_process(self, **kwargs):
        ...

def create_plugin():
    return NotMigrated()
"""


def message(*, text: str = "hello") -> dict[str, Any]:
    """A real message dict: its text lies in a segment, its user under message_info."""
    return {
        "message_id": "m1",
        "timestamp": "1700000000.0",
        "platform": "qq",
        "message_info": {
            "user_info": {"user_id": "u1", "user_nickname": "Nora", "user_cardname": None},
            "group_info": None,
            "additional_config": {},
        },
        "raw_message": [{"type": "text", "data": text}],
        "is_mentioned": False,
        "is_at": False,
        "is_emoji": False,
        "is_picture": False,
        "is_command": False,
        "is_notify": False,
        "session_id": "s1",
    }


def host_with(tmp_path: Path, code: str, plugin_id: str = "page.example") -> Host:
    """A host with one plugin beside none of the bundled ones."""
    plugins = write_plugin(tmp_path / "plugins", plugin_id, code)
    return Host(Settings(plugin_dirs=(plugins,), data_dir=tmp_path / "data", bundled_plugins=False))


async def _fire(host: Host, hook: str, payload: dict[str, Any]) -> HookResult:
    result = await host.hooks.invoke(hook, payload)
    await host.hooks.drain()
    assert result.errors == ()
    return result


def _declared(host: Host, hook: str) -> list[tuple[Any, ...]]:
    (row,) = [row for row in host.hooks.describe() if row.spec.name == hook]
    return [(each.name, each.mode, each.order, each.policy, each.timeout_ms) for each in row.handlers]


async def test_the_blocking_example_marks_the_message_and_goes_on(tmp_path: Path) -> None:
    hook = "chat.receive.before_process"
    async with host_with(tmp_path, MESSAGE_FILTER) as host:
        expected = ("message_filter", HookMode.BLOCKING, HookOrder.EARLY, ErrorPolicy.ABORT, 60_000)
        assert _declared(host, hook) == [expected]
        result = await _fire(host, hook, {"message": message()})
        assert result.kwargs == {"message": {**message(), "filtered": True}}
        assert not result.aborted
        # It looks for a word in a list of segments, and so finds none in a real message.
        result = await _fire(host, hook, {"message": message(text="forbidden")})
        assert not result.aborted


async def test_the_observing_example_sees_messages_and_has_no_effect(tmp_path: Path) -> None:
    hook = "chat.receive.after_process"
    async with host_with(tmp_path, MESSAGE_LOGGER) as host:
        assert _declared(host, hook) == [("message_logger", HookMode.OBSERVE, HookOrder.LATE, ErrorPolicy.SKIP, 60_000)]
        result = await _fire(host, hook, {"message": message()})
        assert result.kwargs == {"message": message()}


async def test_the_sending_example_changes_the_flags_and_nothing_else(tmp_path: Path) -> None:
    hook = "send_service.before_send"
    payload = {
        "message": message(),
        "typing": True,
        "set_reply": False,
        "reply_message_id": None,
        "storage_message": True,
        "show_log": False,
    }
    async with host_with(tmp_path, SEND_INTERCEPTOR) as host:
        assert _declared(host, hook) == [
            ("send_modifier", HookMode.BLOCKING, HookOrder.NORMAL, ErrorPolicy.SKIP, 5_000)
        ]
        result = await _fire(host, hook, payload)
    assert result.kwargs == {**payload, "typing": False, "show_log": True}


async def test_the_two_hook_example_gives_the_reply_tool_a_parameter_and_routes_the_model(tmp_path: Path) -> None:
    reply_tool = {
        "type": "function",
        "function": {"name": "reply", "description": "", "parameters": {"type": "object"}},
    }
    other_tool = {"type": "function", "function": {"name": "wait", "description": "", "parameters": {"type": "object"}}}
    planner = {
        "tool_definitions": [reply_tool, other_tool],
        "selected_history_count": 1,
        "built_message_count": 1,
        "selection_reason": "",
        "session_id": "s1",
        "messages": [{"role": "user", "content": "hi"}],
        "items": [],
        "item_schema_version": 1,
    }
    replyer = {
        "session_id": "s1",
        "request_type": "reply",
        "task_name": "replyer",
        "model_name": "",
        "extra_prompt": "",
        "attempt": 1,
        "retry_count": 0,
        "max_retries": 3,
        "reply_message_id": "m1",
        "reply_reason": "",
        "selected_expression_ids": [],
        "reply_tool_args": {"thinking_level": "deep"},
    }
    async with host_with(tmp_path, THINKING_LEVEL) as host:
        tools = (await _fire(host, "maisaka.planner.before_request", planner)).kwargs["tool_definitions"]
        assert tools[0]["function"]["parameters"]["properties"]["thinking_level"]["enum"] == ["normal", "deep"]
        assert tools[1] == other_tool
        routed = (await _fire(host, "maisaka.replyer.before_request", replyer)).kwargs
        assert (routed["model_name"], routed["extra_prompt"]) == ("a-deep-model", "Think twice.")
        plain = {**replyer, "reply_tool_args": {}}
        assert (await _fire(host, "maisaka.replyer.before_request", plain)).kwargs == plain


async def test_the_two_hook_example_has_the_bot_answer_by_the_model_that_the_planner_asked_for(tmp_path: Path) -> None:
    plugins = write_plugin(tmp_path / "plugins", "page.example", THINKING_LEVEL)
    plan = [calls("reply", msg_id="771", thinking_level="deep"), calls("reply", msg_id="771")]
    async with endpoint(*plan) as planning, endpoint(says("Well.")) as wording:
        models = {
            "providers": [provider("plan", planning.url), provider("word", wording.url)],
            "models": [
                {"name": "planning", "provider": "plan"},
                {"name": "usual", "provider": "word"},
                {"name": "a-deep-model", "provider": "word", "identifier": "deep-1"},
            ],
            "tasks": {"planner": {"models": ["planning"]}, "replyer": {"models": ["usual"], "temperature": 0.5}},
        }
        settings = Settings(
            plugin_dirs=(plugins,),
            data_dir=tmp_path / "data",
            bundled_plugins=False,
            models=ModelSettings.model_validate(models),
        )
        gateway = MemoryGateway()
        async with Host(settings, gateways=(gateway,)) as host:
            for _ in plan:
                await host.bot.receive(message_dict("Is there tea?"))
    assert gateway.texts() == ["Well.", "Well."]
    (reply, *_) = planning.asked[0].json["tools"]
    assert reply["function"]["parameters"]["properties"]["thinking_level"]["enum"] == ["normal", "deep"]
    deep, usual = (asked.json for asked in wording.asked)
    assert (deep["model"], deep["temperature"], "Think twice." in str(deep["messages"])) == ("deep-1", 0.5, True)
    assert (usual["model"], "Think twice." in str(usual["messages"])) == ("usual", False)


async def test_the_expression_example_selects_the_first_candidate(tmp_path: Path) -> None:
    payload = {
        "chat_id": "s1",
        "chat_info": "",
        "max_num": 2,
        "think_level": 0,
        "candidates": [{"id": 7, "situation": "greeting", "style": "short", "count": 1}],
        "selected_expressions": [],
        "selected_expression_ids": [],
        "reply_tool_args": {},
    }
    async with host_with(tmp_path, EXPRESSIONS) as host:
        result = await _fire(host, "expression.select.after_selection", payload)
    assert result.kwargs == {**payload, "selected_expression_ids": [7]}


async def test_the_migrated_step_loads_without_life_cycle_methods(tmp_path: Path) -> None:
    async with host_with(tmp_path, MIGRATED) as host:
        assert host.plugins["page.example"].state is PluginState.ACTIVE
        assert [row[0] for row in _declared(host, "chat.receive.before_process")] == ["on_pre_process"]


async def test_the_step_that_was_not_migrated_is_refused_with_the_replacement(tmp_path: Path) -> None:
    async with host_with(tmp_path, NOT_MIGRATED) as host:
        plugin = host.plugins["page.example"]
        assert plugin.state is PluginState.FAILED
        assert plugin.problem is not None
        said = f"{plugin.problem.text()}\n{plugin.traceback}"
        for fact in ("HookHandler", "chat.receive.before_process", "plugin.py", "page.example"):
            assert fact in said
        assert all(row.handlers == [] for row in host.hooks.describe())
