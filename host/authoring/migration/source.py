"""One parsed source file: what stands where, what its names mean, and the changes to it, made all at once."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from functools import cache, cached_property
from typing import Any

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from host.authoring.migration.texts import MIGRATION_TEXTS
from host.hooks.texts import Locale

TODO = "# TODO(migrate): "
"""How the comments begin that say what is left to do by hand."""
UNREAD = object()
"""The value of an expression that only a run of the plugin could tell."""

_BLANKS = (cst.BaseParenthesizableWhitespace, cst.TrailingWhitespace, cst.EmptyLine)

Change = Callable[[Any], Any]


class Source:
    """A module, and what is to be changed in it. Nodes are those of the module as it was parsed.

    Args:
        content: the file's bytes.
        locale: the language of the comments that are put in.

    Raises:
        libcst.ParserSyntaxError: it is no Python.
        UnicodeDecodeError, LookupError: it is not in the encoding that it says.
    """

    def __init__(self, content: bytes, locale: Locale) -> None:
        self._content = content
        self.module = cst.parse_module(content)
        self.nodes = list(within(self.module))
        self._parents = {child: node for node in self.nodes for child in children(node)}
        self._locale = locale
        self._changes: dict[cst.CSTNode, list[Change]] = defaultdict(list)
        self._above: dict[cst.CSTNode, list[str]] = defaultdict(list)

    @cached_property
    def _places(self) -> Mapping[cst.CSTNode, CodeRange]:
        return MetadataWrapper(self.module, unsafe_skip_copy=True).resolve(PositionProvider)

    def line(self, node: cst.CSTNode) -> int:
        """The line that a node begins in, from 1."""
        return self._places[node].start.line

    def code(self, node: cst.CSTNode) -> str:
        """A node as it is written, in one line."""
        return " ".join(self.module.code_for_node(node).split())

    def parent(self, node: cst.CSTNode) -> cst.CSTNode:
        """The node that holds another."""
        return self._parents[node]

    def ancestors(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The nodes around a node, from the inside."""
        while above := self._parents.get(node):
            yield above
            node = above

    def function_around(self, node: cst.CSTNode) -> cst.FunctionDef | None:
        """The innermost function that a node stands in."""
        return next((each for each in self.ancestors(node) if isinstance(each, cst.FunctionDef)), None)

    def change(self, node: cst.CSTNode, change: Change) -> None:
        """Have a node changed: `change` gets it with the changes inside it made, and returns what takes its place."""
        self._changes[node].append(change)

    def replace(self, node: cst.CSTNode, new: cst.CSTNode) -> None:
        """Have another node take the place of one."""
        self.change(node, lambda _: new)

    def set(self, node: cst.CSTNode, **fields: object) -> None:
        """Have fields of a node changed."""
        self.change(node, lambda updated: updated.with_changes(**fields))

    def comment(self, node: cst.CSTNode, *comments: str) -> None:
        """Put comments, ``# ...``, above the statement or the decorator that holds a node, once each."""
        if not comments:
            return
        holder = self._holder(node)
        there = {*self._above[holder], *self._comments_above(holder)}
        self._above[holder] += [each for each in comments if each not in there]

    def todo(self, node: cst.CSTNode, code: str, **fields: object) -> None:
        """Say above a node's statement what is left to do there, unless it stands there in either language."""
        told = {TODO + MIGRATION_TEXTS.render(code, fields, locale) for locale in ("en", "zh")}
        if not told.intersection(self._comments_above(self._holder(node))):
            self.comment(node, TODO + MIGRATION_TEXTS.render(code, fields, self._locale))

    def drop_todos(self, holder: cst.CSTNode) -> None:
        """Take away what an earlier migration said above a statement."""

        def change(updated: Any) -> Any:
            lines = updated.leading_lines
            kept = [each for each in lines if each.comment is None or not each.comment.value.startswith(TODO)]
            return updated.with_changes(leading_lines=kept)

        self.change(holder, change)

    def has_todo(self, node: cst.CSTNode) -> bool:
        """Whether something is left to do by a comment above the statement of a node."""
        holder = self._holder(node)
        return any(each.startswith(TODO) for each in (*self._above[holder], *self._comments_above(holder)))

    def _holder(self, node: cst.CSTNode) -> cst.CSTNode:
        """The statement that a node stands in. A decorator's is the whole definition."""
        around = (node, *self.ancestors(node))
        return next(each for each in around if hasattr(each, "leading_lines") and not isinstance(each, cst.Decorator))

    def _comments_above(self, holder: Any) -> list[str]:
        """What stands above a statement; above the first one of a file it belongs to the file."""
        first = any(each is holder for each in self.module.body[:1])
        lines = (*(self.module.header if first else ()), *holder.leading_lines)
        return [line.comment.value for line in lines if line.comment is not None]

    def changed(self) -> bytes:
        """The file's bytes with all changes made."""
        for holder, comments in self._above.items():
            self.change(holder, _put_above(comments))
        return self.module.visit(_Changing(self._changes)).bytes if self._changes else self._content

    def value(self, node: cst.CSTNode | None) -> object:
        """What an expression is, where it can be told without running it: a text, number, bool or None; else UNREAD."""
        match node:
            case cst.SimpleString() | cst.ConcatenatedString():
                text = node.evaluated_value
                return text if isinstance(text, str) else UNREAD
            case cst.Integer() | cst.Float():
                return node.evaluated_value
            case cst.UnaryOperation(operator=cst.Minus() | cst.Plus() as sign):
                number = self.value(node.expression)
                if isinstance(number, int | float):
                    return -number if isinstance(sign, cst.Minus) else number
            case cst.Name(value="True" | "False" | "None" as word):
                return {"True": True, "False": False, "None": None}[word]
            case cst.Name():
                bound = self.bindings(node)
                if len(bound) == 1 and isinstance(bound[0], cst.BaseExpression):
                    return self.value(bound[0])
            case cst.Attribute():
                return self._member(node)
        return UNREAD

    def _member(self, node: cst.Attribute) -> object:
        """The value of a member of an enum that stands in the same file."""
        inner = node.value if node.attr.value == "value" and isinstance(node.value, cst.Attribute) else node
        if isinstance(inner.value, cst.Name):
            for each in self.module.body:
                if isinstance(each, cst.ClassDef) and each.name.value == inner.value.value:
                    bound = [value for name, value in bound_in(each.body) if name == inner.attr.value]
                    return self.value(bound[0]) if len(bound) == 1 else UNREAD
        return UNREAD

    def bindings(self, name: cst.Name) -> list[cst.CSTNode]:
        """What a name may stand for: the values that are assigned to it in the function, class or module that binds
        it; a node that is no expression where it is bound in another way (a parameter, a loop, an import)."""
        for scope in [*self.ancestors(name)]:
            if isinstance(scope, cst.ClassDef | cst.Module | cst.FunctionDef):
                found = [value for bound, value in bound_in(scope) if bound == name.value]
                if found:
                    return found
        return []


