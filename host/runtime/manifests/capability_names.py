"""The names of what a plugin may ask of the host, as manifests list them and the calls of ``ctx`` send them."""

from collections.abc import Mapping

_FAMILIES: Mapping[str, str] = {
    "api": "call get list replace_dynamic",
    "chat": "get_all_streams get_avatar get_group_streams get_private_streams get_stream_by_group_id "
    "get_stream_by_user_id open_session",
    "component": "disable enable get_all_plugins get_plugin_config_schema get_plugin_info list_loaded_plugins "
    "list_registered_plugins load_plugin reload_plugin unload_plugin update_plugin_config",
    "config": "get get_all get_plugin",
    "database": "count delete get query save",
    "emoji": "delete get_all get_by_description get_count get_emotions get_info get_random register",
    "frequency": "get_adjust get_current_talk_value set_adjust",
    "knowledge": "search",
    "llm": "embed generate generate_with_tools get_available_models transcribe_audio",
    "maisaka": "context.append context.resolve_image proactive.trigger reply.generate",
    "market": "get_detail get_readme search",
    "message": "build_readable count_new get_by_id get_by_time get_by_time_in_chat get_recent",
    "person": "get_id get_id_by_name get_value",
    "render": "html2png",
    "send": "command custom emoji forward hybrid image text",
    "statistics": "local.message_trend local.model_trend local.models local.online_time_trend "
    "local.token_distribution local.token_trend local.tool_trend",
    "tool": "get_definitions",
    "webui": "claim_upload",
}

CAPABILITY_NAMES = frozenset(f"{family}.{name}" for family, names in _FAMILIES.items() for name in names.split())
"""All of them, ``family.name``. What ``ctx`` offers beside them (its gateway, logger and paths) needs no capability."""
