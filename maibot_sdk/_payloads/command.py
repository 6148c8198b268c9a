"""Payloads of the chain that runs a command."""

from typing import Annotated, NotRequired

from typing_extensions import TypedDict

from maibot_sdk._payloads.fields import Flag, JsonObject, LooseText, OptionalText, Text
from maibot_sdk._payloads.message import SessionMessage


class ChatCommandBeforeExecute(TypedDict):
    """`chat.command.before_execute`: a command matched and is about to run.

    An abort keeps it from running; the message counts as handled, with no answer. A changed `plugin_id` chooses whose
    configuration the command gets; which command runs is settled already.
    """

    message: Annotated[SessionMessage, Text("The message that called the command.", "触发命令的消息。")]
    command_name: Annotated[LooseText, Text("Name of the command.", "命令名称。")]
    plugin_id: Annotated[LooseText, Text("Id of the plugin whose command it is.", "命令所属插件的 ID。")]
    matched_groups: Annotated[
        JsonObject, Text("Named groups of the pattern, and what each matched.", "命令正则的命名分组及其匹配内容。")
    ]


class ChatCommandAfterExecute(ChatCommandBeforeExecute):
    """`chat.command.after_execute`: a command has run. No abort here."""

    success: Annotated[Flag, Text("Whether it succeeded.", "命令是否执行成功。")]
    response: NotRequired[Annotated[OptionalText, Text("What it answered.", "命令的返回文本。")]]
    intercept_message_level: Annotated[
        int,
        Text(
            "How much of the later handling the command stops; 0 is nothing.",
            "命令拦截后续处理的程度，0 为不拦截。",
        ),
    ]
    continue_process: Annotated[Flag, Text("Whether planner and replyer still run.", "是否继续进入模型处理链。")]
