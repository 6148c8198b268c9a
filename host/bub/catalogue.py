"""The 27 hooks of document B, and the older name of one of them: what each passes, and how its answers are combined."""

from collections.abc import Mapping
from enum import Enum

from msgspec import Struct


class Part(str, Enum):
    """Which part of the framework fires a hook."""

    TURN = "turn"
    APP = "app"
    AGENT = "agent"


class BubHook(Struct, frozen=True, kw_only=True):
    """One hook.

    Args:
        name: the hook.
        part: who fires it.
        parameters: what it passes, by name.
        dispatch: ``bail``, ``collect``, ``waterfall``, ``notify`` or ``lifespan``.
        reducer: what becomes of collected answers; a name of ``host.hooks.REDUCERS``, or "".
        at_once: it is called where nothing can be awaited; an answer that asks to be is skipped.
        isolates: an implementation's failure is logged, and the next one runs.
        description: what it is for.
    """

    name: str
    part: Part
    parameters: tuple[str, ...]
    dispatch: str
    description: str
    reducer: str = ""
    at_once: bool = False
    isolates: bool = False


def _turn(name: str, parameters: str, dispatch: str, description: str, reducer: str = "") -> BubHook:
    return BubHook(
        name=name,
        part=Part.TURN,
        parameters=tuple(parameters.split()),
        dispatch=dispatch,
        reducer=reducer,
        description=description,
    )


def _app(
    name: str, parameters: str, dispatch: str, description: str, reducer: str = "", *, at_once: bool = True
) -> BubHook:
    return BubHook(
        name=name,
        part=Part.APP,
        parameters=tuple(parameters.split()),
        dispatch=dispatch,
        reducer=reducer,
        at_once=at_once,
        description=description,
    )


def _agent(name: str, parameters: str, dispatch: str, description: str) -> BubHook:
    return BubHook(
        name=name,
        part=Part.AGENT,
        parameters=tuple(parameters.split()),
        dispatch=dispatch,
        isolates=True,
        description=description,
    )


_ALL = (
    _turn("resolve_session", "message", "bail", "Which session a message belongs to."),
    _turn("load_state", "message session_id", "collect", "Restores what the turn needs.", "merge"),
    _turn("build_prompt", "message session_id state", "bail", "The prompt for the model."),
    _turn("run_model", "prompt session_id state", "bail", "Calls the model; the whole text."),
    _turn("run_model_stream", "prompt session_id state", "bail", "Calls the model; a stream of events."),
    _turn("continue_prompt", "prompt tape state", "bail", "A user message for the agent's next step."),
    _turn("save_state", "session_id state message model_output", "collect", "After the model, in any case.", "ignore"),
    _turn(
        "render_outbound",
        "message session_id state model_output",
        "collect",
        "The messages to be sent.",
        "concatenate",
    ),
    _turn("dispatch_outbound", "message", "collect", "Hands one message to a channel.", "ignore"),
    _app("register_cli_commands", "app", "collect", "Commands of the command line.", "ignore"),
    _app("onboard_config", "current_config", "collect", "Configuration on the first start.", "merge"),
    _app("provide_model_options", "session_id workspace", "collect", "Models to choose from.", at_once=False),
    _app("provide_runtime_options", "session_id workspace", "collect", "The older name of the same.", at_once=False),
    _app("provide_environment", "session_id workspace", "bail", "Where tools run.", at_once=False),
    BubHook(
        name="on_error",
        part=Part.APP,
        parameters=("stage", "error", "message"),
        dispatch="notify",
        isolates=True,
        description="Told of a failure.",
    ),
    _app("system_prompt", "prompt state", "collect", "A block of the system prompt.", "join"),
    _app("provide_tape_store", "", "bail", "Where conversations are kept."),
    _app("provide_lifespan", "", "lifespan", "What lives as long as the application."),
    _app("provide_tape_sidecar", "", "collect", "Tapes beside a session's tape.", "dedupe_by_name"),
    _app("provide_channels", "message_handler", "collect", "Where messages come from.", "dedupe_by_name"),
    _app("build_tape_context", "", "bail", "How a tape becomes messages."),
    _app("admit_message", "session_id message turn", "bail", "What becomes of a new message.", at_once=False),
    _app("provide_steering_inbox", "", "bail", "Where steering messages wait."),
    _app("provide_tools", "", "collect", "Tools for the agent.", "dedupe_by_name"),
    _agent("before_llm_call", "request state", "waterfall", "Before each model call; may change or finish it."),
    _agent("after_llm_call", "request result state", "notify", "After each completed model call."),
    _agent("before_tool_call", "call state", "waterfall", "Before each tool call; may change, replace or deny it."),
    _agent("after_tool_call", "call result state", "notify", "After each tool call; may edit the one result."),
)

HOOKS: Mapping[str, BubHook] = {each.name: each for each in _ALL}
"""By name, in the order of document B."""
