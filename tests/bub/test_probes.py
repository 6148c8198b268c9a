"""Every question that was put to Bub itself is put here too; where the answer differs, this list says why."""

from pathlib import Path

from tests.bub.making import ANSWERS

DIFFERENCES = {
    "wrapper_result_is_generator_object": 'the newer pages: "Unsupported arguments: wrapper=True, hookwrapper=True"',
    "select_stream_returns_none": "bub_semantics 5: no model, or None, is told with on_error(stage='run_model')",
    "stream_plain_none_text_is_str_None": "bub_semantics 6: \"a None result becomes 'None' in 0.5.1 - do not copy\"",
    "cm_steer_without_session_id_in_state_strands_messages": (
        'the newer pages: "if it cannot be injected or is not handled in time, it is queued instead"'
    ),
}
"""Each with the sentence that asks for it. Four questions about the choice of the model hook are answered by document
B's rule of priority, and under the released rule as recorded; `test_model_choice` has both."""


def test_every_question_is_asked() -> None:
    tests = "".join(
        path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py") if path.stem != "test_probes"
    )
    asked_by_action = {f"cm_action_{action}" for action in ("process", "drop", "follow_up", "steer", "bogus")}
    assert len(ANSWERS) == 85
    assert [question for question in ANSWERS if question not in tests and question not in asked_by_action] == []


def test_there_are_few_differences() -> None:
    assert set(DIFFERENCES) <= set(ANSWERS)
    assert len(DIFFERENCES) <= 6
