"""Whatever a platform's gateway hands over is a message of its route or is refused; nothing else comes of it."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from host.bot.identity import Route
from host.bot.inbound import GatewayRefusedError, inbound
from host.capabilities import RoutedMessage
from host.hooks.portable import portable
from tests.platform import heard

READY = Route("10001", "main")
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
SEGMENT = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "image", "at", "reply", "forward", "file", "dict", "strange"]), "data": JSON}
)
PLACES = st.sampled_from(
    [
        ("message_id",),
        ("timestamp",),
        ("platform",),
        ("account_id",),
        ("scope",),
        ("self_id",),
        ("is_at",),
        ("reply_to",),
        ("session_id",),
        ("processed_plain_text",),
        ("raw_message",),
        ("message_info",),
        ("message_info", "user_info"),
        ("message_info", "user_info", "user_id"),
        ("message_info", "user_info", "user_nickname"),
        ("message_info", "group_info"),
        ("message_info", "additional_config"),
    ]
)


def handed_over(message: dict[str, Any], beside: dict[str, Any]) -> RoutedMessage:
    """What a gateway hands over, as it gets to the bot."""
    return RoutedMessage.model_validate(
        portable({"gateway_name": "line", "message": message, "route_metadata": beside}, "payload")
    )


@given(
    changes=st.lists(st.tuples(PLACES, JSON), max_size=3),
    segments=st.lists(SEGMENT, max_size=3),
    beside=st.dictionaries(TEXT | st.sampled_from(["self_id", "route_scope", "message_info"]), JSON, max_size=3),
)
def test_anything_is_a_message_of_the_route_or_refused(
    changes: list[tuple[tuple[str, ...], Any]], segments: list[dict[str, Any]], beside: dict[str, Any]
) -> None:
    message = heard(raw_message=segments)
    for path, value in changes:
        owner: Any = message
        for key in path[:-1]:
            owner = owner.get(key) if isinstance(owner, dict) else None
        if isinstance(owner, dict):
            owner[path[-1]] = value
    try:
        taken = inbound("line", handed_over(message, beside), "tea", READY)
    except GatewayRefusedError:
        return
    assert (taken.platform, taken.account_id, taken.scope) == ("tea", "10001", "main")
    assert taken.message_id
    portable(taken.to_dict(), "message")


def test_account_and_scope_are_looked_for_in_the_message_then_beside_it_then_taken_from_the_gateway() -> None:
    for message, beside in (
        (heard(), {}),
        (heard(self_id=10001), {}),
        (heard(), {"bot_account": "10001", "connection_id": "main"}),
        (heard(account_id="10001", scope="main"), {"self_id": "7"}),
        (heard(self_id="10001"), {"self_id": "7", "route_scope": "main"}),
    ):
        taken = inbound("line", handed_over(message, beside), "tea", READY)
        assert (taken.account_id, taken.scope) == ("10001", "main")
