"""The imports of a file: the old decorator's becomes the new one's, and the enums that the new one takes come in."""

from importlib import import_module

import libcst as cst
from libcst.helpers import get_full_name_for_node

from host.authoring.migration.comma_lists import appended, comments_in, without
from host.authoring.migration.source import Source, is_reference
from host.authoring.migration.steps import OLD_NAME, Declarations, local_name, old_imports

_SDK = "maibot_sdk"
_TYPES = "maibot_sdk.types"
_NEW_NAME = "HookHandler"
_HOMES = (_SDK, "maibot_sdk.components")


class Imports:
    """What a file imports of the SDK, and what is to be changed in that.

    Args:
        source: the file.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._names: dict[cst.ImportFrom, list[cst.ImportAlias]] = {
            node: list(node.names)
            for node in source.nodes
            if isinstance(node, cst.ImportFrom) and isinstance(node.names, tuple | list)
        }
        self._known = {
            (module, alias.name.value): local_name(alias)
            for node, aliases in self._names.items()
            if self._is_seen_everywhere(node) and (module := module_of(node))
            for alias in aliases
            if isinstance(alias.name, cst.Name)
        }
        self._stars = {
            module_of(node)
            for node in source.nodes
            if isinstance(node, cst.ImportFrom) and isinstance(node.names, cst.ImportStar)
        }
        self._needed: dict[str, set[str]] = {}

    def decorator(self, old: cst.BaseExpression) -> cst.BaseExpression:
        """The name of the new decorator where the old one's stood."""
        if isinstance(old, cst.Attribute):
            return old.with_changes(attr=cst.Name(_NEW_NAME))
        return cst.Name(self._new_name())

    def member(self, enum: str, name: str) -> cst.Attribute:
        """A member of an enum of the SDK's types, which is imported where it is not yet."""
        local = self._known.get((_TYPES, enum), enum)
        if (_TYPES, enum) not in self._known and _TYPES not in self._stars:
            self._needed.setdefault(_TYPES, set()).add(enum)
        return cst.Attribute(cst.Name(local), cst.Name(name))

    def rewrite(self, declarations: Declarations) -> None:
        """Have the imports changed as far as the declarations were rewritten."""
        if declarations.unread and not declarations.steps:
            return
        for node, alias in list(old_imports(self._source)):
            self._rewrite_old(node, alias, kept=bool(declarations.unread))
        self._add_needed()
        for node, names in self._names.items():
            self._source.set(node, names=names)

    def _rewrite_old(self, node: cst.ImportFrom, alias: cst.ImportAlias, *, kept: bool) -> None:
        module = module_of(node)
        names = self._names[node]
        there = any((home, _NEW_NAME) in self._known for home in _HOMES)
        gone = module.startswith(_SDK) and module not in _HOMES
        if gone and not there and (kept or len(names) > 1):
            self._needed.setdefault(_SDK, set()).add(_NEW_NAME)
        if kept:
            self._names[node] = names if there or gone else appended(names, cst.ImportAlias(cst.Name(_NEW_NAME)))
            return
        if (there or gone) and len(names) > 1:
            self._names[node], comments = without(names, alias)
            self._source.comment(node, *comments)
        else:
            names[names.index(alias)] = alias.with_changes(name=cst.Name(_NEW_NAME), asname=None)
            if gone:
                self._source.set(node, module=cst.Name(_SDK))
        self._rename_stand_ins(local_name(alias))

    def _rename_stand_ins(self, old: str) -> None:
        """What stands in for the decorator where the import fails bears its name."""
        for node in self._source.nodes:
            if isinstance(node, cst.AssignTarget) and isinstance(node.target, cst.Name) and node.target.value == old:
                self._source.set(node.target, value=self._new_name())
            elif isinstance(node, cst.FunctionDef) and node.name.value == old:
                self._source.set(node.name, value=self._new_name())

    def _new_name(self) -> str:
        known = (self._known.get((home, _NEW_NAME)) for home in _HOMES)
        return next((name for name in known if name), _NEW_NAME)

    def _add_needed(self) -> None:
        lines = []
        for module, wanted in sorted(self._needed.items()):
            there = next(
                (node for node in self._names if module_of(node) == module and self._is_seen_everywhere(node)), None
            )
            if there is None:
                aliases = [cst.ImportAlias(cst.Name(name)) for name in sorted(wanted)]
                lines.append(cst.SimpleStatementLine([cst.ImportFrom(_dotted(module), aliases)]))
                continue
            for name in sorted(wanted):
                self._names[there] = appended(self._names[there], cst.ImportAlias(cst.Name(name)))
        if lines:
            anchor = self._anchor()
            self._source.change(anchor, lambda updated: cst.FlattenSentinel([updated, *lines]))

    def _anchor(self) -> cst.CSTNode:
        """The statement that new imports go below: the one that brought in the old decorator, else the SDK."""
        old = [node for node, _ in old_imports(self._source)]
        sdk = [
            node
            for node in self._source.nodes
            if isinstance(node, cst.Import | cst.ImportFrom) and self._is_seen_everywhere(node) and _is_of_sdk(node)
        ]
        statements = (cst.SimpleStatementLine, cst.BaseCompoundStatement)
        lowest = old[0] if old else sdk[-1]
        return next(each for each in self._source.ancestors(lowest) if isinstance(each, statements))

    def _is_seen_everywhere(self, node: cst.CSTNode) -> bool:
        """Whether an import is done when the module is, whatever happens."""
        return not any(
            isinstance(each, cst.FunctionDef | cst.ClassDef | cst.If) for each in self._source.ancestors(node)
        )


