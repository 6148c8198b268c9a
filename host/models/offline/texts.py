"""What the offline model says. Each kind has three sentences; a hash of the message chooses."""

from host.hooks.texts import TextTable

VARIANTS = 3

OFFLINE_TEXTS = TextTable(
    {
        "greeting_0": ("Hello there!", "你好呀！"),
        "greeting_1": ("Hi! Good to see you.", "嗨，见到你真好。"),
        "greeting_2": ("Hey, here I am.", "我在呢，你好。"),
        "thanks_0": ("You are welcome.", "不客气。"),
        "thanks_1": ("Any time.", "小事一桩。"),
        "thanks_2": ("Glad to help.", "能帮上忙就好。"),
        "farewell_0": ("See you!", "再见！"),
        "farewell_1": ("Bye, take care.", "拜拜，路上小心。"),
        "farewell_2": ("Until next time.", "下次再聊。"),
        "question_0": (
            'I am only the offline model, so I cannot answer "{gist}". Connect a language model and ask again.',
            "我只是离线模型，答不了“{gist}”。接入语言模型后再问我吧。",
        ),
        "question_1": (
            '"{gist}" is a good question, and beyond an offline model like me.',
            "“{gist}”是个好问题，可惜超出了我这个离线模型的能力。",
        ),
        "question_2": (
            'I would have to guess at "{gist}": there is no language model behind me.',
            "“{gist}”我只能瞎猜：我背后没有接语言模型。",
        ),
        "statement_0": ('Got it: "{gist}".', "收到：“{gist}”。"),
        "statement_1": ('I see, "{gist}".', "嗯，“{gist}”。"),
        "statement_2": ('Noted: "{gist}".', "记下了：“{gist}”。"),
        "picture_0": ("A picture! The offline model cannot see it.", "是图片！不过离线模型看不见。"),
        "picture_1": ("I got a picture, but I only read text.", "收到图片了，但我只看得懂文字。"),
        "picture_2": ("I cannot see pictures without a language model.", "没有接语言模型，我看不了图。"),
        "nothing_0": ("I am here.", "我在。"),
        "nothing_1": ("Yes?", "嗯？"),
        "nothing_2": ("I am listening.", "我听着呢。"),
        "output": ("{name}: {output}", "{name}：{output}"),
        "done": ("There is nothing more to do.", "没有其他要做的了。"),
        # Why a tool is called.
        "because_addressed": ("somebody speaks to me", "有人在和我说话"),
        "because_question": ("somebody asks something", "有人提问"),
        "because_private": ("it is a private chat", "这是私聊"),
        "because_unfinished": ("the message does not look finished", "对方似乎还没说完"),
        "because_not_addressed": ("nobody speaks to me", "没有人在和我说话"),
        "because_output": ("a tool has an answer", "工具已有结果"),
    }
)
