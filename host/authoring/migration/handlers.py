"""The handlers of the old steps: what they take becomes keyword arguments of the hook."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import libcst as cst
from libcst.helpers import get_full_name_for_node

from host.authoring.migration.comma_lists import without
from host.authoring.migration.remarks import Remark
from host.authoring.migration.returns import Returns
from host.authoring.migration.source import Source, is_reference, within
from host.authoring.migration.steps import Step

_CALL_DATA = frozenset({"hook_name", "trace_id"})


@dataclass(frozen=True)
class _Old:
    """The two parameters of the old signature, where a handler has them."""

    context: cst.Param | None
    message: cst.Param | None


class Handlers:
    """Rewrites the handlers of one file.

    Args:
        source: the file.
        steps: its old declarations.
    """

    def __init__(self, source: Source, steps: Sequence[Step]) -> None:
        self._source = source
        self._returns = Returns(source, [step.function for step in steps if step.function is not None])
        self._done: set[cst.FunctionDef] = set()
        self.remarks: list[Remark] = []

    def rewrite(self, step: Step) -> None:
        """Have the handler of one step rewritten; above what cannot be, say so."""
        function = step.function
        if function is None:
            self._source.todo(step.call, "handler_unknown")
            return
        if function in self._done:
            self._source.todo(function, "handler_of_two", name=function.name.value)
            return
        self._done.add(function)
        if self._has_two_names(step, function):
            self._source.todo(step.call, "two_names", name=function.name.value)
        self._parameters(step, function)
        self._rest(step, function)
        self._returns.follow(function, step.hook)
        self._tell(step, function)

    def _has_two_names(self, step: Step, function: cst.FunctionDef) -> bool:
        """Whether a class holds a handler under two names, so that it is declared twice."""
        assign = self._source.parent(self._source.parent(step.call))
        if not isinstance(assign, cst.Assign) or self._source.function_around(assign) is not None:
            return False
        in_class = any(isinstance(each, cst.ClassDef) for each in self._source.ancestors(assign))
        targets = [get_full_name_for_node(each.target) for each in assign.targets]
        return in_class and targets != [function.name.value]

    def _parameters(self, step: Step, function: cst.FunctionDef) -> None:
        taken = _parameters(function)
        old = _old_parameters(taken)
        keys = _keys(step)
        dropped: list[cst.Param] = []
        for parameter in taken:
            name = parameter.name.value
            used = self._uses(function, name)
            if parameter is old.context:
                if used:
                    self._source.todo(function, "context_used", name=name)
                else:
                    dropped.append(parameter)
            elif parameter is old.message:
                if not used and (name != "message" or "message" not in keys):
                    dropped.append(parameter)
                elif "message" not in keys:
                    self._source.todo(function, "message_absent", hook=step.hook.name, keys=", ".join(sorted(keys)))
                elif name != "message":
                    self._rename(function, parameter)
            elif parameter.default is None and name not in keys | _CALL_DATA:
                self._source.todo(function, "parameter_unfilled", name=name, hook=step.hook.name)
        self._change_parameters(function, dropped)

    def _change_parameters(self, function: cst.FunctionDef, dropped: list[cst.Param]) -> None:
        old = function.params
        plain = list(old.posonly_params[:1]) if _has_owner(function) else []
        by_place = [each for each in old.posonly_params if each not in plain]
        if not dropped and not by_place:
            return
        at = {id(each): index for index, each in enumerate((*old.posonly_params, *old.params, *old.kwonly_params))}
        gone = {at[id(each)] for each in dropped}

        def change(updated: cst.Parameters) -> cst.Parameters:
            everything = (*updated.posonly_params, *updated.params, *updated.kwonly_params)
            lists = {
                "posonly_params": updated.posonly_params,
                "params": updated.params,
                "kwonly_params": updated.kwonly_params,
            }
            changes: dict[str, Any] = {name: list(each) for name, each in lists.items()}
            for index in sorted(gone):
                for name, each in changes.items():
                    if any(everything[index] is parameter for parameter in each):
                        changes[name], _ = without(each, everything[index])
            if by_place:
                changes["params"] = [*changes["posonly_params"], *changes["params"]]
                changes |= {"posonly_params": [], "posonly_ind": cst.MaybeSentinel.DEFAULT}
                if changes["params"] and not (updated.star_kwarg or updated.star_arg is not cst.MaybeSentinel.DEFAULT):
                    changes["params"][-1] = changes["params"][-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
            if not changes["kwonly_params"] and isinstance(updated.star_arg, cst.ParamStar):
                changes["star_arg"] = cst.MaybeSentinel.DEFAULT
            return updated.with_changes(**changes)

        self._source.change(old, change)
        for parameter in dropped:
            _, comments = without([parameter], parameter)
            self._source.comment(function, *comments)
        self._tell_callers(function)

    def _tell_callers(self, function: cst.FunctionDef) -> None:
        """Whoever calls a handler by hand has to call it otherwise now."""
        name = function.name.value
        for node in self._source.nodes:
            if isinstance(node, cst.Call) and (get_full_name_for_node(node.func) or "") in (
                f"self.{name}",
                f"cls.{name}",
            ):
                self._source.todo(node, "called_directly", name=name)

    def _rename(self, function: cst.FunctionDef, parameter: cst.Param) -> None:
        old = parameter.name.value
        nodes = list(within(function))
        others = [
            node
            for node in nodes
            if (isinstance(node, cst.Param) and node is not parameter and node.name.value in (old, "message"))
            or (
                isinstance(node, cst.Name) and node.value == "message" and is_reference(node, self._source.parent(node))
            )
            or (isinstance(node, cst.Global | cst.Nonlocal) and any(each.name.value == old for each in node.names))
        ]
        if others:
            self._source.todo(function, "name_taken", name=old)
            return
        for node in nodes:
            if isinstance(node, cst.Name) and node.value == old and is_reference(node, self._source.parent(node)):
                self._source.set(node, value="message")

    def _rest(self, step: Step, function: cst.FunctionDef) -> None:
        """What is read from ``*args`` and ``**kwargs``."""
        star, rest = function.params.star_arg, function.params.star_kwarg
        if isinstance(star, cst.Param) and self._uses(function, star.name.value):
            self._source.todo(function, "positional_rest", name=star.name.value)
        if rest is None:
            return
        keys = _keys(step)
        for node in within(function.body):
            key = self._key_read(node, rest.name.value)
            if key == "context":
                self._source.todo(node, "context_used", name=f'{rest.name.value}["context"]')
            elif key == "message" and "message" not in keys:
                self._source.todo(node, "message_absent", hook=step.hook.name, keys=", ".join(sorted(keys)))

    def _key_read(self, node: cst.CSTNode, owner: str) -> object:
        match node:
            case cst.Subscript(value=cst.Name(name), slice=[cst.SubscriptElement(slice=cst.Index(value=key))]):
                return self._source.value(key) if name == owner else None
            case cst.Call(func=cst.Attribute(value=cst.Name(name), attr=cst.Name("get" | "pop")), args=[first, *_]):
                return self._source.value(first.value) if name == owner else None
        return None

    def _uses(self, function: cst.FunctionDef, name: str) -> bool:
        return any(
            isinstance(node, cst.Name) and node.value == name and is_reference(node, self._source.parent(node))
            for node in within(function.body)
        )

    def _tell(self, step: Step, function: cst.FunctionDef) -> None:
        words = {
            node.value.strip("\"'") for node in within(function.body) if isinstance(node, cst.Name | cst.SimpleString)
        }
        if "message" not in _keys(step) or not words & {"message", "msg"}:
            return
        if not any(remark.code == "message_shape" for remark in self.remarks):
            self.remarks.append(Remark("message_shape", self._source.line(function)))
        if "modified_message" not in words and any(self._edits(node) for node in within(function.body)):
            self.remarks.append(Remark("edits_in_place", self._source.line(function), {"name": step.name}))

    def _edits(self, node: cst.CSTNode) -> bool:
        if not isinstance(node, cst.AssignTarget | cst.AugAssign):
            return False
        target: cst.CSTNode = node.target
        is_part = isinstance(target, cst.Subscript | cst.Attribute)
        while isinstance(target, cst.Subscript | cst.Attribute):
            target = target.value
        return is_part and isinstance(target, cst.Name) and target.value in ("message", "msg")


def _keys(step: Step) -> frozenset[str]:
    return frozenset(step.hook.payload.__annotations__)


def _has_owner(function: cst.FunctionDef) -> bool:
    """Whether the first parameter is the plugin."""
    positional = (*function.params.posonly_params, *function.params.params)
    decorators = {get_full_name_for_node(each.decorator) for each in function.decorators}
    return (
        bool(positional)
        and "staticmethod" not in decorators
        and positional[0].name.value in ("self", "cls", "this", "_self")
    )


def _parameters(function: cst.FunctionDef) -> list[cst.Param]:
    """What a handler takes by name, without the plugin."""
    everything = [*function.params.posonly_params, *function.params.params]
    return [*everything[_has_owner(function) :], *function.params.kwonly_params]


def _old_parameters(taken: list[cst.Param]) -> _Old:
    """By their names, else by their places: the context came first."""
    by_name = {parameter.name.value.strip("_"): parameter for parameter in reversed(taken)}
    context, message = by_name.get("context"), by_name.get("message")
    required = [parameter for parameter in taken if parameter.default is None]
    if message is None and len(required) > 1 and (context is None or context is required[0]):
        message = required[1]
        context = context or required[0]
    elif context is None and message is not None and required[1:2] == [message]:
        context = required[0]
    return _Old(context, message)
