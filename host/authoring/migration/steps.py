"""The old declarations of a file: each `WorkflowStep` that is called in it, and what its arguments say.

The old signature, its other spellings and the hook of each stage are those that version 1 of the SDK had.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import libcst as cst
from libcst.helpers import get_full_name_for_node

from host.authoring.migration.source import UNREAD, Source, is_reference
from host.catalogue import BUILTIN_HOOKS
from host.hooks import HookSpec
from maibot_sdk._components.workflow_step import HOOK_OF_STAGE, OLD_PARAMETERS

OLD_NAME = "WorkflowStep"
_STAGES = tuple(HOOK_OF_STAGE)
_STATEMENT = (cst.FunctionDef, cst.ClassDef, cst.SimpleStatementLine, cst.BaseCompoundStatement)
_SPECS = {spec.name: spec for spec in BUILTIN_HOOKS}


@dataclass(frozen=True, eq=False)
class Step:
    """One declaration that can be rewritten.

    Args:
        call: the call of `WorkflowStep`.
        arguments: its arguments by the names of the old signature, in the order in which they are written.
        values: what they are, where that can be told.
        stage: the name of its stage.
        function: the handler; None where it cannot be told which function that is.
    """

    call: cst.Call
    arguments: Mapping[str, cst.Arg]
    values: Mapping[str, object]
    stage: str
    function: cst.FunctionDef | None

    @property
    def hook(self) -> HookSpec:
        """The hook that took the place of its stage."""
        return _SPECS[HOOK_OF_STAGE[self.stage]]

    @property
    def name(self) -> str:
        """The name of the component, as the host will have it."""
        said = self.values.get("name")
        return said if isinstance(said, str) and said else self.function.name.value if self.function else ""

    @property
    def observes(self) -> bool:
        """Whether it only looked on."""
        return self.values.get("observe") is True or self.values.get("blocking") is False

    @property
    def priority(self) -> float:
        """Its old priority; the higher, the earlier."""
        said = self.values.get("priority", 0)
        return said if isinstance(said, int | float) else 0

    @property
    def rank(self) -> tuple[int, float]:
        """Its place among the old steps, as far as stage and priority decide it."""
        return _STAGES.index(self.stage), -self.priority


@dataclass(frozen=True)
class Declarations:
    """What a file says with `WorkflowStep`.

    Args:
        steps: the declarations that can be rewritten, in the order of the file.
        unread: the statements and functions with the others. They stay as they are, and the import with them.
    """

    steps: list[Step] = field(default_factory=list)
    unread: Sequence[cst.CSTNode] = ()


def old_declarations(source: Source) -> Declarations:
    """Find and read the declarations of a file; above what cannot be read, say so."""
    steps, unread = [], []
    for reference in _references(source):
        step = _read(source, reference)
        if step is None:
            unread.append(next(each for each in source.ancestors(reference) if isinstance(each, _STATEMENT)))
        else:
            steps.append(step)
    return Declarations(steps, unread)


def old_imports(source: Source) -> Iterator[tuple[cst.ImportFrom, cst.ImportAlias]]:
    """The imports of the old decorator by its name."""
    for node in source.nodes:
        if isinstance(node, cst.ImportFrom) and not isinstance(node.names, cst.ImportStar):
            for alias in node.names:
                if alias.name.value == OLD_NAME:
                    yield node, alias


def local_name(alias: cst.ImportAlias) -> str:
    """What an import calls in the file what it imports."""
    if alias.asname is not None and isinstance(alias.asname.name, cst.Name):
        return alias.asname.name.value
    return get_full_name_for_node(alias.name) or ""


def sdk_modules(source: Source) -> dict[str, str]:
    """How the file spells modules of the SDK that it imports whole: the name in the file, and the module."""
    return {
        local_name(alias): name
        for node in source.nodes
        if isinstance(node, cst.Import)
        for alias in node.names
        if (name := get_full_name_for_node(alias.name) or "").split(".")[0] == "maibot_sdk"
    }


def _references(source: Source) -> Iterator[cst.BaseExpression]:
    names = {local_name(alias) for _, alias in old_imports(source)}
    if any(
        isinstance(node, cst.ImportFrom)
        and isinstance(node.names, cst.ImportStar)
        and (get_full_name_for_node(node.module) if node.module else "") in ("maibot_sdk", "maibot_sdk.components")
        for node in source.nodes
    ):
        names.add(OLD_NAME)
    spelled = {f"{module}.{OLD_NAME}" for module in sdk_modules(source)}
    for node in source.nodes:
        if isinstance(node, cst.Attribute):
            if get_full_name_for_node(node) in spelled:
                yield node
        elif isinstance(node, cst.Name) and node.value in names:
            parent = source.parent(node)
            if is_reference(node, parent) and not isinstance(parent, cst.ImportAlias | cst.AsName | cst.AssignTarget):
                yield node


def _read(source: Source, reference: cst.BaseExpression) -> Step | None:
    call = source.parent(reference)
    if not isinstance(call, cst.Call) or call.func is not reference:
        source.todo(reference, "not_called", found=source.code(reference))
        return None
    arguments = _by_name(source, call)
    if arguments is None:
        source.todo(call, "arguments_unread", found=source.code(call))
        return None
    stage = _stage(source, arguments)
    if stage not in HOOK_OF_STAGE:
        said = arguments.get("stage")
        code = "stage_missing" if said is None else "stage_unread" if stage is None else "stage_unknown"
        found = source.code(said.value) if said is not None else ""
        source.todo(call, code, found=found, allowed=", ".join(_STAGES))
        return None
    values = {name: source.value(argument.value) for name, argument in arguments.items()}
    return Step(call, arguments, values, stage, _handler(source, call))


def _by_name(source: Source, call: cst.Call) -> dict[str, cst.Arg] | None:
    """The arguments by name; None where stars hide them, or where the old decorator would have refused them."""
    arguments: dict[str, cst.Arg] = {}
    for index, argument in enumerate(call.args):
        if argument.star or (argument.keyword is None and index >= len(OLD_PARAMETERS)):
            return None
        name = argument.keyword.value if argument.keyword else OLD_PARAMETERS[index]
        if name in arguments:
            return None
        arguments[name] = argument
    # Older texts give the stage alone.
    alone = arguments.get("name")
    if alone is not None and alone.keyword is None and "stage" not in arguments and _word(source, alone) in _STAGES:
        arguments = {"stage" if name == "name" else name: argument for name, argument in arguments.items()}
    return arguments


def _stage(source: Source, arguments: Mapping[str, cst.Arg]) -> str | None:
    return _word(source, arguments["stage"]) if "stage" in arguments else None


def _word(source: Source, argument: cst.Arg) -> str | None:
    """A stage as it is written: a text, or the member of an enum that is named after it."""
    value = source.value(argument.value)
    if isinstance(value, str):
        return value.strip().lower()
    return member_word(argument.value, "stage") if value is UNREAD else None


def member_word(node: cst.BaseExpression, kind: str) -> str | None:
    """The word of an enum's member, as ``WorkflowStage.PRE_PROCESS`` and its ``.value`` mean ``"pre_process"``.

    Args:
        node: the expression.
        kind: what the name of the enum has in it, in small letters.
    """
    parts = (get_full_name_for_node(node) or "").split(".")
    if parts[-1] == "value":
        parts.pop()
    return parts[-1].lower() if len(parts) > 1 and kind in parts[-2].lower() else None


def _handler(source: Source, call: cst.Call) -> cst.FunctionDef | None:
    parent = source.parent(call)
    if isinstance(parent, cst.Decorator):
        return _decorated(source, parent)
    if isinstance(parent, cst.Call) and parent.func is call and len(parent.args) == 1:
        return _named(source, call, parent.args[0].value)
    if isinstance(parent, cst.Assign) and isinstance(target := parent.targets[0].target, cst.Name):
        found = [
            _decorated(source, node)
            for node in source.nodes
            if isinstance(node, cst.Decorator)
            and isinstance(node.decorator, cst.Name)
            and node.decorator.value == target.value
        ]
        return found[0] if len(found) == 1 else None
    return None


def _decorated(source: Source, decorator: cst.Decorator) -> cst.FunctionDef | None:
    holder = source.parent(decorator)
    return holder if isinstance(holder, cst.FunctionDef) else None


def _named(source: Source, near: cst.CSTNode, node: cst.BaseExpression) -> cst.FunctionDef | None:
    bound = source.bindings(node) if isinstance(node, cst.Name) else []
    functions = [each for each in bound if isinstance(each, cst.FunctionDef)]
    return functions[0] if len(functions) == 1 else None
