"""What the old handlers return, on every path that can be followed: the old result becomes the new one."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any

import libcst as cst
from libcst.helpers import get_full_name_for_node

from host.authoring.migration.comma_lists import without
from host.authoring.migration.source import UNREAD, Source, own, within
from host.authoring.migration.steps import member_word
from host.hooks import HookSpec

OLD_WORDS = ("hook_result", "modified_message")
_NEW_WORD = {"hook_result": "action", "modified_message": "modified_kwargs"}


class Returns:
    """Follows what the handlers of one file return.

    Args:
        source: the file.
        handlers: the functions that the host called.
    """

    def __init__(self, source: Source, handlers: Collection[cst.FunctionDef]) -> None:
        self._source = source
        self._ours = self._only_called_by(frozenset(handlers))
        self._followed: set[tuple[cst.CSTNode, str, str]] = set()
        self._changed: set[cst.CSTNode] = set()
        self._helpers: set[cst.FunctionDef] = set()
        self._words: dict[cst.FunctionDef, set[str]] = defaultdict(set)
        """Parameters of functions that decide an action."""

    def follow(self, function: cst.FunctionDef, hook: HookSpec) -> None:
        """Have every return of a function rewritten, and whatever it returns with it."""
        if not self._is_new(function, hook):
            return
        for node in own(function):
            if isinstance(node, cst.Return) and node.value is not None:
                self._value(node.value, function, hook)
            elif isinstance(node, cst.Yield):
                self._source.todo(node, "return_unread", found="yield")

    def _is_new(self, node: cst.CSTNode, hook: HookSpec, part: str = "") -> bool:
        key = (node, hook.name, part)
        if key in self._followed:
            return False
        self._followed.add(key)
        return True

    def _value(self, node: cst.BaseExpression, function: cst.FunctionDef, hook: HookSpec) -> None:
        match node:
            case cst.Dict():
                self._dict(node, function, hook)
            case cst.Call():
                self._call(node, function, hook)
            case cst.Name() if node.value != "None":
                self._name(node, function, hook)
            case cst.Await(expression=inner) | cst.NamedExpr(value=inner):
                self._value(inner, function, hook)
            case (
                cst.IfExp(body=first, orelse=second) | cst.BooleanOperation(left=first, operator=cst.Or(), right=second)
            ):
                self._value(first, function, hook)
                self._value(second, function, hook)
            case cst.BinaryOperation(left=first, operator=cst.BitOr(), right=second):
                self._value(first, function, hook)
                self._value(second, function, hook)
            case cst.Name():
                """None: go on."""
            case _:
                self._source.todo(node, "return_unread", found=self._source.code(node))

    def _dict(self, node: cst.Dict, function: cst.FunctionDef, hook: HookSpec) -> None:
        if not self._is_new(node, hook):
            return
        dropped = []
        for index, element in enumerate(node.elements):
            if isinstance(element, cst.StarredDictElement):
                self._value(element.value, function, hook)
                continue
            assert isinstance(element, cst.DictElement), "a dict has no other members"
            key = self._source.value(element.key)
            if key == "hook_result":
                self._action(element.value, function, hook)
                self._rename(element.key, "action")
            elif key == "modified_message":
                self._check_message(element, hook)
                if self._source.value(element.value) is None:
                    dropped.append(index)
                else:
                    self._wrap(element, "value", element.value, function)
                    self._rename(element.key, "modified_kwargs")
            elif key is UNREAD:
                self._source.todo(element, "key_unread", found=self._source.code(element.key))
        if dropped and self._claim(node):
            self._drop(node, dropped)

    def _drop(self, node: cst.Dict, dropped: Sequence[int]) -> None:
        def change(updated: cst.Dict) -> cst.Dict:
            elements: list[cst.BaseDictElement] = list(updated.elements)
            for index in dropped:
                elements, _ = without(elements, updated.elements[index])
            return updated.with_changes(elements=elements)

        for index in dropped:
            _, comments = without([node.elements[index]], node.elements[index])
            self._source.comment(node, *comments)
        self._source.change(node, change)

    def _call(self, node: cst.Call, function: cst.FunctionDef, hook: HookSpec) -> None:
        name = get_full_name_for_node(node.func) or ""
        if name == "dict":
            self._items(node.args, function, hook)
        elif isinstance(node.func, cst.Attribute) and node.func.attr.value == "copy" and not node.args:
            self._value(node.func.value, function, hook)
        elif name in ("copy.copy", "copy.deepcopy", "deepcopy") and len(node.args) == 1:
            self._value(node.args[0].value, function, hook)
        elif (callee := self._callee(node, name)) is not None and callee in self._ours:
            self._helpers.add(callee)
            self.follow(callee, hook)
            for parameter in self._words[callee]:
                if (given := _given(node, callee, parameter)) is not None:
                    self._action(given, function, hook)
        else:
            self._source.todo(node, "return_unread", found=self._source.code(node))

    def _items(self, args: Sequence[cst.Arg], function: cst.FunctionDef, hook: HookSpec) -> None:
        """The arguments of ``dict(...)`` and ``.update(...)``."""
        for argument in args:
            key = argument.keyword.value if argument.keyword else ""
            if not key:
                self._value(argument.value, function, hook)
            elif key == "hook_result":
                self._action(argument.value, function, hook)
            elif key == "modified_message":
                self._check_message(argument, hook)
                if self._source.value(argument.value) is not None:
                    self._wrap(argument, "value", argument.value, function)
            if key in OLD_WORDS and argument.keyword and self._claim(argument.keyword):
                self._source.replace(argument.keyword, cst.Name(_NEW_WORD[key]))

    def _callee(self, node: cst.Call, name: str) -> cst.FunctionDef | None:
        """The function of this file that is called, where there is but one that it can be."""
        owner, _, function = name.rpartition(".")
        if owner in ("self", "cls"):
            classes = [each for each in self._source.ancestors(node) if isinstance(each, cst.ClassDef)]
            scopes: list[cst.CSTNode] = list(classes[:1])
        else:
            scopes = [
                each
                for each in self._source.module.body
                if not owner or (isinstance(each, cst.ClassDef) and each.name.value == owner)
            ]
            scopes = scopes if owner else [self._source.module]
        found = [
            each
            for scope in scopes
            for each in own(scope)
            if isinstance(each, cst.FunctionDef) and each.name.value == function
        ]
        return found[0] if len(found) == 1 else None

    def _only_called_by(self, handlers: frozenset[cst.FunctionDef]) -> set[cst.FunctionDef]:
        """The functions that nobody calls but handlers and each other: others would not know what they return now."""
        calls: dict[cst.FunctionDef | None, set[str]] = defaultdict(set)
        for node in self._source.nodes:
            if isinstance(node, cst.Call) and (name := get_full_name_for_node(node.func)):
                calls[self._source.function_around(node)].add(name.rpartition(".")[2])
        functions = {node for node in self._source.nodes if isinstance(node, cst.FunctionDef)} - handlers
        called: set[cst.FunctionDef] = set()
        while more := {
            each
            for each in functions - called
            if any(each.name.value in calls[function] for function in (*handlers, *called))
        }:
            called |= more
        while strangers := {
            each
            for each in called
            if any(each.name.value in names for by, names in calls.items() if by not in handlers and by not in called)
        }:
            called -= strangers
        return called

    def _name(self, node: cst.Name, function: cst.FunctionDef, hook: HookSpec) -> None:
        if not self._is_new(function, hook, node.value):
            return
        bound = self._source.bindings(node)
        for value in bound or [node]:
            if isinstance(value, cst.AugAssign):
                self._value(value.value, function, hook)
            elif isinstance(value, cst.BaseExpression) and value is not node:
                self._value(value, function, hook)
            else:
                self._source.todo(node, "return_unread", found=node.value)
        for each in within(function.body):
            self._edit(each, node.value, function, hook)

    def _edit(self, node: cst.CSTNode, name: str, function: cst.FunctionDef, hook: HookSpec) -> None:
        """Something that is done with a result that is kept in a variable."""
        match node:
            case cst.Subscript(value=cst.Name(owner), slice=[cst.SubscriptElement(slice=cst.Index(value=key))]):
                if owner == name and (word := self._source.value(key)) in OLD_WORDS:
                    self._member(node, key, str(word), function, hook)
            case cst.Call(func=cst.Attribute(value=cst.Name(owner), attr=cst.Name("update")), args=args) if (
                owner == name
            ):
                self._items(args, function, hook)
            case cst.Call(
                func=cst.Attribute(value=cst.Name(owner), attr=cst.Name("get" | "pop" | "setdefault" as method)),
                args=[first, *others],
            ) if owner == name and (word := self._source.value(first.value)) in OLD_WORDS:
                if word == "hook_result" or method == "pop":
                    self._rename(first.value, _NEW_WORD[str(word)])
                    for other in others:
                        if method != "pop":
                            self._action(other.value, function, hook)

    def _member(
        self, node: cst.Subscript, key: cst.BaseExpression, word: str, function: cst.FunctionDef, hook: HookSpec
    ) -> None:
        target = self._source.parent(node)
        if isinstance(target, cst.Element | cst.AugAssign):
            return  # set in a way that is not followed; the old word stays, and is told
        assign = self._source.parent(target) if isinstance(target, cst.AssignTarget) else target
        set_to = assign.value if isinstance(assign, cst.Assign | cst.AnnAssign) else None
        if word == "hook_result":
            self._rename(key, "action")
            if set_to is not None:
                self._action(set_to, function, hook)
        elif set_to is not None:
            self._check_message(node, hook)
            self._rename(key, "modified_kwargs")
            self._wrap(assign, "value", set_to, function)
        elif isinstance(target, cst.Del):
            self._rename(key, "modified_kwargs")
        elif self._claim(node):
            index = cst.SubscriptElement(cst.Index(cst.SimpleString('"modified_kwargs"')))
            inner = cst.SubscriptElement(cst.Index(cst.SimpleString('"message"')))
            self._source.change(
                node,
                lambda updated: updated.with_changes(
                    value=cst.Subscript(cst.ensure_type(updated, cst.Subscript).value, [index]), slice=[inner]
                ),
            )

    def _action(self, node: cst.BaseExpression, function: cst.FunctionDef, hook: HookSpec) -> None:
        """Have an old result say what the new action is."""
        value = self._source.value(node)
        word = value.strip().lower() if isinstance(value, str) else member_word(node, "result")
        match node:
            case _ if word in ("continue", "abort", "skip_stage"):
                self._word(node, word, hook)
            case cst.IfExp(body=first, orelse=second):
                self._action(first, function, hook)
                self._action(second, function, hook)
            case cst.Name() if bound := self._source.bindings(node):
                for each in bound:
                    if isinstance(each, cst.Param) and function in self._helpers:
                        self._words[function].add(node.value)
                        if each.default is not None:
                            self._action(each.default, function, hook)
                    elif isinstance(each, cst.BaseExpression) and self._is_new(each, hook, "action"):
                        self._action(each, function, hook)
                    elif not isinstance(each, cst.BaseExpression):
                        self._source.todo(node, "result_unread", found=self._source.code(node))
            case _:
                self._source.todo(node, "result_unread", found=self._source.code(node))

    def _word(self, node: cst.BaseExpression, word: str, hook: HookSpec) -> None:
        if word == "abort" and not hook.allow_abort:
            self._source.todo(node, "abort_forbidden", hook=hook.name)
        if word == "skip_stage":
            self._source.todo(node, "skip_stage", hook=hook.name)
        if word == "skip_stage" or isinstance(node, cst.Attribute):
            self._rename(node, "continue" if word == "skip_stage" else word)

    def _rename(self, node: cst.BaseExpression, word: str) -> None:
        """Have a text say another word, in the quotes that it has."""
        quote = node.quote if isinstance(node, cst.SimpleString) else '"'
        if self._claim(node):
            self._source.replace(node, cst.SimpleString(f"{quote}{word}{quote}"))

    def _wrap(self, holder: cst.CSTNode, field: str, value: cst.BaseExpression, function: cst.FunctionDef) -> None:
        """Have the message stand under its key; a message that may be None stands for no change."""
        if not self._claim(holder):
            return
        absent = self._may_be_none(value, function)

        def change(updated: Any) -> Any:
            return updated.with_changes(**{field: _under_message(getattr(updated, field), absent)})

        self._source.change(holder, change)

    def _may_be_none(self, value: cst.BaseExpression, function: cst.FunctionDef) -> bool:
        if not isinstance(value, cst.Name):
            return False
        for each in self._source.bindings(value):
            if isinstance(each, cst.Param):
                default = each.default is not None and self._source.value(each.default) is None
                if default or function in self._helpers:
                    return True
            elif isinstance(each, cst.IfExp):
                if None in (self._source.value(each.body), self._source.value(each.orelse)):
                    return True
            elif isinstance(each, cst.BaseExpression) and self._source.value(each) is None:
                return True
        return False

    def _check_message(self, node: cst.CSTNode, hook: HookSpec) -> None:
        if "message" not in hook.payload.__annotations__:
            keys = ", ".join(sorted(hook.payload.__annotations__))
            self._source.todo(node, "message_absent", hook=hook.name, keys=keys)

    def _claim(self, node: cst.CSTNode) -> bool:
        """Whether a node is not changed yet: several hooks may share what they return."""
        if node in self._changed:
            return False
        self._changed.add(node)
        return True


def _under_message(value: cst.BaseExpression, may_be_none: bool) -> cst.BaseExpression:
    def dict_of(message: cst.BaseExpression) -> cst.Dict:
        return cst.Dict([cst.DictElement(cst.SimpleString('"message"'), message)])

    if isinstance(value, cst.IfExp):
        branches = {
            name: branch if isinstance(branch, cst.Name) and branch.value == "None" else dict_of(branch)
            for name, branch in (("body", value.body), ("orelse", value.orelse))
        }
        if any(isinstance(branch, cst.Name) for branch in branches.values()):
            return value.with_changes(**branches)
    if may_be_none:
        is_there = cst.Comparison(value, [cst.ComparisonTarget(cst.IsNot(), cst.Name("None"))])
        return cst.IfExp(test=is_there, body=dict_of(value), orelse=cst.Name("None"))
    return dict_of(value)


def _given(call: cst.Call, callee: cst.FunctionDef, parameter: str) -> cst.BaseExpression | None:
    """What a call gives for a parameter; None where it leaves it out."""
    names = [each.name.value for each in (*callee.params.posonly_params, *callee.params.params)]
    if isinstance(call.func, cst.Attribute) and names and names[0] in ("self", "cls"):
        names = names[1:]
    for index, argument in enumerate(call.args):
        name = argument.keyword.value if argument.keyword else names[index] if index < len(names) else ""
        if name == parameter:
            return argument.value
    return None
