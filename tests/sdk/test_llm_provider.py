"""`LLMProviderBase`: which method carries out an operation."""

from typing import Any

import pytest

from maibot_sdk import LLMProviderBase


class Echo(LLMProviderBase):
    async def get_response(self, request: dict[str, Any]) -> dict[str, Any]:
        return {"response": request}


class Everything(Echo):
    async def get_embedding(self, request: dict[str, Any]) -> dict[str, Any]:
        return {"embedding": request}

    async def get_audio_transcriptions(self, request: dict[str, Any]) -> dict[str, Any]:
        return {"text": request}


@pytest.mark.parametrize(
    ("operation", "key"), [("response", "response"), ("embedding", "embedding"), ("audio_transcription", "text")]
)
async def test_an_operation_is_carried_out_by_its_method(operation: str, key: str) -> None:
    request = {"a": 1}
    assert await Everything().dispatch(operation, request) == {key: request}


@pytest.mark.parametrize("operation", ["embedding", "audio_transcription"])
async def test_what_a_provider_does_not_define_it_cannot_do(operation: str) -> None:
    with pytest.raises(NotImplementedError, match=f"Echo has no {operation}"):
        await Echo().dispatch(operation, {})


@pytest.mark.parametrize("operation", ["get_response", " response", "RESPONSE", ""])
async def test_another_operation_is_refused_with_those_there_are(operation: str) -> None:
    with pytest.raises(ValueError, match="response, embedding, audio_transcription"):
        await Everything().dispatch(operation, {})


def test_a_provider_that_cannot_answer_cannot_be_made() -> None:
    class Deaf(LLMProviderBase): ...

    with pytest.raises(TypeError, match="get_response"):
        Deaf()  # type: ignore[abstract]
