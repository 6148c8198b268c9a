"""The configuration of the bot under the names that public plugins read: those that are asked for always exist."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

DEFAULTS: Mapping[str, Mapping[str, Any]] = {
    "bot": {"nickname": "", "qq_account": "", "alias_names": [], "platform": "", "platforms": []},
    "personality": {
        "personality": "",
        "reply_style": "",
        "behavior_style": "",
        "multiple_reply_style": [],
        "multiple_probability": 0.0,
    },
    "plugin": {"permission": [], "silent_permission_denied": False, "command_permissions": {}, "disabled_commands": []},
    "visual": {"handle_oversized_images": False},
    "emoji": {"max_reg_num": 64},
    "chat": {"reply_timing": {"talk_value": 1.0}, "max_context_size": 0},
    "capabilities": {"tool_result_condense": False, "tool_result_condense_threshold": 3000},
    "voice": {"enable_asr": False},
    "debug": {},
}
"""Sections, keys, and what they are where the owner's settings say nothing."""


def published(settings: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The whole configuration as plugins see it.

    Args:
        settings: sections that the host has, by their published names; merged over the defaults at every depth.
    """
    return _merged(DEFAULTS, settings)


def _merged(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    merged = {key: deepcopy(value) for key, value in under.items()}
    for key, value in over.items():
        below = merged.get(key)
        if isinstance(below, Mapping) and isinstance(value, Mapping):
            merged[key] = _merged(below, value)
        else:
            merged[key] = deepcopy(value)
    return merged
