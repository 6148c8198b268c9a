"""The chain that sends a message."""

from host.hooks import HookSpec
from maibot_sdk import hooks

SEND_HOOKS = (
    HookSpec(
        name=hooks.SEND_SERVICE_AFTER_BUILD_MESSAGE,
        payload=hooks.SendServiceAfterBuildMessage,
        description="Fires when a message to send is made. The message and how it is sent may be changed. An abort "
        "keeps it from being sent; the plugin that asked for it is told that it was not.",
        translations={
            "zh": "出站消息构建完成之后触发。可改写消息和发送方式；中止则不发送，发起发送的插件会得到未成功的结果。"
        },
        default_timeout_ms=5000,
    ),
    HookSpec(
        name=hooks.SEND_SERVICE_BEFORE_SEND,
        payload=hooks.SendServiceBeforeSend,
        description="Fires before a message goes to the platform. The message, how it is sent and what it quotes may "
        "be changed. An abort keeps it from being sent and stored, and send_service.after_send does not "
        "fire.",
        translations={
            "zh": "消息交给平台发送之前触发。可改写消息、发送方式和引用；中止则既不发送也不入库，"
            "且不再触发 send_service.after_send。"
        },
        default_timeout_ms=5000,
    ),
    HookSpec(
        name=hooks.SEND_SERVICE_AFTER_SEND,
        payload=hooks.SendServiceAfterSend,
        description="Fires when sending is over, whether it succeeded or not. For looking on: nothing can be changed "
        "or aborted.",
        translations={"zh": "发送流程结束后触发，无论是否成功。仅供观察：不可改参，也不可中止。"},
        allow_abort=False,
        allow_kwargs_mutation=False,
        default_timeout_ms=5000,
    ),
)
