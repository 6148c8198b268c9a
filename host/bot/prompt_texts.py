"""What the bot says to its models: lines of a chat, names and arguments of tools. English and Chinese."""

from host.hooks.texts import TextTable

PROMPT_TEXTS = TextTable(
    {
        # A chat, line by line.
        "heard": (
            "[{time}] {name} (user {user_id}, msg_id {message_id}): {text}",
            "[{time}] {name}（用户 {user_id}，msg_id {message_id}）：{text}",
        ),
        "heard_by_bot": (
            "[{time}] {name} (user {user_id}, msg_id {message_id}) to you: {text}",
            "[{time}] {name}（用户 {user_id}，msg_id {message_id}）对你说：{text}",
        ),
        "notice": ("[{time}] notice: {text}", "[{time}] 通知：{text}"),
        "said": ("[{time}] {name}: {text}", "[{time}] {name}：{text}"),
        "selected": (
            "the latest {count} of {total} message(s)",
            "最近 {count} 条消息（共 {total} 条）",
        ),
        # What the bot is told to be.
        "who_in_group": (
            "Your name is {name}.{aliases} You take part in the group chat {group}.",
            "你的名字是{name}。{aliases}你正在群聊“{group}”中。",
        ),
        "who_in_private": (
            "Your name is {name}.{aliases} You are in a private chat.",
            "你的名字是{name}。{aliases}你正在私聊中。",
        ),
        "also_called": (" You are also called {name}.", "你也叫{name}。"),
        "replyer": (
            "{who}\n\nAnswer this message of the chat as one of its people would, short and plain. "
            "Write nothing but what you say.\n{line}",
            "{who}\n\n像群里的普通成员一样，简短自然地回复聊天中的这条消息。只写要说的话。\n{line}",
        ),
        "replyer_style": ("How you speak: {style}", "说话风格：{style}"),
        "replyer_expressions": (
            "How people speak here; use what fits, and nothing that does not:\n{expressions}",
            "这里的人怎么说话（合适才用，不合适就不用）：\n{expressions}",
        ),
        "expression": ("- {situation}: {style}", "- {situation}：{style}"),
        "choose_expressions": (
            "The chat:\n{chat}\n\nThis message is to be answered:\n{line}\n\nWays of speaking, each with its id, when "
            "it is used, and how it is said:\n{expressions}\n\nChoose at most {limit} of them that suit the answer, "
            'the best first. Answer with JSON: {{"ids": [id, ...]}}; with an empty list where none suits.',
            "聊天内容：\n{chat}\n\n要回复的消息：\n{line}\n\n表达方式（ID、适用情境、说法）：\n{expressions}\n\n"
            '选出最多 {limit} 个适合本次回复的，最合适的在前。用 JSON 回答：{{"ids": [ID, ...]}}；都不合适则为空列表。',
        ),
        "replyer_reason": ("Why you answer: {reason}", "回复理由：{reason}"),
        "replyer_reference": ("For reference:\n{reference}", "参考信息：\n{reference}"),
        "replyer_extension": ("{extension}", "{extension}"),
        "replyer_extra": ("Further demands:\n{extra}", "额外要求：\n{extra}"),
        "replyer_complaint": (
            "Your last answer was refused; write another. What was wrong: {complaint}",
            "上一次的回复未被采用，请重新回复。问题：{complaint}",
        ),
        "planner": (
            "{who}\n\nDecide what to do about what was said last, and do it by calling tools: reply to answer a "
            "message, no_reply to stay silent, wait to let people go on. Do not write the answer yourself.",
            "{who}\n\n判断如何处理最近的发言，并通过调用工具来完成：reply 回复某条消息，no_reply 保持沉默，"
            "wait 等对方说完。不要自己写出回复内容。",
        ),
        # What nobody said.
        "speak_up": (
            "The plugin {plugin_id} suggests that you say something of your own accord. What about: {about}",
            "插件 {plugin_id} 建议你主动说点什么。内容：{about}",
        ),
        "speak_up_reason": ("Why: {word}", "理由：{word}"),
        "speak_up_priority": ("How urgent: {word}", "优先级：{word}"),
        "word_reference": (
            "Nobody said anything: put what stands under the reference into your own words.",
            "没有人发言：请用自己的话表达参考信息的内容。",
        ),
        "planner_about": (
            "What this is about is not what was said last, but:\n{line}",
            "这次要处理的不是最后的发言，而是：\n{line}",
        ),
        # What came of tools.
        "tool_worked": ("Done.", "已完成。"),
        "bad_stop": (
            "The tool failed: stop_after_execution is no boolean.",
            "工具失败：stop_after_execution 不是布尔值。",
        ),
        "bad_arguments": ("The arguments are no JSON object.", "参数不是 JSON 对象。"),
        "unknown_tool": ("There is no tool {name}.", "没有工具 {name}。"),
        "search_first": (
            "Find the tool with tool_search to learn its arguments.",
            "请先用 tool_search 查看该工具的参数。",
        ),
        "nothing_found": ("No tool was found.", "没有找到工具。"),
        "replied": ("Said: {text}", "已回复：{text}"),
        "not_replied": ("Not sent: {text}", "未能发出：{text}"),
        "went_on": ("Something more was said.", "有新消息。"),
        "waited": ("Nobody said anything more.", "没有新消息。"),
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
