"""Migrated plugins as the host loads and fires them, and what became of a message there."""

from typing import Any

from host.catalogue import BUILTIN_HOOKS
from host.hooks import Hooks, declarations_of
from tests.authoring.migration.old_contract import Ran, plugin_of

PLUGIN = "demo.plugin"
AROUND: dict[str, dict[str, Any]] = {
    "chat.receive.before_process": {},
    "chat.receive.after_process": {},
    "chat.command.before_execute": {"command_name": "c", "matched_groups": {}, "plugin_id": PLUGIN},
    "send_service.before_send": {
        "typing": False,
        "set_reply": False,
        "storage_message": True,
        "show_log": False,
        "reply_message_id": None,
    },
}
"""The hooks with a message, and what else they hand over."""
TEXTS = ("hello", "buy now", "x", "", "stop", "boom", "xx 广告")


def message_with(text: str) -> dict[str, Any]:
    """A message that says something."""
    return {
        "message_id": "1",
        "platform": "qq",
        "message_info": {"user_info": {"user_id": "7", "user_nickname": "Lin"}},
        "raw_message": [{"type": "text", "data": text}],
        "processed_plain_text": text,
    }


def builtin_hooks() -> Hooks:
    """A kernel with the built-in hooks."""
    hooks = Hooks()
    for spec in BUILTIN_HOOKS:
        hooks.register_spec(spec)
    return hooks


def register(hooks: Hooks, code: bytes) -> int:
    """Load a plugin.py. Returns how many handlers it has.

    Raises:
        RegistrationError: the host refuses it.
    """
    plugin = plugin_of(code)
    return len(hooks.register(PLUGIN, declarations_of(plugin, plugin.get_components())).handlers)


async def run_new(hooks: Hooks, hook: str, message: dict[str, Any]) -> Ran:
    """Fire a hook with a message."""
    result = await hooks.invoke(hook, {"message": message, **AROUND[hook]})
    return Ran(result.kwargs["message"], result.aborted, [error.handler for error in result.errors])
