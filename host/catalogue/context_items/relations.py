"""What holds between the items of a list."""

from collections.abc import Collection, Iterator, Sequence

from host.catalogue.context_items.errors import BrokenRelationError
from host.catalogue.context_items.items import (
    MODEL_ITEMS,
    FunctionCallItem,
    FunctionCallOutputItem,
    Item,
)


def check_request_context(items: Sequence[Item], path: str = "items") -> None:
    """See that items can be the context of a request.

    No two have one id, no two calls and no two outputs one call id; calls and outputs have a turn; each output comes
    after its call and has its turn; each call has an output.

    Raises:
        BrokenRelationError: the first rule that is broken.
    """
    for problem in _problems(items, path, pending=()):
        raise problem


def check_model_output(items: Sequence[Item], path: str = "output_items") -> None:
    """See that items can be the answer of a model: only what a model makes, calls need no outputs.

    Raises:
        BrokenRelationError: the first rule that is broken.
    """
    for index, item in enumerate(items):
        if not isinstance(item, MODEL_ITEMS):
            allowed = ", ".join(kind.__name__ for kind in MODEL_ITEMS)
            raise BrokenRelationError("not_of_a_model", index, path=path, found=type(item).__name__, allowed=allowed)
    for problem in _problems(items, path, pending=None):
        raise problem


def whole_turns(items: Sequence[Item], pending: Collection[str] = ()) -> list[Item]:
    """A history without the turns that break a rule of `check_request_context`; each is dropped whole.

    Args:
        items: the history.
        pending: call ids that may be without an output.
    """
    kept = list(items)
    while problem := next(_problems(kept, "items", pending), None):
        broken = kept[problem.index]
        turn = broken.meta.logical_turn_id
        kept = [item for item in kept if item is not broken and (turn is None or item.meta.logical_turn_id != turn)]
    return kept


def _problems(items: Sequence[Item], path: str, pending: Collection[str] | None) -> Iterator[BrokenRelationError]:
    """Every broken rule, in order; `pending` are calls that need no output, None means all of them."""
    ids: set[str] = set()
    calls: dict[str, tuple[int, str | None]] = {}
    answered: set[str] = set()
    for index, item in enumerate(items):

        def broken(code: str, about: str, at: int = index) -> BrokenRelationError:
            return BrokenRelationError(code, at, path=path, id=about)

        item_id, turn = item.meta.item_id, item.meta.logical_turn_id
        if item_id in ids:
            yield broken("item_id_twice", item_id)
        ids.add(item_id)
        if isinstance(item, FunctionCallItem):
            call_id = item.tool_call.call_id
            if call_id in calls:
                yield broken("call_id_twice", call_id)
            if turn is None:
                yield broken("no_turn", call_id)
            calls[call_id] = (index, turn)
        elif isinstance(item, FunctionCallOutputItem):
            if item.call_id in answered:
                yield broken("output_twice", item.call_id)
            if turn is None:
                yield broken("no_turn", item.call_id)
            if item.call_id not in calls:
                yield broken("output_without_call", item.call_id)
            elif calls[item.call_id][1] != turn:
                yield broken("output_of_other_turn", item.call_id)
            answered.add(item.call_id)
    if pending is not None:
        for call_id, (index, _) in calls.items():
            if call_id not in answered and call_id not in pending:
                yield BrokenRelationError("call_without_output", index, path=path, id=call_id)
