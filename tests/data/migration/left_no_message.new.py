from maibot_sdk import MaiBotPlugin, HookHandler


class P(MaiBotPlugin):
    # TODO(migrate): maisaka.planner.before_request hands over no message, and reads none back. Use what it has: built_message_count, item_schema_version, items, messages, selected_history_count, selection_reason, session_id, tool_definitions.
    @HookHandler("maisaka.planner.before_request", name="a")
    async def a(self, message, **kwargs):
        message["text"] = "x"
        # TODO(migrate): maisaka.planner.before_request hands over no message, and reads none back. Use what it has: built_message_count, item_schema_version, items, messages, selected_history_count, selection_reason, session_id, tool_definitions.
        return {"action": "continue", "modified_kwargs": {"message": message}}

    @HookHandler("maisaka.replyer.after_response", name="b")
    async def b(self, **kwargs):
        # TODO(migrate): maisaka.replyer.after_response hands over no message, and reads none back. Use what it has: attempt, completion_tokens, item_schema_version, matched_regex, matched_regex_description, matched_regex_pattern, max_retries, output_items, prompt_tokens, reply_message_id, reply_tool_args, request_type, requested_model_name, response, retry, retry_count, retry_reason, selected_expression_ids, session_id, task_name, total_tokens.
        if kwargs.get("message"):
            # TODO(migrate): maisaka.replyer.after_response cannot be aborted; the host ignores this. Change what it carries instead.
            return {"action": "abort"}


def create_plugin():
    return P()
