"""Prompts of plugins: role messages in every form in use become messages; what is none of them is told."""

from typing import Any

import pytest

from host.models import ImagePart, Message, PromptError, TextPart, Tool, ToolCall, read_prompt, read_tools

URL = "data:image/PNG;base64,QUJD"
CALL = {"id": "c1", "function": {"name": "weather", "arguments": '{"city": "Oslo"}'}}


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ("Hi", (TextPart("Hi"),)),
        ({"type": "text", "text": "Hi"}, (TextPart("Hi"),)),
        ({"text": "Hi"}, (TextPart("Hi"),)),
        (["a", "", {"text": "b"}, ["PNG", "QUJD"]], (TextPart("a"), TextPart("b"), ImagePart("png", "QUJD"))),
        ([{"type": "image_url", "image_url": {"url": URL}}], (ImagePart("png", "QUJD"),)),
        ([{"type": "input_image", "image_url": URL}], (ImagePart("png", "QUJD"),)),
        ([{"type": "image", "image_format": "JPG", "image_base64": "QUJD"}], (ImagePart("jpg", "QUJD"),)),
    ],
)
def test_every_form_of_content_is_read(content: object, parts: tuple[object, ...]) -> None:
    assert read_prompt([{"role": " User ", "content": content}]) == (Message("user", parts),)  # type: ignore[arg-type]


def test_a_text_is_one_message_of_a_user() -> None:
    assert read_prompt("Hi") == (Message("user", (TextPart("Hi"),)),)


@pytest.mark.parametrize(
    ("entry", "arguments"),
    [
        (CALL, {"city": "Oslo"}),
        ({"call_id": "c1", "name": "weather", "arguments": {"city": "Oslo"}}, {"city": "Oslo"}),
        ({"id": "c1", "func_name": "weather", "args": None}, {}),
        ({"id": "c1", "function": {"name": "weather", "arguments": " "}}, {}),
        ({"id": "c1", "function": {"name": "weather", "arguments": "Oslo"}}, {"raw_arguments": "Oslo"}),
        ({"id": "c1", "function": {"name": "weather", "arguments": "[1]"}}, {"value": [1]}),
    ],
)
def test_every_form_of_a_call_is_read_and_its_output_belongs_to_it(
    entry: dict[str, Any], arguments: dict[str, Any]
) -> None:
    prompt = [
        {"role": "user", "content": "?"},
        {"role": "assistant", "content": None, "reasoning_content": "Hm.", "tool_calls": [entry]},
        {"role": "tool", "tool_call_id": "c1", "content": "21 C"},
    ]
    _, assistant, tool = read_prompt(prompt)
    assert assistant == Message("assistant", (), "Hm.", (ToolCall("c1", "weather", arguments),))
    assert tool == Message("tool", (TextPart("21 C"),), tool_call_id="c1")


@pytest.mark.parametrize(
    ("prompt", "path"),
    [
        ("", "prompt"),
        ([], "prompt"),
        (None, "prompt"),
        (["hi"], "prompt[0]"),
        ([{"role": "owner", "content": "hi"}], "prompt[0].role"),
        ([{"content": "hi"}], "prompt[0].role"),
        ([{"role": "user", "content": ""}], "prompt[0].content"),
        ([{"role": "system"}], "prompt[0].content"),
        ([{"role": "user", "content": 3}], "prompt[0].content"),
        ([{"role": "user", "content": ["a", {"type": "video"}]}], "prompt[0].content[1]"),
        (
            [{"role": "user", "content": [{"type": "image_url", "image_url": "https://x/a.png"}]}],
            "prompt[0].content[0]",
        ),
        ([{"role": "user", "content": [["tiff", "QUJD"]]}], "prompt[0].content[0]"),
        ([{"role": "assistant", "content": []}], "prompt[0]"),
        ([{"role": "assistant", "tool_calls": "x"}], "prompt[0].tool_calls"),
        ([{"role": "assistant", "tool_calls": [{"id": "c1"}]}], "prompt[0].tool_calls[0]"),
        ([{"role": "tool", "tool_call_id": "c1", "content": "x"}], "prompt[0].tool_call_id"),
    ],
)
def test_what_is_no_prompt_is_told_with_its_place(prompt: object, path: str) -> None:
    with pytest.raises(PromptError) as caught:
        read_prompt(prompt)
    assert caught.value.path == path
    assert path in caught.value.text("en")
    assert path in caught.value.text("zh")


def test_a_tools_output_holds_no_picture() -> None:
    prompt = [
        {"role": "assistant", "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "c1", "content": [["png", "QQ=="]]},
    ]
    with pytest.raises(PromptError, match="no picture"):
        read_prompt(prompt)


def test_every_form_of_a_tool_is_read() -> None:
    schema = {"type": "object", "properties": {"city": {"type": "string"}}}
    tool = Tool("weather", "Tells.", schema)
    plain = {"name": "weather", "description": "Tells."}
    assert read_tools([{**plain, "parameters": schema}, {**plain, "parameters_schema": schema}]) == (tool, tool)
    assert read_tools([{"type": "function", "function": {**plain, "parameters": schema}}]) == (tool,)
    assert read_tools([plain])[0].parameters == {"type": "object", "properties": {}}


@pytest.mark.parametrize(
    "tools", [None, {}, ["weather"], [{}], [{"name": ""}], [3], [{"name": "x", "parameters": "s"}]]
)
def test_what_is_no_tool_is_told(tools: object) -> None:
    with pytest.raises(PromptError):
        read_tools(tools)
