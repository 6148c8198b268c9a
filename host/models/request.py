"""What a language model is asked: messages in OpenAI's role form, tools, and how the answer is to be."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Role = Literal["system", "user", "assistant", "tool"]
ToolChoice = Literal["auto", "none", "required"]


@dataclass(frozen=True, slots=True)
class TextPart:
    """Words of a message."""

    text: str


@dataclass(frozen=True, slots=True)
class ImagePart:
    """A picture in a message.

    Args:
        format: `jpg`, `jpeg`, `png`, `webp` or `gif`, in lower case.
        base64: its bytes, in base64.
    """

    format: str
    base64: str

    @property
    def data_url(self) -> str:
        """The picture as a `data:` address, with the registered name of its format."""
        return f"data:image/{'jpeg' if self.format == 'jpg' else self.format};base64,{self.base64}"


Part = TextPart | ImagePart


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model's wish that a tool be run.

    Args:
        id: by which the tool's output is matched to it.
        name: of the tool.
        arguments: as parsed; empty where they were malformed.
        raw_arguments: what the model wrote, where that was no JSON object; None otherwise.
        extra_content: what a provider wants back with the call, untouched.
    """

    id: str
    name: str
    arguments: Mapping[str, Any]
    raw_arguments: str | None = None
    extra_content: Mapping[str, Any] | None = None

    @property
    def malformed(self) -> bool:
        """Whether the model wrote arguments that are no JSON object; nothing should be run on them."""
        return self.raw_arguments is not None

    def arguments_json(self) -> str:
        """The arguments as JSON text, as a chat endpoint wants them back; malformed ones under `raw_arguments`."""
        return json.dumps({"raw_arguments": self.raw_arguments} if self.malformed else dict(self.arguments))


def parsed_call(call_id: str, name: str, arguments: str, extra_content: Mapping[str, Any] | None = None) -> ToolCall:
    """The call that a model made with `arguments` as JSON text. Empty text is no arguments."""
    try:
        parsed = json.loads(arguments) if arguments.strip() else {}
    except (ValueError, RecursionError):
        parsed = None
    if isinstance(parsed, dict):
        return ToolCall(call_id, name, parsed, extra_content=extra_content)
    return ToolCall(call_id, name, {}, raw_arguments=arguments, extra_content=extra_content)


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a request.

    Args:
        role: who speaks.
        parts: what is said; empty only for an assistant that calls tools or reasons, and for a tool without output.
        reasoning: what an assistant thought before it spoke.
        tool_calls: what an assistant called.
        tool_call_id: which call a tool's message answers.
    """

    role: Role
    parts: tuple[Part, ...] = ()
    reasoning: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""

    @property
    def text(self) -> str:
        """The words, without the pictures."""
        return "".join(part.text for part in self.parts if isinstance(part, TextPart))

    @property
    def images(self) -> tuple[ImagePart, ...]:
        """The pictures."""
        return tuple(part for part in self.parts if isinstance(part, ImagePart))


def system(text: str) -> Message:
    """A system message of one text."""
    return Message("system", (TextPart(text),))


def user(text: str, *images: ImagePart) -> Message:
    """A user's message of one text, and pictures after it."""
    return Message("user", (TextPart(text), *images))


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that a model may call.

    Args:
        name: by which it is called.
        description: when and for what, for the model.
        parameters: JSON schema of its arguments, an object's.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class JsonAnswer:
    """Asks for an answer that is JSON.

    Args:
        schema: that it has to fit; any object when None.
        name: of the schema, for the endpoint.
    """

    schema: Mapping[str, Any] | None = None
    name: str = "answer"


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """What a model is asked.

    Args:
        messages: the conversation, oldest first; not empty.
        tools: what the model may call.
        tool_choice: whether it may (`auto`), must not or must call one.
        temperature: as the task or the model has it when None.
        max_tokens: length of the answer at most, in tokens; as the task or the model has it when None.
        json: the answer has to be JSON.
    """

    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()
    tool_choice: ToolChoice = "auto"
    temperature: float | None = None
    max_tokens: int | None = None
    json: JsonAnswer | None = None

    @property
    def has_images(self) -> bool:
        """Whether a message holds a picture, which not every model can see."""
        return any(message.images for message in self.messages)
