"""The library of emoji: pictures that the bot collects, describes, and sends where one fits.

picture      whether a file is sound, and how a model sees it
emotions     tags, and which words mean the same
index        the emoji of the library in memory, by hash and by tag
library      their files and rows
describing   what one shows, by a model or by its name
registering  how a picture comes into the library, with the hooks
collecting   pictures from chats, and from the folder of the owner, in the background
choosing     which one fits, with the hooks
tool         the planner's `send_emoji`
room         all of that together
"""

from host.bot.emoji.errors import EmojiRefusedError
from host.bot.emoji.room import EmojiRoom
from host.bot.emoji.settings import EmojiSettings

__all__ = ["EmojiRefusedError", "EmojiRoom", "EmojiSettings"]
