"""Texts for people, apart from the code that finds a fact: a code and its fields in, one sentence in English or Chinese out."""

from collections.abc import Mapping

Locale = str
"""``"en"`` or ``"zh"``; anything else reads as English."""


class TextTable:
    """Sentences by code, each in English and Chinese, with ``{field}`` places.

    Each room of the host has one for its own errors; this class is how all of them are rendered.

    Args:
        entries: code -> (English, Chinese).
    """

    def __init__(self, entries: Mapping[str, tuple[str, str]]) -> None:
        self._entries = dict(entries)

    def render(self, code: str, fields: Mapping[str, object], locale: Locale = "en") -> str:
        """The sentence of `code`, with `fields` put in.

        Raises:
            KeyError: the table has no such code, or the sentence names a field that was not given.
        """
        english, chinese = self._entries[code]
        return (chinese if locale.lower().startswith("zh") else english).format_map(fields)

    def both(self, code: str, fields: Mapping[str, object]) -> str:
        """The sentence in both languages, for whoever cannot be asked which one it reads. Raises like `render`."""
        return f"{self.render(code, fields, 'en')} / {self.render(code, fields, 'zh')}"

    def codes(self) -> frozenset[str]:
        """All codes of the table."""
        return frozenset(self._entries)


KERNEL_TEXTS = TextTable(
    {
        # What is wrong with a declaration: it keeps the plugin from registering.
        "unknown_hook": (
            "subscribes to {hook!r}, which is not a registered hook.{nearest_en} Use the exact name of a registered hook.",
            "订阅了未注册的 Hook {hook!r}。{nearest_zh}请使用已注册 Hook 的确切名称。",
        ),
        "bad_hook_name": (
            "names its hook as {found}; allowed is the name of a registered hook, as text.",
            "Hook 名称为 {found}；只能是已注册 Hook 的文本名称。",
        ),
        "mode_not_allowed": (
            "asks for mode {mode!r}, but {hook!r} allows only {allowed}. Declare an allowed mode.",
            "声明了模式 {mode!r}，但 {hook!r} 只允许 {allowed}。请改用允许的模式。",
        ),
        "observer_on_change_only": (
            "observes {hook!r}, which allows changes but no abort, and hooks.strict_modes is on; allowed is mode 'blocking'.",
            "观察了只允许改参、不允许 abort 的 {hook!r}，而 hooks.strict_modes 已开启；只允许 'blocking' 模式。",
        ),
        "abort_policy_not_allowed": (
            "declares error_policy 'abort', but {hook!r} cannot be aborted; allowed are 'skip' and 'log'.",
            "声明了 error_policy 'abort'，但 {hook!r} 不允许中止；只允许 'skip' 与 'log'。",
        ),
        "bad_enum": (
            "has {field} {found}; allowed are {allowed}.",
            "{field} 为 {found}；只允许 {allowed}。",
        ),
        "bad_timeout": (
            "has timeout_ms {found}; allowed is a whole number of milliseconds from 0 (the hook's default) to {ceiling}.",
            "timeout_ms 为 {found}；只允许 0（使用 Hook 默认值）到 {ceiling} 之间的整数毫秒。",
        ),
        "bad_flag": (
            "has {field} {found}; allowed are True and False.",
            "{field} 为 {found}；只允许 True 与 False。",
        ),
        "bad_name": (
            "has the name {found}; allowed are 1 to 128 visible characters, without control or zero-width characters.",
            "名称为 {found}；只允许 1 到 128 个可见字符，不含控制字符与零宽字符。",
        ),
        "bad_plugin_id": (
            "has the plugin id {found}; allowed are 1 to 128 visible characters, without control or zero-width characters.",
            "插件 ID 为 {found}；只允许 1 到 128 个可见字符，不含控制字符与零宽字符。",
        ),
        "duplicate_name": (
            "is the second hook handler of this name; the first stands at {other}. Give one of them another name.",
            "是同名的第二个 Hook 处理器；第一个位于 {other}。请为其中一个改名。",
        ),
        "not_callable": (
            "is {found}, which cannot be called; allowed is a function or method.",
            "是 {found}，无法调用；只允许函数或方法。",
        ),
        "handler_missing": (
            "names the handler method {handler_name!r}, which the plugin does not have. Name an existing method.",
            "指定了处理方法 {handler_name!r}，但插件没有这个方法。请指定存在的方法。",
        ),
        "generator": (
            "is a generator (its body has a yield); a hook handler returns None or a dict. Replace yield by return.",
            "是生成器（函数体含 yield）；Hook 处理器应返回 None 或字典。请用 return 代替 yield。",
        ),
        "unfillable_parameters": (
            "requires {parameters}, which {hook!r} does not pass; it passes by keyword: {allowed}. "
            "Rename the parameters, give them a default, or take **kwargs.",
            "要求参数 {parameters}，但 {hook!r} 不会传入；它以关键字传入：{allowed}。请改名、设默认值或使用 **kwargs。",
        ),
        "workflow_step": (
            "is declared as the removed component type {found!r}.{replacement_en} Use @HookHandler.",
            "声明为已移除的组件类型 {found!r}。{replacement_zh}请改用 @HookHandler。",
        ),
        "bad_component": (
            "is not a component declaration: {found}; allowed is a dict with name, type and metadata.",
            "不是组件声明：{found}；只允许含 name、type 与 metadata 的字典。",
        ),
        # What is worth a warning: the plugin loads.
        "warn_observer_on_change_only": (
            "observes {hook!r}, which is made for changes; what an observer returns is ignored.",
            "观察了用于改参的 {hook!r}；观察者的返回值会被忽略。",
        ),
        "warn_blocking_without_effect": (
            "blocks {hook!r}, which allows neither change nor abort; mode 'observe' would not hold up the bot.",
            "以阻塞模式订阅 {hook!r}，但它既不允许改参也不允许中止；改用 'observe' 不会拖慢机器人。",
        ),
        "warn_abort_on_observer": (
            "is an observer with error_policy 'abort'; an observer cannot abort, so its failures are only logged.",
            "是声明了 error_policy 'abort' 的观察者；观察者无法中止，其失败只会记入日志。",
        ),
        "warn_unknown_parameter": (
            "takes the parameters {parameters}, which {hook!r} does not pass; they keep their defaults. It passes: {allowed}.",
            "带有参数 {parameters}，但 {hook!r} 不会传入，它们将保持默认值。它传入：{allowed}。",
        ),
        "warn_order_of_unknown_hook": (
            "the settings order the handlers of {hook!r}, which is not a registered hook.{nearest_en}",
            "设置中为未注册的 Hook {hook!r} 指定了处理器顺序。{nearest_zh}",
        ),
        "warn_order_unmatched": (
            "the settings order {placement!r} on {hook!r}, where no such handler is active; active are: {known}.",
            "设置在 {hook!r} 上排序了 {placement!r}，但没有这样的活动处理器；当前活动的有：{known}。",
        ),
        # What the kernel raises.
        "hook_unknown": (
            "there is no hook {hook!r}.{nearest_en} Register its HookSpec first, or use the exact name.",
            "没有名为 {hook!r} 的 Hook。{nearest_zh}请先注册其 HookSpec，或使用确切名称。",
        ),
        "hook_duplicate": (
            "the hook {hook!r} is registered already. Choose another name.",
            "Hook {hook!r} 已注册。请换一个名称。",
        ),
        "spec_invalid": (
            "the HookSpec {hook!r} cannot be registered: {why}.",
            "HookSpec {hook!r} 无法注册：{why}。",
        ),
        "payload_invalid": (
            "the payload of {hook!r} is not what its HookSpec declares: {issues}.",
            "{hook!r} 的参数与其 HookSpec 不符：{issues}。",
        ),
        "payload_too_large": (
            "the payload of {hook!r} is too large for handlers in other processes: {issues}. "
            "Pass less, or raise max_payload_bytes in the section [hooks] of the settings.",
            "{hook!r} 的参数对其他进程中的处理器来说过大：{issues}。请减少内容，或调高设置 [hooks] 中的 max_payload_bytes。",
        ),
        "handler_unknown": (
            "plugin {plugin_id!r} has no active hook handler {handler!r}.{nearest_en} "
            "GET /plugins/runtime/hooks lists the handlers that are active.",
            "插件 {plugin_id!r} 没有活动的 Hook 处理器 {handler!r}。{nearest_zh}活动的处理器见 GET /plugins/runtime/hooks。",
        ),
        "extra_handler": (
            "{plugin_id}/{handler} was given for a call of {hook!r}, but is a handler of {handler_hook!r}. Check it for this hook.",
            "{plugin_id}/{handler} 被用于一次 {hook!r} 调用，但它是 {handler_hook!r} 的处理器。请针对此 Hook 进行校验。",
        ),
        "chain_too_deep": (
            "hooks fired hooks {depth} levels deep, and {limit} are allowed: {path}. A handler causes the hook that it handles.",
            "Hook 触发 Hook 达到 {depth} 层，上限为 {limit}：{path}。某个处理器触发了它自己所处理的 Hook。",
        ),
        "registration_refused": (
            "plugin {plugin_id!r} was not registered, {count} problem(s):",
            "插件 {plugin_id!r} 注册失败，共 {count} 个问题：",
        ),
        "did_you_mean": (" Did you mean {names}?", "您是否想用 {names}？"),
    }
)
