"""What this package says to people about items and role messages that cannot be used. English and Chinese."""

from host.hooks.texts import TextTable

CONTEXT_TEXTS = TextTable(
    {
        # Why a value is no item, or no role message.
        "missing": (
            "{path} is missing; allowed is {allowed}.",
            "缺少 {path}；只允许 {allowed}。",
        ),
        "not_allowed": (
            "{path} is {found}; allowed is {allowed}.",
            "{path} 为 {found}；只允许 {allowed}。",
        ),
        "no_content": (
            "{path} has no content; a message of role {role} needs some.",
            "{path} 没有内容；角色 {role} 的消息必须有内容。",
        ),
        "empty_assistant": (
            "{path} has no content, no reasoning_content and no tool_calls; an assistant message needs one of them.",
            "{path} 没有 content、reasoning_content 和 tool_calls；assistant 消息至少需要其中之一。",
        ),
        "picture_in_tool": (
            "{path} is a picture; the answer of a tool is text. Put the picture into a user message after it.",
            "{path} 是图片；工具结果只能是文本。请把图片放进其后的 user 消息。",
        ),
        "call_unknown": (
            "{path} answers the call {id!r}, which no earlier assistant message makes. Keep both or remove both.",
            "{path} 回应的调用 {id!r} 没有出现在之前的 assistant 消息中。请同时保留或同时删除二者。",
        ),
        "version": (
            "item_schema_version is {found}; allowed is {allowed}. Return it unchanged.",
            "item_schema_version 为 {found}；只允许 {allowed}。请原样返回。",
        ),
        # Why items do not make a list.
        "item_id_twice": (
            "{path} has the item_id {id!r}, which an earlier item has; each must have its own.",
            "{path} 的 item_id {id!r} 与之前的条目重复；每个条目必须有自己的 ID。",
        ),
        "call_id_twice": (
            "{path} makes the call {id!r}, which an earlier item makes; each must have its own call_id.",
            "{path} 的调用 {id!r} 与之前的调用重复；每个调用必须有自己的 call_id。",
        ),
        "output_twice": (
            "{path} answers the call {id!r}, which an earlier item answers; a call has one answer.",
            "{path} 回应的调用 {id!r} 已有结果；每个调用只能有一个结果。",
        ),
        "no_turn": (
            "{path} has no logical_turn_id; calls and their answers need one, the same for both.",
            "{path} 没有 logical_turn_id；调用及其结果必须有相同的 logical_turn_id。",
        ),
        "output_without_call": (
            "{path} answers the call {id!r}, which no earlier item makes. Keep both or remove both.",
            "{path} 回应的调用 {id!r} 没有出现在之前的条目中。请同时保留或同时删除二者。",
        ),
        "output_of_other_turn": (
            "{path} answers the call {id!r} with another logical_turn_id than the call has; both must have the same.",
            "{path} 的 logical_turn_id 与所回应的调用 {id!r} 不同；二者必须相同。",
        ),
        "call_without_output": (
            "{path} makes the call {id!r}, which nothing answers. Keep both or remove both.",
            "{path} 的调用 {id!r} 没有结果。请同时保留或同时删除二者。",
        ),
        "not_of_a_model": (
            "{path} is a {found}; in the answer of a model only {allowed} are allowed.",
            "{path} 为 {found}；模型输出中只允许 {allowed}。",
        ),
    }
)
