"""The 27 hooks of Bub's pages (the newer edition), and the older name of one of them.

What each passes, and how its answers are combined.
"""

from collections.abc import Mapping
from enum import Enum

from msgspec import Struct

from host.bub.texts import HOOK_TEXTS
from host.hooks.texts import Locale


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
    """

    name: str
    part: Part
    parameters: tuple[str, ...]
    dispatch: str
    reducer: str = ""
    at_once: bool = False
    isolates: bool = False

    def describe(self, locale: Locale = "en") -> str:
        """What it is for."""
        return HOOK_TEXTS.render(self.name, {}, locale)


def _turn(name: str, parameters: str, dispatch: str, reducer: str = "") -> BubHook:
    return BubHook(
        name=name,
        part=Part.TURN,
        parameters=tuple(parameters.split()),
        dispatch=dispatch,
        reducer=reducer,
    )


def _app(name: str, parameters: str, dispatch: str, reducer: str = "", *, at_once: bool = True) -> BubHook:
    return BubHook(
        name=name,
        part=Part.APP,
        parameters=tuple(parameters.split()),
        dispatch=dispatch,
        reducer=reducer,
        at_once=at_once,
    )


def _agent(name: str, parameters: str, dispatch: str) -> BubHook:
    return BubHook(
        name=name,
        part=Part.AGENT,
        parameters=tuple(parameters.split()),
        dispatch=dispatch,
        isolates=True,
    )


_ALL = (
    _turn("resolve_session", "message", "bail"),
    _turn("load_state", "message session_id", "collect", "merge"),
    _turn("build_prompt", "message session_id state", "bail"),
    _turn("run_model", "prompt session_id state", "bail"),
    _turn("run_model_stream", "prompt session_id state", "bail"),
    _turn("continue_prompt", "prompt tape state", "bail"),
    _turn("save_state", "session_id state message model_output", "collect", "ignore"),
    _turn(
        "render_outbound",
        "message session_id state model_output",
        "collect",
        "concatenate",
    ),
    _turn("dispatch_outbound", "message", "collect", "ignore"),
    _app("register_cli_commands", "app", "collect", "ignore"),
    _app("onboard_config", "current_config", "collect", "merge"),
    _app("provide_model_options", "session_id workspace", "collect", at_once=False),
    _app("provide_runtime_options", "session_id workspace", "collect", at_once=False),
    _app("provide_environment", "session_id workspace", "bail", at_once=False),
    BubHook(
        name="on_error",
        part=Part.APP,
        parameters=("stage", "error", "message"),
        dispatch="notify",
        isolates=True,
    ),
    _app("system_prompt", "prompt state", "collect", "join"),
    _app("provide_tape_store", "", "bail"),
    _app("provide_lifespan", "", "lifespan"),
    _app("provide_tape_sidecar", "", "collect", "dedupe_by_name"),
    _app("provide_channels", "message_handler", "collect", "dedupe_by_name"),
    _app("build_tape_context", "", "bail"),
    _app("admit_message", "session_id message turn", "bail", at_once=False),
    _app("provide_steering_inbox", "", "bail"),
    _app("provide_tools", "", "collect", "dedupe_by_name"),
    _agent("before_llm_call", "request state", "waterfall"),
    _agent("after_llm_call", "request result state", "notify"),
    _agent("before_tool_call", "call state", "waterfall"),
    _agent("after_tool_call", "call result state", "notify"),
)

HOOKS: Mapping[str, BubHook] = {each.name: each for each in _ALL}
"""By name, in the order of those pages."""
