"""What is done to a reply once it is worded: one last hook, typing errors, then it is split into the pieces to send."""

from host.bot.bounds import AnsweringSettings
from host.bot.hook_site import Journal, consult
from host.bot.reply_wanted import ReplyFailedError, ReplyWanted
from host.bot.splitting import Piece, SplittingSettings, split_reply
from host.bot.typos import Typist
from host.hooks import Hooks


async def post_processed(
    hooks: Hooks,
    text: str,
    wanted: ReplyWanted,
    settings: SplittingSettings,
    bounds: AnsweringSettings,
    journal: Journal,
) -> tuple[str, list[Piece]]:
    """The whole reply, and the pieces in which it is sent.

    Args:
        hooks: the kernel.
        text: the reply as it was worded.
        wanted: the reply as its hooks left it.
        settings: how to split.
        bounds: whether there are typing errors, and how many.
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
        "enable_chinese_typo": bounds.typos,
    }
    kwargs = await consult(hooks, "maisaka.reply.before_post_process", payload, journal)
    said = str(kwargs["response"] or "")
    if not said.strip():
        raise ReplyFailedError("reply_empty")
    if kwargs["skip_post_process"]:
        return said, [Piece(said, 0.0)]
    if kwargs["enable_chinese_typo"]:
        said = await Typist(bounds.typo_rate).type(said)
    return said, split_reply(said, settings.model_copy(update={"enabled": kwargs["enable_splitter"]}))
