"""The base class of a model provider, as a plugin offers one with `LLMProvider`."""

from abc import ABC, abstractmethod
from typing import Any

_METHOD_OF_OPERATION = {
    "response": "get_response",
    "embedding": "get_embedding",
    "audio_transcription": "get_audio_transcriptions",
}


class LLMProviderBase(ABC):
    """Derive from this class, define `get_response`, and the other two where the provider can do it.

    A request and an answer are dicts; what they hold goes by the operation.
    """

    async def dispatch(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        """Carry out a request of the host.

        Args:
            operation: `response`, `embedding` or `audio_transcription`.
            request: what the method for it takes.

        Raises:
            ValueError: another operation.
            NotImplementedError: the provider cannot do that.
        """
        if operation not in _METHOD_OF_OPERATION:
            known = ", ".join(_METHOD_OF_OPERATION)
            raise ValueError(
                f"unknown operation of a model provider {operation!r}; known: {known} / "
                f"未知的模型操作 {operation!r}，可用：{known}"
            )
        answer: dict[str, Any] = await getattr(self, _METHOD_OF_OPERATION[operation])(request)
        return answer

    @abstractmethod
    async def get_response(self, request: dict[str, Any]) -> dict[str, Any]:
        """Let a language model answer."""

    async def get_embedding(self, request: dict[str, Any]) -> dict[str, Any]:
        """Turn texts into vectors.

        Raises:
            NotImplementedError: in this class.
        """
        raise NotImplementedError(_cannot(self, "embedding"))

    async def get_audio_transcriptions(self, request: dict[str, Any]) -> dict[str, Any]:
        """Turn speech into text.

        Raises:
            NotImplementedError: in this class.
        """
        raise NotImplementedError(_cannot(self, "audio_transcription"))


def _cannot(provider: LLMProviderBase, operation: str) -> str:
    name = type(provider).__name__
    method = _METHOD_OF_OPERATION[operation]
    return (
        f"{name} has no {operation}: it does not define `async def {method}` / "
        f"{name} 不支持 {operation}：没有定义 `async def {method}`"
    )
