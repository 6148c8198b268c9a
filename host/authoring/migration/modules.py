"""One Python file brought from the old declarations to the new ones."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from tokenize import COMMENT, tokenize

import libcst as cst

from host.authoring.migration.declaring import Declaring
from host.authoring.migration.handlers import Handlers
from host.authoring.migration.imports import Imports, drop_removed_names, has_removed_names
from host.authoring.migration.placing import Places
from host.authoring.migration.remarks import Remark
from host.authoring.migration.returns import OLD_WORDS
from host.authoring.migration.source import TODO, Source, within
from host.authoring.migration.steps import OLD_NAME, Declarations, Step, old_declarations
from host.hooks.texts import Locale

_OLD_TYPE = "workflow_step"
_SIGNS = (OLD_NAME, _OLD_TYPE, _OLD_TYPE.upper(), TODO.strip())


@dataclass
class Module:
    """A Python file that is to be looked at.

    Args:
        content: its bytes.
        locale: the language of the comments that are put in.
        source: what was read of it; None where it does not concern the migration, or is no Python.
        declarations: its old declarations.
        unreadable: why it is no Python, where it is none.
    """

    content: bytes
    locale: Locale
    source: Source | None = None
    declarations: Declarations = field(default_factory=Declarations)
    unreadable: Remark | None = None

    @property
    def steps(self) -> list[Step]:
        """The old declarations in it that can be rewritten."""
        return self.declarations.steps


@dataclass(frozen=True)
class Rewritten:
    """What became of a Python file.

    Args:
        content: its new bytes.
        notes: what is worth knowing about it.
        left: what is left to do by hand, with the line in the new file.
    """

    content: bytes
    notes: list[Remark] = field(default_factory=list)
    left: list[Remark] = field(default_factory=list)


def read_module(content: bytes, locale: Locale) -> Module:
    """Read a Python file, and the old declarations in it."""
    module = Module(content, locale)
    if not any(sign.encode() in content for sign in _SIGNS):
        return module
    try:
        module.source = Source(content, locale)
    except cst.ParserSyntaxError as error:
        module.unreadable = Remark("no_python", error.raw_line, {"why": error.message.splitlines()[0]})
    except RecursionError:
        module.source, module.unreadable = None, too_deep()
    except (UnicodeDecodeError, LookupError, SyntaxError) as error:
        module.unreadable = Remark("no_python", 0, {"why": str(error)})
    else:
        module.declarations = old_declarations(module.source)
    return module


def too_deep() -> Remark:
    """What is said of a file whose expressions are nested too deep to be followed."""
    return Remark("too_deep")


def rewrite_module(module: Module, places: Places, keep_abort: bool) -> Rewritten:
    """Rewrite a Python file.

    Args:
        module: what was read.
        places: the slots of the plugin's steps.
        keep_abort: whether the old default error policy is written out.

    Raises:
        RecursionError: its expressions are nested too deep.
    """
    source = module.source
    if source is None:
        return Rewritten(module.content, left=[module.unreadable] if module.unreadable else [])
    imports = Imports(source)
    declaring = Declaring(source, imports, places, keep_abort)
    handlers = Handlers(source, module.steps)
    for step in module.steps:
        declaring.rewrite(step)
        handlers.rewrite(step)
    imports.rewrite(module.declarations)
    _old_types(source)
    content = source.changed()
    if module.steps and (has_removed_names(source) or any(word.encode() in content for word in OLD_WORDS)):
        content = _after(content, module.locale)
    notes = sorted((*declaring.remarks, *handlers.remarks), key=lambda remark: remark.line)
    return Rewritten(content, notes, list(_left(content)))


def _after(content: bytes, locale: Locale) -> bytes:
    """What can be seen only once everything else is done: names that nothing uses now, and words that are left."""
    source = Source(content, locale)
    drop_removed_names(source)
    old_still = {id(node) for each in old_declarations(source).unread for node in within(each)}
    for node in source.nodes:
        if id(node) in old_still:
            continue
        old = node.keyword.value if isinstance(node, cst.Arg) and node.keyword else _text(node)
        if old in OLD_WORDS and not source.has_todo(node):
            source.todo(node, "old_word", word=old)
    return source.changed()


def _text(node: cst.CSTNode) -> object:
    return node.evaluated_value if isinstance(node, cst.SimpleString) else None


def _old_types(source: Source) -> None:
    """Components that are declared by hand with the old type."""
    for node in source.nodes:
        if isinstance(node, cst.Attribute) and node.attr.value == _OLD_TYPE.upper():
            source.todo(node, "component_type")
        elif isinstance(node, cst.DictElement) and _text(node.key) in ("type", "component_type"):
            value = _text(node.value)
            if isinstance(value, str) and value.strip().lower() == _OLD_TYPE:
                source.todo(node, "component_type")


def _left(content: bytes) -> Iterator[Remark]:
    if TODO.encode() in content:
        for token in tokenize(BytesIO(content).readline):
            if token.type == COMMENT and token.string.startswith(TODO):
                yield Remark("todo", token.start[0], {"text": token.string.removeprefix(TODO)})
