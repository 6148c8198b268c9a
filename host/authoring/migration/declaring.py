"""The new declaration: `HookHandler` with the arguments that say what the old ones said, and nothing more."""

import libcst as cst

from host.authoring.migration.comma_lists import appended, comments_in, in_order, without
from host.authoring.migration.imports import Imports
from host.authoring.migration.placing import Places, slot_of
from host.authoring.migration.remarks import Remark
from host.authoring.migration.source import UNREAD, Source, in_brackets
from host.authoring.migration.steps import Step, member_word
from host.hooks import HookSettings
from maibot_sdk.types import HookMode

_TIGHT = cst.AssignEqual(whitespace_before=cst.SimpleWhitespace(""), whitespace_after=cst.SimpleWhitespace(""))
_LONGEST_MS = HookSettings().max_timeout_ms


class Declaring:
    """Rewrites the declarations of one file.

    Args:
        source: the file.
        imports: its imports.
        places: the slots of the plugin's steps.
        keep_abort: whether the old default error policy is written out.
    """

    def __init__(self, source: Source, imports: Imports, places: Places, keep_abort: bool) -> None:
        self._source = source
        self._imports = imports
        self._places = places
        self._keep_abort = keep_abort
        self.remarks: list[Remark] = []

    def rewrite(self, step: Step) -> None:
        """Have the call of one step rewritten."""
        source, call = self._source, step.call
        new = {name: self._argument(step, name, argument) for name, argument in step.arguments.items()}
        if "blocking" in new and "observe" in new:
            del new["observe"]
        args: list[cst.Arg] = [new.get(name) or argument for name, argument in step.arguments.items()]
        lost: list[str] = []
        for name, argument in step.arguments.items():
            if new.get(name) is None:
                args, comments = without(args, argument)
                lost += comments
        args = self._hook_first(args)
        if self._slot_is_told(step):
            args = appended(
                args, self._keyword("order", self._imports.member("HookOrder", self._places.slots[step].name))
            )
        if self._abort_is_told(step):
            args = appended(args, self._keyword("error_policy", self._imports.member("ErrorPolicy", "ABORT")))
        if step.function is not None:
            source.drop_todos(step.function)
        source.comment(call, *lost)
        source.change(call, lambda updated: updated.with_changes(func=self._imports.decorator(call.func), args=args))
        self._tell(step)

    def _argument(self, step: Step, name: str, old: cst.Arg) -> cst.Arg | None:
        """What an argument becomes; None where nothing takes its place."""
        value = step.values[name]
        match name:
            case "stage":
                quote = old.value.quote if isinstance(old.value, cst.SimpleString) else '"'
                quote = quote if len(quote) == 1 else '"'
                return old.with_changes(
                    keyword=cst.Name("hook"), equal=_TIGHT, value=cst.SimpleString(f"{quote}{step.hook.name}{quote}")
                )
            case "priority":
                if not isinstance(value, int | float):
                    self._source.todo(step.call, "priority_unread", found=self._source.code(old.value))
                    return None
                return self._as(old, "order", self._imports.member("HookOrder", self._places.slots[step].name))
            case "blocking" | "observe":
                return self._as(old, "mode", self._mode(step, name, old.value))
            case "error_policy":
                return self._policy(step, old)
            case "filter":
                if value is not None:
                    self._source.todo(step.call, "filter_dropped", found=self._source.code(old.value))
                return None
            case "timeout_ms":
                if value is not UNREAD and not (type(value) is int and 0 <= value <= _LONGEST_MS):
                    self._source.todo(step.call, "timeout_wrong", found=value, ceiling=_LONGEST_MS)
        return old if old.keyword else self._as(old, name, old.value)

    def _mode(self, step: Step, name: str, old: cst.BaseExpression) -> cst.BaseExpression:
        if isinstance(step.values[name], bool):
            mode = HookMode.OBSERVE if step.observes else HookMode.BLOCKING
            return self._imports.member("HookMode", mode.name)
        blocking, observe = (self._imports.member("HookMode", mode) for mode in ("BLOCKING", "OBSERVE"))
        first, second = (blocking, observe) if name == "blocking" else (observe, blocking)
        return cst.IfExp(test=in_brackets(old), body=first, orelse=second)

    def _policy(self, step: Step, old: cst.Arg) -> cst.Arg | None:
        said = step.values["error_policy"]
        word = said.strip().lower() if isinstance(said, str) else member_word(old.value, "policy")
        if not step.hook.allow_abort:
            if word == "abort":
                self._remark(step, "abort_policy_not_allowed")
                return None
            if word not in ("skip", "log"):
                self._source.todo(step.call, "policy_unread", found=self._source.code(old.value), hook=step.hook.name)
        return old if old.keyword else self._as(old, "error_policy", old.value)

    def _hook_first(self, args: list[cst.Arg]) -> list[cst.Arg]:
        """Have the hook stand first and without a keyword, as people write it, unless comments are beside arguments."""
        hook = next(each for each in args if each.keyword and each.keyword.value == "hook")
        others = [each for each in args if each is not hook]
        if hook is not args[0]:
            if any(comment for each in args for comment in comments_in(each)):
                return args
            hook_first = in_order(args, [hook, *others])
        else:
            hook_first = args
        bare = hook_first[0].with_changes(keyword=None, equal=cst.MaybeSentinel.DEFAULT)
        return [bare, *hook_first[1:]]

    def _slot_is_told(self, step: Step) -> bool:
        """Whether a slot has to be said that the old declaration said nothing of."""
        return "priority" not in step.arguments and self._places.slots[step] is not slot_of(step)

    def _abort_is_told(self, step: Step) -> bool:
        return self._keep_abort and "error_policy" not in step.arguments and step.hook.allow_abort and not step.observes

    def _tell(self, step: Step) -> None:
        if step in self._places.moved:
            self._remark(step, "order_moved", slot=self._places.slots[step].name)
        if step in self._places.unordered:
            others = ", ".join(each.name for each in self._places.unordered[step])
            self._remark(step, "order_lost", others=others)
        if "error_policy" not in step.arguments and not step.observes:
            if not step.hook.allow_abort:
                self._remark(step, "abort_policy_not_allowed")
            elif not self._keep_abort:
                self._remark(step, "abort_policy_dropped")

    def _remark(self, step: Step, code: str, **fields: object) -> None:
        told = {"name": step.name, "hook": step.hook.name, **fields}
        self.remarks.append(Remark(code, self._source.line(step.call), told))

    def _as(self, old: cst.Arg, keyword: str, value: cst.BaseExpression) -> cst.Arg:
        equal = old.equal if old.keyword else _TIGHT
        return old.with_changes(keyword=cst.Name(keyword), equal=equal, value=value)

    def _keyword(self, keyword: str, value: cst.BaseExpression) -> cst.Arg:
        return cst.Arg(keyword=cst.Name(keyword), equal=_TIGHT, value=value)
