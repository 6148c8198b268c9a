from maibot_sdk import MaiBotPlugin, HookHandler
from maibot_sdk.types import HookOrder


class P(MaiBotPlugin):
    # What comes in is looked at first.
    # nothing is left out
    # never used
    @HookHandler(  # the declaration
        # first its name
        name="filter",  # shown on the page
        # then its stage
        hook="chat.receive.before_process",  # before anything else
        order=HookOrder.EARLY,  # early
    )  # so far the declaration
    # and now the handler
    async def check(
        self,
        message,  # the message
        **kwargs,  # the rest
    ):  # that was the signature
        """Strip the text."""
        # strip it
        message["processed_plain_text"] = message["processed_plain_text"].strip()  # here
        return {  # the result
            # go on
            "action": "continue",  # always
            "modified_kwargs": {"message": message},  # with the new text
        }  # the end


def create_plugin():
    return P()
