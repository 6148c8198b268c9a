from maibot_sdk import MaiBotPlugin, WorkflowStep


class P(MaiBotPlugin):
    # What comes in is looked at first.
    @WorkflowStep(  # the declaration
        # first its name
        name="filter",  # shown on the page
        # then its stage
        stage="pre_process",  # before anything else
        priority=5,  # early
        filter=None,  # nothing is left out
    )  # so far the declaration
    # and now the handler
    async def check(
        self,
        context,  # never used
        message,  # the message
        **kwargs,  # the rest
    ):  # that was the signature
        """Strip the text."""
        # strip it
        message["processed_plain_text"] = message["processed_plain_text"].strip()  # here
        return {  # the result
            # go on
            "hook_result": "continue",  # always
            "modified_message": message,  # with the new text
        }  # the end


def create_plugin():
    return P()
