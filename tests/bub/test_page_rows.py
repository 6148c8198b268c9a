"""The rows of the page about hooks, by hook: which tests hold what it says of dispatch, fallback, and when it runs."""

import ast
from pathlib import Path

import pytest

from host.bub import HOOKS

ROWS = {
    "resolve_session": "an_empty_session_is_an_answer_and_gives_the_fallback the_session_where_nobody_says_one",
    "load_state": "state_is_merged_from_low_to_high",
    "build_prompt": "an_empty_prompt_is_an_answer_and_gives_the_message prompt_content_there_and_back",
    "run_model": "priority_chooses with_nobody_there_it_echoes the_model_hooks_get_the_older_form_of_the_prompt",
    "run_model_stream": "priority_chooses an_error_in_a_stream_is_told_and_the_stream_goes_on",
    "continue_prompt": "steps_go_on_while_tools_are_called",
    "save_state": "a_failing_model a_cancelled_model_saves_and_tells_nobody nothing_is_saved_where_the_prompt_failed",
    "render_outbound": "what_is_rendered rendered_messages_follow_the_run_order",
    "dispatch_outbound": "all_dispatch_whatever_one_answers",
    "register_cli_commands": "the_commands_of_plugins_and_a_turn_alone",
    "onboard_config": "onboarding_runs_from_low_to_high onboarding_with_something_that_is_no_dict",
    "provide_model_options": "models_are_appended_and_the_first_current_one_stays",
    "provide_runtime_options": "the_older_name_of_a_hook_is_known",
    "provide_environment": "environments_are_of_a_session_and_close_first closing_ends_the_whole_tree",
    "on_error": "a_failing_observer_of_errors_leaves_the_others cancellation_passes_an_observer_of_errors",
    "system_prompt": "the_system_prompt_is_joined_from_low_to_high the_system_prompt_of_tryfirst_is_last",
    "provide_tape_store": "the_order_of_coming_and_going the_file_is_kept_from_run_to_run",
    "provide_lifespan": "the_order_of_coming_and_going a_failing_start_leaves_what_started not_exactly_one_yield",
    "provide_tape_sidecar": "a_sidecar_that_is_none a_sidecar_lies_beside_the_tape_and_its_failure_is_told_there",
    "provide_channels": "channels_that_are_no_list of_one_name_the_highest_priority_stays",
    "build_tape_context": "a_tape_context_of_another_type",
    "admit_message": "each_action_while_running_and_when_idle by_default_turns_run_side_by_side",
    "provide_steering_inbox": "steering_without_an_inbox_is_queued steering_reaches_the_run_that_is_under_way",
    "provide_tools": "of_one_name_the_highest_priority_stays steps_go_on_while_tools_are_called",
    "before_llm_call": "finish_stops_and_keeps_earlier_rewrites a_finished_call_asks_no_model_and_ends_no_call",
    "after_llm_call": "a_failed_call_ends_once_and_fails_the_run a_stream_that_is_closed_ends_no_call",
    "before_tool_call": "arguments_fold_and_deny_stops raising_and_nonsense_are_logged_and_never_block",
    "after_tool_call": "denied_without_a_word_says_why_and_reaches_after a_cancelled_tool_does_not_reach_after",
}


def written() -> set[str]:
    """The names of all tests of this family, without what they begin with."""
    trees = [ast.parse(path.read_text("utf-8")) for path in Path(__file__).parent.glob("test_*.py")]
    functions = [
        node for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    return {each.name.removeprefix("test_") for each in functions}


def test_every_hook_of_the_page_has_its_rows() -> None:
    assert list(ROWS) == list(HOOKS)


@pytest.mark.parametrize("hook", ROWS)
def test_the_tests_of_a_row_are_there(hook: str) -> None:
    assert set(ROWS[hook].split()) <= written()
