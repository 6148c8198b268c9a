"""A model provider and its operations."""
from maibot_sdk import LLMProvider, LLMProviderBase, MaiBotPlugin


class Provider(LLMProviderBase):
    async def get_response(self, request):
        return {"response": request["prompt"][::-1]}


class Incomplete(LLMProviderBase):
    async def get_embedding(self, request):
        return {}


class Plugin(MaiBotPlugin):
    @LLMProvider(" echo ", name=None, description="d", version=None)
    def provider(self):
        return Provider()

    @LLMProvider("echo")
    def again(self):
        return Provider()


def create_plugin():
    return Plugin()


async def story(plugin):
    told = [await plugin.provider().dispatch("response", {"prompt": "abc"})]
    for make, operation in ((Provider, "embedding"), (Provider, "audio_transcription"), (Provider, " response"), (Incomplete, "embedding")):
        try:
            told.append(await make().dispatch(operation, {}))
        except Exception as error:
            told.append(type(error).__name__)
    return told
