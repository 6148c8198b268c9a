"""Payloads of the chain that looks up and learns jargon."""

from typing import Annotated, Any, NotRequired

from typing_extensions import TypedDict

from maibot_sdk._payloads.fields import NONE_IS_EMPTY, Flag, JsonObject, Limit, LooseText, Text, Texts, Words
from maibot_sdk._payloads.keys import AbortMessage, SessionId, SessionName


class JargonResult(TypedDict, total=False):
    """What was found for one word."""

    word: Annotated[LooseText, Text("The word.", "查询的词。")]
    found: Annotated[Flag, Text("Whether anything was found.", "是否找到。")]
    matches: Annotated[list[Any], Text("The entries that match.", "匹配的条目。")]


class JargonEntry(TypedDict, total=False):
    """A new piece of jargon."""

    content: Annotated[LooseText, Text("The word.", "黑话内容。")]
    raw_content: Annotated[Texts, Text("Sentences it was met in.", "出现该词的原句。")]
    evidence_messages: Annotated[list[Any], Text("Groups of references to messages.", "作为依据的消息引用分组。")]


class JargonQueryBeforeSearch(TypedDict):
    """`jargon.query.before_search`: words are about to be looked up.

    An empty list of words fails the tool; so does an abort, with `abort_message`.
    """

    words: Annotated[Words, Text("The words to look up.", "要查询的词。")]
    session_id: SessionId
    limit: Annotated[Limit, Text("How many entries a word may give.", "每个词返回的条目上限。")]
    case_sensitive: Annotated[Flag, Text("Whether case matters.", "是否区分大小写。")]
    enable_fuzzy_fallback: Annotated[
        Flag, Text("Whether similar words count where the word itself is unknown.", "找不到时是否使用模糊匹配。")
    ]
    abort_message: NotRequired[AbortMessage]


class JargonQueryAfterSearch(JargonQueryBeforeSearch):
    """`jargon.query.after_search`: the words were looked up. `results` becomes the answer of the tool.

    An abort fails the tool with `abort_message`.
    """

    results: Annotated[list[JargonResult], Text("What was found, a dict for each word.", "每个词的查询结果。")]


class JargonExtractBeforePersist(TypedDict):
    """`jargon.extract.before_persist`: new jargon is about to be stored. An abort or an empty list stores nothing."""

    session_id: SessionId
    session_name: SessionName
    entries: Annotated[list[JargonEntry], NONE_IS_EMPTY, Text("The new entries.", "待写入的条目。")]


class JargonInferenceBeforeFinalize(TypedDict):
    """`jargon.inference.before_finalize`: the meaning of a word was inferred. An abort throws the result away."""

    session_id: SessionId
    session_name: SessionName
    content: Annotated[str, Text("The word.", "黑话内容。")]
    count: Annotated[int, Text("How often it was met.", "出现次数。")]
    raw_content_list: Annotated[Texts, Text("Sentences it was met in.", "出现该词的原句。")]
    comparison_result: Annotated[
        JsonObject, Text("Its meaning with and without context, compared.", "有无上下文两种推断的比较结果。")
    ]
    is_jargon: Annotated[Flag, Text("Whether it is jargon at all.", "是否为黑话。")]
    meaning: Annotated[LooseText, Text("What it means.", "推断出的含义。")]
    is_complete: Annotated[Flag, Text("Whether inference is done with it.", "推断是否已完成。")]
    last_inference_count: Annotated[int, Text("The count at this inference.", "本次推断时的出现次数。")]
