"""JSON that the offline model answers: by a schema, or in the shape of an example that the text shows."""

import json
import re
from collections.abc import Mapping
from typing import Any

from host.models.offline.filling import filled
from host.models.offline.heard import Heard
from host.models.offline.sentences import gist_of
from host.models.request import ModelRequest

_ASKS = re.compile(r"json", re.IGNORECASE)
_BEGIN = re.compile(r"[\[{]")
_ANYTHING: Mapping[str, Any] = {
    "type": "object",
    "properties": {"answer": {"type": "string"}},
    "required": ["answer"],
}


def json_answer(request: ModelRequest, said: Heard) -> str | None:
    """The JSON that the request asks for; None where it asks for none."""
    if request.json is not None and request.json.schema is not None:
        return _written(filled(request.json.schema, said, whole=True))
    example = _example(request)
    if example is not None:
        return _written(filled(_schema_like(example), said, whole=True))
    if request.json is not None:
        return _written({"answer": gist_of(said.words)} if said.words else filled(_ANYTHING, said))
    return None


def _example(request: ModelRequest) -> Any:
    """The first JSON object or array that the last user's message shows, else a system message; None without any.

    What else was said is no instruction, so an example in it counts for nothing, and neither does one in a text that
    does not speak of JSON.
    """
    last = [message.text for message in request.messages if message.role == "user"][-1:]
    rules = [message.text for message in request.messages if message.role == "system"]
    text = "\n".join([*last, *rules])
    if not _ASKS.search(text):
        return None
    decoder = json.JSONDecoder()
    for begin in _BEGIN.finditer(text):
        try:
            value, _ = decoder.raw_decode(text, begin.start())
        except (ValueError, RecursionError):
            continue
        if value:
            return value
    return None


def _schema_like(value: Any) -> dict[str, Any]:
    """A schema whose values look like this one."""
    match value:
        case dict():
            return {
                "type": "object",
                "properties": {name: _schema_like(inner) for name, inner in value.items()},
                "required": list(value),
            }
        case list():
            return {"type": "array", "items": _schema_like(value[0]) if value else {}}
        case bool():
            return {"type": "boolean"}
        case int():
            return {"type": "integer"}
        case float():
            return {"type": "number"}
    return {"type": "string"}


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
