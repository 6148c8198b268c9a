"""Words of emotions, and which of them mean the same."""

import re

_SPLIT = re.compile(r"[,;\r\n，；、]+")
_APART = re.compile(r"[\W_\d]+")
_MEANINGLESS = frozenset(
    _APART.split(
        "sticker stickers emoji emojis picture image img photo pic gif png jpg jpeg webp file untitled copy animated "
        "表情 表情包 动画表情 图片 图像 照片 动图 截图 微信图片 未命名 副本"
    )
)
_LONGEST_TAG = 40

_FAMILIES: tuple[frozenset[str], ...] = tuple(
    frozenset(words.split())
    for words in (
        "happy happiness joy joyful glad cheerful smile smiling laugh laughing lol haha "
        "开心 高兴 快乐 愉快 喜悦 微笑 大笑 笑 哈哈",
        "sad sadness sorrow unhappy cry crying tears 难过 伤心 悲伤 哭 大哭 流泪 委屈",
        "angry anger mad furious rage 生气 愤怒 发火 气愤 暴怒",
        "surprised surprise shocked astonished wow 惊讶 吃惊 震惊 惊呆",
        "love loving heart kiss hug 爱 喜欢 爱心 亲亲 抱抱 拥抱",
        "shy embarrassed blush 害羞 脸红 羞涩 不好意思",
        "tired sleepy exhausted sleep yawn 累 疲惫 困 睡觉 晚安",
        "scared fear afraid frightened 害怕 恐惧 惊恐 发抖",
        "speechless awkward helpless facepalm sigh 无语 尴尬 无奈 叹气 捂脸",
        "proud smug cool 得意 骄傲 酷 傲娇",
        "confused puzzled question thinking 疑惑 困惑 疑问 不解 思考",
        "disgust disgusted disdain contempt 嫌弃 鄙视 恶心 厌恶",
        "hello hi greeting wave waving bye 你好 打招呼 挥手 再见",
        "thanks thank grateful 谢谢 感谢 感恩",
        "agree ok yes thumbs approve like 同意 赞 点赞 好的 赞同",
        "excited excitement celebrate party hooray 激动 兴奋 庆祝 撒花",
    )
)


def tags_of(text: str) -> list[str]:
    """The tags of a description: its parts between commas, semicolons and line ends, each once, in order.

    Args:
        text: as a model or a plugin wrote it.
    """
    return tidied(_SPLIT.split(text))


def tidied(tags: list[str]) -> list[str]:
    """Tags without blanks around them, empty ones and those that are there twice; overlong ones are cut."""
    bare = (" ".join(tag.split()).strip(" .。\"'“”[]【】")[:_LONGEST_TAG] for tag in tags)
    return list(dict.fromkeys(filter(None, bare)))


def words_in(name: str) -> str:
    """What the name of a file or sticker tells of it: its words, without those that all pictures have; "" if nothing.

    Args:
        name: such as ``"happy_cat-2"`` or ``"[微笑]"``.
    """
    words = (word for word in _APART.split(name) if word.lower() not in _MEANINGLESS)
    return " ".join(word for word in words if len(word) > 1 or not word.isascii())


def family_of(words: str) -> int | None:
    """The number of the emotion that a word, or one within a phrase, means; None where none is known.

    Args:
        words: such as ``"laughing cat"`` or ``"开心的猫"``.
    """
    folded = words.casefold()
    pieces = {folded, *_APART.split(folded)}
    return next((number for number, family in enumerate(_FAMILIES) if _means(family, folded, pieces)), None)


def _means(family: frozenset[str], text: str, pieces: set[str]) -> bool:
    """Chinese has no gaps between words: there, words of two characters or more count within others, unless denied."""
    if family & pieces:
        return True
    chinese = (word for word in family if len(word) > 1 and not word.isascii())
    return not text.isascii() and any(word in text and f"不{word}" not in text for word in chinese)
