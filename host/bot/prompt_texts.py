"""What the bot says to its models: lines of a chat, names and arguments of tools. English and Chinese."""

from host.hooks.texts import TextTable

PROMPT_TEXTS = TextTable(
    {
        # A chat, line by line.
        "heard": (
            "[{time}] {name} (user {user_id}, msg_id {message_id}): {text}",
            "[{time}] {name}（用户 {user_id}，msg_id {message_id}）：{text}",
        ),
        "notice": ("[{time}] notice: {text}", "[{time}] 通知：{text}"),
        "said": ("[{time}] {name}: {text}", "[{time}] {name}：{text}"),
        "selected": (
            "the latest {count} of {total} message(s)",
            "最近 {count} 条消息（共 {total} 条）",
        ),
        # Tools of the bot's own.
        "tool_reply": (
            "Answer a message of this chat. What is said is worded afterwards.",
            "回复本聊天中的一条消息。具体措辞随后生成。",
        ),
        "reply_msg_id": ("The msg_id of the message to answer.", "要回复的消息的 msg_id。"),
        "reply_set_quote": ("Whether to quote that message.", "是否引用该消息。"),
        "reply_reference_info": (
            "Facts that the answer needs, such as results of other tools.",
            "回复所需的参考信息，例如其他工具的结果。",
        ),
        "reply_plugin_options": (
            "Extensions of this reply; name those that are wanted.",
            "本次回复的扩展；只写需要的扩展。",
        ),
        "tool_wait": (
            "Wait for people to go on, and look again then or when something is said.",
            "等待对方继续，到时间或有新消息后再判断。",
        ),
        "wait_seconds": ("How many seconds at most.", "最多等待的秒数。"),
        "tool_no_reply": (
            "Say nothing for now, and go on when something new is said.",
            "暂不回复，等有新消息再判断。",
        ),
        "no_reply_reason": ("Why.", "原因。"),
        "tool_send_emoji": ("Send a sticker that shows an emotion.", "发送一个表达某种情绪的表情包。"),
        "send_emoji_emotion": ("The emotion, in a word.", "情绪，用一个词描述。"),
        "send_emoji_reason": ("Why.", "原因。"),
        "tool_query_jargon": (
            "Look up what words of this chat mean: jargon, abbreviations, memes.",
            "查询本聊天中黑话、缩写或梗的含义。",
        ),
        "query_jargon_words": ("The words.", "要查询的词。"),
        "tool_tool_search": (
            "Find further tools by words of their names or descriptions; they can be called then.",
            "按名称或说明中的词查找更多工具；找到后即可调用。",
        ),
        "tool_search_query": ("The words.", "关键词。"),
        "tool_of_plugin": ("The tool {name}.", "工具 {name}。"),
        "further_tools": ("Further tools, to be found with tool_search:", "更多工具（需先用 tool_search 查找）："),
        "further_tool": ("- {name}: {brief}", "- {name}：{brief}"),
    }
)
