"""Payloads of the replyer, which words what the bot says."""

from typing import Annotated, NotRequired

from typing_extensions import TypedDict

from maibot_sdk._payloads.fields import LooseText, OptionalText, RealFlag, Request, Text
from maibot_sdk._payloads.keys import ItemSchemaVersion, ReplyMessageId, ReplyToolArgs, Response, SessionId
from maibot_sdk._payloads.planner import TokenUsage
from maibot_sdk._payloads.prompt import Items, Messages, OutputItems


class _Reply(TypedDict):
    session_id: SessionId
    reply_message_id: ReplyMessageId
    reply_tool_args: ReplyToolArgs


class _Attempt(_Reply):
    request_type: Annotated[str, Text("What the request is counted as.", "请求类型，用于统计。")]
    task_name: Annotated[
        LooseText, Text("The task, whose models and parameters are used.", "使用其模型池与参数的任务名。")
    ]
    attempt: Annotated[int, Text("Which attempt this is, from 1.", "当前尝试次数，从 1 开始。")]
    retry_count: Annotated[int, Text("How often a new answer was asked for.", "已重新生成的次数。")]
    max_retries: Annotated[int, Text("How often it may be.", "最多重新生成的次数。")]
    selected_expression_ids: Annotated[list[int], Text("Ids of the chosen expressions.", "已选表达方式的 ID。")]


class MaisakaReplyerBeforeRequest(_Attempt):
    """`maisaka.replyer.before_request`: the replyer is about to build its request.

    Another `task_name` takes the models and parameters of that task. `model_name` pins one model of the settings, which
    is tried once; with both, the task gives the parameters and the name the model. No abort here.
    """

    model_name: Annotated[
        LooseText, Text("The one model to use; empty leaves it to the task.", "指定的具体模型，空表示由任务决定。")
    ]
    extra_prompt: Annotated[LooseText, Text("Further demands, added to the prompt.", "追加到提示词的额外要求。")]
    reply_reason: Annotated[LooseText, Text("Why the bot answers.", "回复理由。")]
    reference_info: NotRequired[Annotated[OptionalText, Text("Material for this reply.", "本次回复的参考信息。")]]


class MaisakaReplyerBeforeModelRequest(_Attempt):
    """`maisaka.replyer.before_model_request`: the request is built and about to go to the model.

    A change of `messages` or `items` (these win) is for this one call: history and memory stay. No abort here.
    """

    messages: Messages
    items: Items
    item_schema_version: ItemSchemaVersion
    requested_model_name: Annotated[str, Text("The model that was asked for, or empty.", "请求指定的模型，可为空。")]
    selected_model_name: Annotated[str, Text("The model that is used.", "实际使用的模型。")]
    selected_model_visual: Annotated[bool, Text("Whether it takes pictures.", "该模型是否支持图片。")]
    reply_reason: Annotated[LooseText, Text("Why the bot answers.", "回复理由。")]


class MaisakaReplyerAfterResponse(_Attempt, TokenUsage):
    """`maisaka.replyer.after_response`: the replyer has its answer.

    Changed `output_items` win over a changed `response`. A true `retry` asks for a new answer, with `retry_reason` in
    the next prompt; an empty response fails the reply. No abort here.
    """

    response: Response
    output_items: OutputItems
    item_schema_version: ItemSchemaVersion
    requested_model_name: Annotated[str, Text("The model that was asked for, or empty.", "请求指定的模型，可为空。")]
    retry: NotRequired[Annotated[Request, Text("Whether to ask for a new answer.", "是否要求重新生成。")]]
    retry_reason: NotRequired[Annotated[OptionalText, Text("What was wrong with this one.", "重新生成的原因。")]]
    matched_regex: NotRequired[Annotated[OptionalText, Text("Name of the rule it broke.", "命中的规则名称。")]]
    matched_regex_pattern: NotRequired[Annotated[OptionalText, Text("Pattern of the rule.", "命中规则的正则表达式。")]]
    matched_regex_description: NotRequired[Annotated[OptionalText, Text("What the rule is for.", "命中规则的说明。")]]


class MaisakaReplyBeforePostProcess(_Reply):
    """`maisaka.reply.before_post_process`: the visible reply is settled and not yet split or given typos.

    An empty response fails the reply. The three switches count only as real booleans. No abort here.
    """

    response: Annotated[LooseText, Text("The reply as people will see it.", "最终可见的回复文本。")]
    skip_post_process: Annotated[RealFlag, Text("Whether to send it just as it is.", "是否跳过后处理。")]
    enable_splitter: Annotated[RealFlag, Text("Whether to split it into messages.", "是否分段发送。")]
    enable_chinese_typo: Annotated[RealFlag, Text("Whether to put in typing errors.", "是否加入错别字。")]
