"""The chain that runs a command."""

from host.hooks import HookSpec
from maibot_sdk import hooks

COMMAND_HOOKS = (
    HookSpec(
        name=hooks.CHAT_COMMAND_BEFORE_EXECUTE,
        payload=hooks.ChatCommandBeforeExecute,
        description="Fires when a command matched, before it runs. Message, matched groups and whose configuration it "
        "gets may be changed. An abort keeps it from running; the message counts as handled, without an "
        "answer.",
        translations={
            "zh": "命令匹配成功、执行之前触发。可改写消息、匹配分组和所用的插件配置；中止则命令不执行，"
            "消息视为已处理且无回复。"
        },
    ),
    HookSpec(
        name=hooks.CHAT_COMMAND_AFTER_EXECUTE,
        payload=hooks.ChatCommandAfterExecute,
        description="Fires when a command has run. Its outcome may be changed, and whether planner and replyer still "
        "run. Cannot be aborted.",
        translations={"zh": "命令执行结束后触发。可改写执行结果，并决定是否继续进入模型处理链；不可中止。"},
        allow_abort=False,
    ),
)
