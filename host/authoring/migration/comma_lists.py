"""Elements with commas between them: arguments, parameters, members of dicts and imports, changed with their layout."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

import libcst as cst

Element = TypeVar("Element", cst.Arg, cst.Param, cst.ImportAlias, cst.BaseDictElement)


def without(elements: Sequence[Element], dropped: Element) -> tuple[list[Element], list[str]]:
    """The elements but one, laid out as they were.

    Returns:
        The elements that stay, and the comments that stood beside the dropped one.
    """
    index: int = [each is dropped for each in elements].index(True)
    kept = list(elements)
    del kept[index]
    if kept and index == len(kept):
        kept[-1] = _last_instead_of(kept[-1], dropped)
    return kept, list(comments_in(dropped.comma))


def appended(elements: Sequence[Element], new: Element) -> list[Element]:
    """The elements and one more, which gets a line of its own where they have."""
    if not elements:
        return [new]
    *others, last = elements
    between = others[-1].comma if others else cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    if any(comments_in(between)):
        between = _without_comments(between)
    # The comment of the last one stays beside it.
    if isinstance(last.comma, cst.Comma) and any(comments_in(last.comma)) and isinstance(between, cst.Comma):
        closing = _without_comments(last.comma)
        return [*others, last.with_changes(comma=_with_comment_of(between, last.comma)), _closed(new, last, closing)]
    return [*others, last.with_changes(comma=between, **_bare_end(last)), _closed(new, last, last.comma)]


def in_order(places: Sequence[Element], elements: Sequence[Element]) -> list[Element]:
    """The elements in a new order, with commas and line breaks where they were."""
    return [_closed(element, place, place.comma) for element, place in zip(elements, places, strict=True)]


def comments_in(node: object) -> Iterator[str]:
    """The comments within a node, in order."""
    if isinstance(node, cst.Comment):
        yield node.value
    elif isinstance(node, cst.CSTNode):
        for child in node.children:
            yield from comments_in(child)


def _last_instead_of(element: Element, dropped: Element) -> Element:
    """An element that ends the list as the dropped one did, with its own comment beside it."""
    own = element.comma
    if not any(comments_in(own)):
        closing = _without_comments(dropped.comma) if isinstance(dropped.comma, cst.Comma) else dropped.comma
        return _closed(element, dropped, closing)
    assert isinstance(own, cst.Comma), "a comment is behind a comma"
    space, closing = own.whitespace_after, dropped.comma
    end = closing.whitespace_after if isinstance(closing, cst.Comma) else getattr(dropped, "whitespace_after_arg", None)
    if isinstance(space, cst.ParenthesizedWhitespace) and isinstance(end, cst.ParenthesizedWhitespace):
        space = space.with_changes(empty_lines=[], indent=end.indent, last_line=end.last_line)
    return element.with_changes(comma=cst.Comma(whitespace_after=space))


def _closed(element: Element, place: Element, comma: cst.Comma | cst.MaybeSentinel) -> Element:
    end: dict[str, cst.BaseParenthesizableWhitespace] = {}
    if isinstance(place, cst.Arg):
        end["whitespace_after_arg"] = place.whitespace_after_arg
    elif isinstance(place, cst.Param):
        end["whitespace_after_param"] = place.whitespace_after_param
    return element.with_changes(comma=comma, **end)


def _bare_end(element: cst.CSTNode) -> dict[str, cst.SimpleWhitespace]:
    """What stands before a closing bracket moves behind the new last one."""
    if isinstance(element, cst.Arg):
        return {"whitespace_after_arg": cst.SimpleWhitespace("")}
    if isinstance(element, cst.Param):
        return {"whitespace_after_param": cst.SimpleWhitespace("")}
    return {}


def _without_comments(comma: cst.Comma | cst.MaybeSentinel) -> cst.Comma:
    space = comma.whitespace_after if isinstance(comma, cst.Comma) else cst.SimpleWhitespace(" ")
    if isinstance(space, cst.ParenthesizedWhitespace):
        space = space.with_changes(first_line=cst.TrailingWhitespace(), empty_lines=[])
    return cst.Comma(whitespace_after=space)


def _with_comment_of(comma: cst.Comma, commented: cst.Comma) -> cst.Comma:
    after = commented.whitespace_after
    if not isinstance(comma.whitespace_after, cst.ParenthesizedWhitespace):
        return commented
    assert isinstance(after, cst.ParenthesizedWhitespace), "a comment ends a line"
    space = comma.whitespace_after.with_changes(first_line=after.first_line, empty_lines=after.empty_lines)
    return cst.Comma(whitespace_after=space)
