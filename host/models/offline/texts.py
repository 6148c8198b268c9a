"""What the offline model says. Each kind has three sentences; a hash of the message chooses."""

from host.hooks.texts import TextTable

VARIANTS = 3

OFFLINE_TEXTS = TextTable(
    {
        # Of somebody by name, and of the bot's own.
        "called": (", {name}", "，{name}"),
        "named": ("{name}, with ", "{name}，背后是"),
        "greeting_0": ("Hello{called}!", "你好{called}！"),
        "greeting_1": ("Good to see you{called}.", "嗨{called}，见到你真好。"),
        "greeting_2": ("Hey{called}!", "哈喽{called}！"),
        "presence_0": ("Yes{called}, I am here.", "在呢{called}。"),
        "presence_1": ("I am here and listening{called}.", "我在{called}，说吧。"),
        "presence_2": ("Here I am{called}.", "我在这儿{called}。"),
        "about_0": (
            "I am {named}the built-in offline model. With a provider in [models] of host.toml I can really talk.",
            "我是{named}内置的离线模型。在 host.toml 的 [models] 里配置提供方，我就能真正聊天了。",
        ),
        "about_1": (
            "I am {named}the offline model, so I greet, call tools and repeat. A provider in [models] of host.toml lets me really talk.",
            "我是{named}离线模型，只会打招呼、调用工具和复述。在 host.toml 的 [models] 里配置提供方，我就能真正聊天了。",
        ),
        "about_2": (
            "I am {named}no language model yet, just the offline one. Name a provider in [models] of host.toml to change that.",
            "我是{named}离线模型，还没有接语言模型。在 host.toml 的 [models] 里配置提供方就可以了。",
        ),
        "thanks_0": ("You are welcome{called}.", "不客气{called}。"),
        "thanks_1": ("Any time{called}.", "小事一桩{called}。"),
        "thanks_2": ("My pleasure{called}.", "应该的{called}。"),
        "night_0": ("Good night{called}!", "晚安{called}！"),
        "night_1": ("Sleep well{called}.", "好梦{called}。"),
        "night_2": ("Good night{called}, until tomorrow.", "晚安{called}，明天见。"),
        "farewell_0": ("See you{called}!", "再见{called}！"),
        "farewell_1": ("Bye{called}, take care.", "拜拜{called}，路上小心。"),
        "farewell_2": ("Until next time{called}.", "下次再聊{called}。"),
        "question_0": (
            'Without a language model, I cannot answer "{gist}".',
            "没有接语言模型，我还答不了“{gist}”。",
        ),
        "question_1": ('I am only an offline model, too small for "{gist}".', "我只是个离线模型，答不上“{gist}”。"),
        "question_2": (
            'As an offline model, I can only guess at "{gist}".',
            "我背后没有接语言模型，只能瞎猜“{gist}”。",
        ),
        "statement_0": ('Noted: "{gist}".', "记下啦：“{gist}”。"),
        "statement_1": ('I see: "{gist}".', "嗯嗯，我知道了：“{gist}”。"),
        "statement_2": ('I hear you: "{gist}".', "听到啦：“{gist}”。"),
        "picture_0": ("A picture! The offline model cannot see it, though.", "是图片！不过离线模型看不见。"),
        "picture_1": ("I got a picture, but I only read text.", "收到图片了，但我只看得懂文字。"),
        "picture_2": ("I cannot see pictures without a language model.", "没有接语言模型，我看不了图。"),
        "sticker_0": ("Nice sticker!", "这个表情不错！"),
        "sticker_1": ("I like that sticker.", "这个表情我喜欢。"),
        "sticker_2": ("That is a good one.", "哈哈，有意思。"),
        "voice_0": ("I got a voice message, but I cannot hear it.", "收到语音了，但我听不见。"),
        "voice_1": ("A voice message! Could you write that?", "是语音！能打字告诉我吗？"),
        "voice_2": ("I cannot hear without a language model.", "没有接语言模型，我听不了语音。"),
        "unread_0": ("I got that, but I only read text.", "收到了，不过我只看得懂文字。"),
        "unread_1": ("Thanks, I cannot look into it, though.", "谢谢，不过我打不开。"),
        "unread_2": ("That arrived. I read nothing but text, though.", "东西到了，可我只会读文字。"),
        "nothing_0": ("I am here.", "我在。"),
        "nothing_1": ("Yes?", "嗯？"),
        "nothing_2": ("I am listening.", "我听着呢。"),
        "output": ("{name}: {output}", "{name}：{output}"),
        "done": ("There is nothing more to do.", "没有其他要做的了。"),
        # Why a tool is called.
        "because_addressed": ("somebody speaks to me", "有人在和我说话"),
        "because_greeting": ("somebody greets all of us", "有人和大家打招呼"),
        "because_private": ("it is a private chat", "这是私聊"),
        "because_unfinished": ("the message does not look finished", "对方似乎还没说完"),
        "because_not_addressed": ("nobody speaks to me", "没有人在和我说话"),
        "because_output": ("a tool has an answer", "工具已有结果"),
    }
)
