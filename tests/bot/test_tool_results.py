"""What the return of a tool means."""

from base64 import b64encode
from typing import Any

import pytest

from host.bot.tool_results import Medium, ToolResult, result_of
from host.catalogue.context_items import ImagePart

PNG = b64encode(b"\x89PNG\r\n\x1a\n and more").decode()
PICTURE = ImagePart("png", PNG)
INDEX = "tool_result:c1:1"


@pytest.mark.parametrize(
    ("returned", "result"),
    [
        (" tea ", ToolResult("tea")),
        ("", ToolResult("Done.")),
        (None, ToolResult("Done.")),
        (7, ToolResult("7")),
        (False, ToolResult("False")),
        (["a", 1], ToolResult("['a', 1]")),
        ([True, "poured", 3], ToolResult("poured")),
        ([False, "no cup"], ToolResult("no cup", success=False)),
        ([False], ToolResult("[false]", success=False)),
        ({"content": "tea", "message": "other"}, ToolResult("tea")),
        ({"message": "tea"}, ToolResult("tea")),
        ({"success": False, "error": "no cup"}, ToolResult('{"success":false,"error":"no cup"}', success=False)),
        ({"cups": 2}, ToolResult('{"cups":2}')),
        ({"content": "bye", "stop_after_execution": True}, ToolResult("bye", ends=True)),
        ({"success": False, "content": "bye", "stop_after_execution": True}, ToolResult("bye", success=False)),
        ({"content": "tea", "content_items": [{"type": "text", "text": "more"}]}, ToolResult("tea")),
        ({"content_items": [{"type": "image"}]}, ToolResult('{"content_items":[{"type":"image"}]}')),
        (
            {"content": "cup", "content_items": [{"type": "image", "data": PNG, "metadata": {"source_url": "x.org"}}]},
            ToolResult(f"cup\n[image {INDEX}] x.org", media=(Medium(f"[image {INDEX}] x.org", PICTURE),)),
        ),
        (
            {"content_items": [{"type": "binary", "data": f"data:image/png;base64,{PNG}", "mime_type": "image/png"}]},
            ToolResult(f"[binary {INDEX}] image/png", media=(Medium(f"[binary {INDEX}] image/png", PICTURE),)),
        ),
        (
            {"content_items": [{"type": "text", "text": "two cups"}, {"content_type": "image", "name": "cup.png"}]},
            ToolResult(
                "two cups\n[image tool_result:c1:2] cup.png", media=(Medium("[image tool_result:c1:2] cup.png"),)
            ),
        ),
    ],
)
def test_a_return_is_read_as_its_author_meant_it(returned: Any, result: ToolResult) -> None:
    assert result_of(returned, call_id="c1") == result


def test_a_stop_that_is_no_boolean_is_a_failure() -> None:
    result = result_of({"content": "bye", "stop_after_execution": "yes"})
    assert (result.success, result.ends) == (False, False)
