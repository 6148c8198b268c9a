"""What is done to a reply once it is worded: one last hook, then it is split into the pieces that are sent."""

from host.bot.hook_site import Journal, consult
from host.bot.reply_wanted import ReplyFailedError, ReplyWanted
from host.bot.splitting import Piece, SplittingSettings, split_reply
from host.hooks import Hooks


async def post_processed(
    hooks: Hooks, text: str, wanted: ReplyWanted, settings: SplittingSettings, journal: Journal
) -> tuple[str, list[Piece]]:
    """The whole reply, and the pieces in which it is sent.

    Args:
        hooks: the kernel.
        text: the reply as it was worded.
        wanted: the reply as its hooks left it.
        settings: how to split.
        journal: takes down what happens at hooks.

    Raises:
        ReplyFailedError: a handler left nothing of it.
        ChainDepthError: hooks fired hooks too deep.
    """
    payload = {
        **wanted.place,
        "response": text,
        "skip_post_process": False,
        "enable_splitter": settings.enabled,
        # There are no typing errors to be put in; a handler that wants some sees that there are none.
        "enable_chinese_typo": False,
    }
    kwargs = await consult(hooks, "maisaka.reply.before_post_process", payload, journal)
    said = str(kwargs["response"] or "")
    if not said.strip():
        raise ReplyFailedError("reply_empty")
    if kwargs["skip_post_process"]:
        return said, [Piece(said, 0.0)]
    return said, split_reply(said, settings.model_copy(update={"enabled": kwargs["enable_splitter"]}))