@cache
def _fields(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind) if "whitespace" not in each.name)


def children(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The parts of a node, without the blanks between them. The tree's own way to them rebuilds the node."""
    for name in _fields(type(node)):
        part = getattr(node, name)
        if isinstance(part, cst.CSTNode):
            yield part
        elif isinstance(part, list | tuple):
            yield from part


def within(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A node and everything inside it, in order."""
    yield node
    for child in children(node):
        yield from within(child)


def own(function: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Everything inside a function or class, but not inside functions and classes that stand in it."""
    for child in children(function):
        yield child
        if not isinstance(child, cst.FunctionDef | cst.ClassDef | cst.Lambda):
            yield from own(child)


def bound_in(scope: cst.CSTNode) -> Iterator[tuple[str, cst.CSTNode]]:
    """The names that a scope binds, each with the value that it gets, or the node that binds it where that is none."""
    for node in own(scope):
        match node:
            case cst.Assign(value=value, targets=targets):
                for target in targets:
                    if isinstance(target.target, cst.Name):
                        yield target.target.value, value
                    elif isinstance(target.target, cst.Tuple | cst.List):
                        yield from ((each.value, target) for each in within(target) if isinstance(each, cst.Name))
            case cst.AnnAssign(target=cst.Name(name), value=cst.BaseExpression() as value):
                yield name, value
            case cst.NamedExpr(target=cst.Name(name), value=value):
                yield name, value
            case cst.AugAssign(target=cst.Name(name)):
                yield name, node
            case cst.Param(name=cst.Name(name)) if isinstance(scope, cst.FunctionDef):
                yield name, node
            case cst.For(target=target) | cst.CompFor(target=target):
                yield from ((each.value, node) for each in within(target) if isinstance(each, cst.Name))
            case cst.AsName(name=cst.Name(name)) | cst.FunctionDef(name=cst.Name(name)):
                yield name, node
            case cst.ClassDef(name=cst.Name(name)) | cst.ImportAlias(name=cst.Name(name), asname=None):
                yield name, node


def is_reference(node: cst.CSTNode, parent: cst.CSTNode) -> bool:
    """Whether a name stands for its value, and is no attribute, no keyword of a call, no name of a definition."""
    return (
        isinstance(node, cst.Name)
        and not isinstance(parent, cst.FunctionDef | cst.ClassDef)
        and not (isinstance(parent, cst.Attribute) and parent.attr is node)
        and not (isinstance(parent, cst.Arg) and parent.keyword is node)
    )


def in_brackets(node: cst.BaseExpression) -> cst.BaseExpression:
    """An expression as it may stand within any other."""
    plain = cst.Name | cst.Attribute | cst.Call | cst.Subscript | cst.BaseNumber | cst.BaseString | cst.Dict
    if isinstance(node, plain) or node.lpar:
        return node
    return node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def _put_above(comments: list[str]) -> Change:
    lines = [cst.EmptyLine(comment=cst.Comment(comment)) for comment in comments]
    return lambda holder: holder.with_changes(leading_lines=[*holder.leading_lines, *lines])


class _Changing(cst.CSTTransformer):
    def __init__(self, changes: dict[cst.CSTNode, list[Change]]) -> None:
        super().__init__()
        self._changes = changes

    def on_visit(self, node: cst.CSTNode) -> bool:
        return not isinstance(node, _BLANKS)

    def on_leave(self, original_node: Any, updated_node: Any) -> Any:
        for change in self._changes.get(original_node, ()):
            updated_node = change(updated_node)
        return updated_node
