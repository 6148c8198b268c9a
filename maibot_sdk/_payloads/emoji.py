"""Payloads of the chain that chooses and registers emoji (stickers)."""

from typing import Annotated, NotRequired

from typing_extensions import TypedDict

from maibot_sdk._payloads.fields import LooseText, OptionalText, Text, Texts, Words
from maibot_sdk._payloads.keys import AbortMessage, StreamId


class EmojiInfo(TypedDict, total=False):
    """A registered emoji."""

    file_hash: Annotated[LooseText, Text("SHA-256 of the file, in hex.", "文件的 SHA-256（十六进制）。")]
    file_name: Annotated[LooseText, Text("Name of the file.", "文件名。")]
    full_path: Annotated[LooseText, Text("Where the file lies.", "文件完整路径。")]
    description: Annotated[LooseText, Text("What it shows.", "表情描述。")]
    emotions: Annotated[Words, Text("The emotions it stands for.", "情绪标签。")]
    query_count: Annotated[int, Text("How often it was used.", "使用次数。")]


class EmojiMaisakaBeforeSelect(TypedDict):
    """`emoji.maisaka.before_select`: the bot wants to send an emoji and has not chosen one.

    An abort fails the tool with `abort_message`.
    """

    stream_id: StreamId
    requested_emotion: Annotated[LooseText, Text("The emotion that was asked for.", "请求的情绪。")]
    reasoning: Annotated[LooseText, Text("Why the model wants an emoji.", "模型请求表情的理由。")]
    context_texts: Annotated[Texts, Text("The last messages, as texts.", "最近的上下文文本。")]
    sample_size: Annotated[
        int, Text("How many candidates are looked at; at least 1.", "参与挑选的候选数量，至少为 1。")
    ]
    abort_message: NotRequired[AbortMessage]


class EmojiMaisakaAfterSelect(EmojiMaisakaBeforeSelect):
    """`emoji.maisaka.after_select`: an emoji was chosen, or none was found.

    `selected_emoji_hash` wins over `selected_emoji`; an emoji that is not registered changes nothing. An abort fails
    the tool with `abort_message`.
    """

    selected_emoji: NotRequired[Annotated[EmojiInfo | None, Text("The emoji that was chosen.", "选中的表情。")]]
    selected_emoji_hash: NotRequired[
        Annotated[OptionalText, Text("Hash of the emoji to send.", "要发送的表情的哈希。")]
    ]
    matched_emotion: Annotated[LooseText, Text("The emotion that decided the choice.", "匹配到的情绪。")]


class EmojiRegisterAfterBuildDescription(TypedDict):
    """`emoji.register.after_build_description`: a new emoji got its description.

    The description is split into tags at commas, semicolons and line ends. An abort or an empty description refuses
    the emoji.
    """

    emoji: Annotated[EmojiInfo, Text("The emoji to be registered.", "待注册的表情。")]
    description: Annotated[LooseText, Text("What it shows.", "生成的描述。")]
    image_format: Annotated[LooseText, Text("Format of the file, such as png.", "图片格式，例如 png。")]


class EmojiRegisterAfterBuildEmotion(TypedDict):
    """`emoji.register.after_build_emotion`: a new emoji got its emotions. An abort or an empty list refuses it."""

    emoji: Annotated[EmojiInfo, Text("The emoji to be registered.", "待注册的表情。")]
    description: Annotated[LooseText, Text("What it shows.", "表情描述。")]
    emotions: Annotated[Words, Text("The emotions it stands for.", "生成的情绪标签。")]
