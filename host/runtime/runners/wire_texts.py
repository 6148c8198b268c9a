"""What the host says to people about the wire to a runner: why it ended, why a call failed. English and Chinese."""

from host.hooks.texts import TextTable

WIRE_TEXTS = TextTable(
    {
        # Why a channel ended.
        "not_open": (
            "the connection is not open yet",
            "连接尚未打开",
        ),
        "closed_here": (
            "the connection was closed from this side",
            "连接已由本端关闭",
        ),
        "closed_there": (
            "the other side closed the connection",
            "对端关闭了连接",
        ),
        "connection_failed": (
            "the connection failed: {error}",
            "连接出错：{error}",
        ),
        # What the other side did wrong; it is cut off.
        "frame_too_long": (
            "the other side announced a frame of {size} bytes; allowed are {limit}",
            "对端声明了 {size} 字节的帧；上限为 {limit}",
        ),
        "garbage": (
            "the other side sent what is no message: {why}",
            "对端发送的内容不是有效消息：{why}",
        ),
        "outside_memory": (
            "the other side spoke of {size} bytes at {begin} of the shared memory, beyond its end",
            "对端声称共享内存 {begin} 处有 {size} 字节，但该处超出范围",
        ),
        "unknown_call": (
            "the other side spoke of call {id}, which was never made",
            "对端提到了从未发起的调用 {id}",
        ),
        "repeated_id": (
            "the other side used the id {id} for a request after {last}; ids only rise",
            "对端在 {last} 之后又以编号 {id} 发起请求；编号只能递增",
        ),
        "bad_event": (
            "the other side sent an event {method!r} that cannot be read: {why}",
            "对端发送的事件 {method!r} 无法读取：{why}",
        ),
        # Why a call failed.
        "frame_too_large": (
            "{size} bytes are too many for one message; allowed are {limit}. Send less, or raise the limit.",
            "单条消息 {size} 字节过大；上限为 {limit}。请减少内容，或提高上限。",
        ),
        "peer_gone": (
            "it cannot be called: {reason}",
            "无法调用：{reason}",
        ),
        "call_timed_out": (
            "the call {method!r} was not answered in time",
            "调用 {method!r} 未在限期内得到答复",
        ),
    }
)