def drop_removed_names(source: Source) -> None:
    """Drop imports of what the SDK has no more, where nothing uses it now; above the others, say so."""
    for node in source.nodes:
        if not isinstance(node, cst.ImportFrom) or isinstance(node.names, cst.ImportStar) or not _is_of_sdk(node):
            continue
        module = module_of(node)
        names, lost = list(node.names), []
        for alias in node.names:
            if alias.name.value == OLD_NAME or _exists(module, str(alias.name.value)):
                continue
            if _is_used(source, local_name(alias)) or (len(names) == 1 and any(comments_in(node))):
                source.todo(node, "name_removed", name=alias.name.value, module=module)
            else:
                names, comments = without(names, alias)
                lost += comments
        source.comment(node, *lost)
        if not names:
            _remove_statement(source, node)
        elif len(names) < len(node.names):
            source.set(node, names=names)


def has_removed_names(source: Source) -> bool:
    """Whether a file imports what the SDK has no more, the old decorator aside."""
    return any(
        alias.name.value != OLD_NAME and not _exists(module_of(node), str(alias.name.value))
        for node in source.nodes
        if isinstance(node, cst.ImportFrom) and _is_of_sdk(node) and not isinstance(node.names, cst.ImportStar)
        for alias in node.names
    )


def module_of(node: cst.ImportFrom) -> str:
    """The module that names are imported from; "" for a relative one."""
    return "" if node.relative or node.module is None else get_full_name_for_node(node.module) or ""


def _is_of_sdk(node: cst.Import | cst.ImportFrom) -> bool:
    if isinstance(node, cst.ImportFrom):
        return module_of(node).split(".")[0] == _SDK
    return any((get_full_name_for_node(each.name) or "").startswith(_SDK) for each in node.names)


def _exists(module: str, name: str) -> bool:
    try:
        return hasattr(import_module(module), name)
    except ImportError:
        return False


def _is_used(source: Source, name: str) -> bool:
    return any(
        isinstance(node, cst.Name)
        and node.value == name
        and is_reference(node, parent := source.parent(node))
        and not isinstance(parent, cst.ImportAlias | cst.AsName)
        for node in source.nodes
    ) or any(isinstance(node, cst.BaseString) and name == source.value(node) for node in source.nodes)


def _remove_statement(source: Source, node: cst.ImportFrom) -> None:
    line = source.parent(node)
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) > 1:
        source.change(node, lambda _: cst.RemoveFromParent())
        return
    block = source.parent(line)
    if (isinstance(block, cst.IndentedBlock) and len(block.body) == 1) or any(comments_in(line)):
        source.set(line, body=[cst.Pass()])
    else:
        source.change(line, lambda _: cst.RemoveFromParent())


def _dotted(module: str) -> cst.Attribute | cst.Name:
    first, *rest = module.split(".")
    node: cst.Attribute | cst.Name = cst.Name(first)
    for name in rest:
        node = cst.Attribute(node, cst.Name(name))
    return node
