"""What the bot says about emoji: why one is refused, to its models, to the planner. English and Chinese."""

from host.hooks.texts import TextTable

EMOJI_TEXTS = TextTable(
    {
        # Why a picture does not come into the library.
        "too_large": (
            "The file has {found} KiB; at most {allowed} KiB are allowed. Make it smaller, or raise emoji.max_kib.",
            "文件有 {found} KiB；最多允许 {allowed} KiB。请缩小文件，或调高 emoji.max_kib。",
        ),
        "no_picture": (
            "The file is no picture of an allowed format ({allowed}).",
            "文件不是允许格式（{allowed}）的图片。",
        ),
        "too_wide": (
            "The picture is {width} x {height} pixels; at most {allowed} a side are allowed. Scale it down, or raise emoji.max_side.",
            "图片为 {width} x {height} 像素；每边最多允许 {allowed} 像素。请缩小图片，或调高 emoji.max_side。",
        ),
        "too_many_pixels": (
            "The picture would take too many pixels to look at ({why}). Scale it down, or leave frames out.",
            "图片展开后的像素过多（{why}）。请缩小图片或减少帧数。",
        ),
        "too_many_frames": (
            "The animation has {found} frames; at most {allowed} are allowed. Leave some out, or raise emoji.max_frames.",
            "动图有 {found} 帧；最多允许 {allowed} 帧。请减少帧数，或调高 emoji.max_frames。",
        ),
        "broken": (
            "The picture cannot be decoded: {why}. Save it anew.",
            "图片无法解码：{why}。请重新保存。",
        ),
        "not_base64": ("What was given is no base64 of a file.", "给出的内容不是文件的 base64。"),
        "aborted": (
            "{plugin_id} refused it at {hook}.",
            "{plugin_id} 在 {hook} 拒绝了它。",
        ),
        "no_description": (
            "Nothing is known of what it shows. Give its file a name that says so, or set up a model for the task vision.",
            "不知道它表达什么。请用文件名说明，或为 vision 任务配置模型。",
        ),
        "no_emotions": ("No emotion is left that it stands for.", "没有剩下任何情绪标签。"),
        "library_full": (
            "The library is full ({allowed} emoji), and emoji.replace is off. Delete some, or raise emoji.max_count.",
            "表情库已满（{allowed} 个），且 emoji.replace 已关闭。请删除一些，或调高 emoji.max_count。",
        ),
        # To models.
        "describe": (
            "This is a sticker of a chat{frames}. Say which emotions it expresses and what it shows, in two to six short "
            "tags separated by commas, the emotion that fits best first. Write the tags alone, in English.",
            "这是聊天中的一个表情包{frames}。请用二到六个简短标签说明它表达的情绪和画面内容，用逗号分隔，最贴切的情绪放在最前。只写标签，用中文。",
        ),
        "describe_frames": (
            ", animated: its frames stand side by side, from left to right",
            "（动图，各帧从左到右排列）",
        ),
        "choose": (
            "Choose the sticker that fits best to be sent into this chat.\nEmotion: {emotion}\nWhy: {reason}\n"
            "Said last:\n{context}\n\nStickers:\n{stickers}\n\nAnswer with the number of the sticker alone, or with 0 if none fits.",
            "为这段聊天选择最合适发送的表情包。\n情绪：{emotion}\n原因：{reason}\n最近的发言：\n{context}\n\n"
            "表情包：\n{stickers}\n\n只回答编号；都不合适则回答 0。",
        ),
        # To the planner.
        "sent": (
            "Sent a sticker for {requested!r}: {description} (matched: {matched}).",
            "已按“{requested}”发送表情包：{description}（匹配：{matched}）。",
        ),
        "not_sent": ("The sticker was not sent: {why}", "表情包未能发出：{why}"),
        "none_fits": (
            "No sticker fits {requested!r}. There are some for: {known}.",
            "没有适合“{requested}”的表情包。现有：{known}。",
        ),
        "stopped": ("A plugin decided that no sticker is sent.", "插件决定不发送表情包。"),
        "unreadable": ("Its file cannot be read: {why}", "无法读取其文件：{why}"),
        # To plugins.
        "added": ("Added to the library.", "已加入表情库。"),
        "replaced": ("Added to the library; the least used one made room.", "已加入表情库，并替换了使用最少的一个。"),
        "known": ("It is in the library already.", "表情库中已有该表情。"),
    }
)
