"""What an event handler does to its message."""
from maibot_sdk import EventHandler, MaiBotPlugin
from maibot_sdk.messages import MaiMessages, MessageSegment
from maibot_sdk.types import EventType, ModifyFlag


class Plugin(MaiBotPlugin):
    @EventHandler("e", "d", EventType.POST_LLM, True, -2)
    async def e(self, **kwargs): ...


def create_plugin():
    return Plugin()


async def story(plugin):
    message = MaiMessages(message_segments=[MessageSegment(type="text", data={"text": "hi"})], raw_message={"a": [1]})
    copy = message.deepcopy()
    message.set_modify_flag(ModifyFlag.CAN_MODIFY_RESPONSE, False)
    told = [
        message.modify_prompt("p"),
        message.modify_response("r"),
        message.modify_plain_text("t"),
        message.can_modify("can_modify_prompt"),
        message.can_modify("unknown"),
        message.to_rpc_dict(),
        copy.to_rpc_dict(),
        MaiMessages.from_rpc_dict({"plain_text": "x", "unknown": 1, "modify_flags": {}}).to_rpc_dict(),
        MaiMessages.from_rpc_dict({"modify_flags": {}}).modify_prompt("p"),
    ]
    for flag in ("can_modify_prompt", "unknown"):
        told.append(message.set_modify_flag(flag, False))
    told.append(message.to_rpc_dict())
    message.modify_flags.clear()
    message.set_modify_flag(ModifyFlag.CAN_MODIFY_MESSAGE, True)
    told.append(message.to_rpc_dict())
    for data in ({"plain_text": 5}, {"message_segments": [{"data": "x"}]}, {"modify_flags": {"a": "maybe"}}):
        try:
            told.append(MaiMessages.from_rpc_dict(data).to_rpc_dict())
        except Exception as error:
            told.append(type(error).__name__)
    return told
