"""The base class of a plugin. Names imported `as` themselves are passed on, as in `maibot_sdk.config`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from inspect import isawaitable
from inspect import iscoroutinefunction as iscoroutinefunction
from typing import TYPE_CHECKING, Any, ClassVar

from maibot_sdk._dynamic_apis import DEFAULT_OFFLINE_REASON, DynamicApis
from maibot_sdk._late import late
from maibot_sdk.components import collect_components, collect_llm_providers
from maibot_sdk.config import (
    PluginConfigBase,
    build_plugin_default_config,
    extract_plugin_config_version,
    generate_plugin_config_schema,
    is_plugin_config_class,
    merge_plugin_config_data,
    validate_plugin_config,
)
from maibot_sdk.types import normalize_config_reload_subscription

if TYPE_CHECKING:
    import logging as logging

    from maibot_sdk.context import PluginContext as PluginContext
else:
    __getattr__, __dir__ = late(__name__, {"logging": ("logging",), "maibot_sdk.context": ("PluginContext",)})


class MaiBotPlugin:
    """Derive from this class, declare components on methods, and define the three life-cycle methods.

    A class that defines `__init__` calls `super().__init__()`. Context and configuration are not there yet at that
    time: they are set before `on_load` runs.
    """

    config_model: ClassVar[type[PluginConfigBase] | None] = None
    """The class of the configuration, or None for a plugin without one."""

    config_reload_subscriptions: ClassVar[Iterable[str]] = ()
    """The scopes (`bot`, `model`) whose changes `on_config_update` is told of, beside the plugin's own."""

    def __init__(self) -> None:
        self._ctx: PluginContext | None = None
        self.__config_data: dict[str, Any] = {}
        self.__config: PluginConfigBase | None = None
        self.__dynamic_apis = DynamicApis()

    async def on_load(self) -> None:
        """Called once the plugin is connected and configured, before anything of it is used.

        Raises:
            NotImplementedError: in this class.
        """
        raise NotImplementedError(_missing(self, "on_load"))

    async def on_unload(self) -> None:
        """Called before the plugin is taken down.

        Raises:
            NotImplementedError: in this class.
        """
        raise NotImplementedError(_missing(self, "on_unload"))

    async def on_config_update(self, scope: str, config_data: dict[str, Any], version: str) -> None:
        """Called after a configuration changed.

        Args:
            scope: `self` for the plugin's own configuration (already set), or a scope it subscribed to.
            config_data: the new configuration.
            version: the version of it, or an empty text.

        Raises:
            NotImplementedError: in this class.
        """
        raise NotImplementedError(_missing(self, "on_config_update"))

    @property
    def ctx(self) -> PluginContext:
        """The way to the host.

        Raises:
            RuntimeError: it is not set yet, as in `__init__`.
        """
        if self._ctx is None:
            raise RuntimeError(
                "ctx is not set yet; use it from on_load on, not in __init__ / "
                "ctx 尚未注入；请在 on_load 及之后使用，不要在 __init__ 中使用"
            )
        return self._ctx

    def _set_context(self, ctx: PluginContext) -> None:
        self._ctx = ctx

    @classmethod
    def get_config_model(cls) -> type[PluginConfigBase] | None:
        """The class of the configuration; None when `config_model` is no `PluginConfigBase` class."""
        return cls.config_model if is_plugin_config_class(cls.config_model) else None

    @classmethod
    def has_config_model(cls) -> bool:
        """Whether the plugin has a configuration class."""
        return cls.get_config_model() is not None

    @classmethod
    def build_default_config(cls) -> dict[str, Any]:
        """The default configuration, empty for a plugin without a configuration class.

        Raises:
            ValueError: a field of the configuration has no default.
        """
        model = cls.get_config_model()
        return {} if model is None else build_plugin_default_config(model)

    @classmethod
    def build_config_schema(
        cls,
        *,
        plugin_id: str = "",
        plugin_name: str = "",
        plugin_version: str = "",
        plugin_description: str = "",
        plugin_author: str = "",
    ) -> dict[str, Any]:
        """The form of the configuration for the web page, empty for a plugin without a configuration class."""
        model = cls.get_config_model()
        if model is None:
            return {}
        return generate_plugin_config_schema(
            model,
            plugin_id=plugin_id,
            plugin_name=plugin_name,
            plugin_version=plugin_version,
            plugin_description=plugin_description,
            plugin_author=plugin_author,
        )

    def get_default_config(self) -> dict[str, Any]:
        """The default configuration; what `build_default_config` says, unless a plugin overrides it."""
        return self.build_default_config()

    def get_webui_config_schema(
        self,
        *,
        plugin_id: str = "",
        plugin_name: str = "",
        plugin_version: str = "",
        plugin_description: str = "",
        plugin_author: str = "",
    ) -> dict[str, Any]:
        """The form of the configuration; what `build_config_schema` says, unless a plugin overrides it."""
        return self.build_config_schema(
            plugin_id=plugin_id,
            plugin_name=plugin_name,
            plugin_version=plugin_version,
            plugin_description=plugin_description,
            plugin_author=plugin_author,
        )

    def normalize_plugin_config(self, config_data: Mapping[str, Any] | None) -> tuple[dict[str, Any], bool]:
        """Fill up a configuration with defaults, check it and drop what the model does not know. Nothing is stored.

        Returns:
            The configuration, and whether it differs from what was given.

        Raises:
            PluginConfigVersionError: there is no `plugin.config_version`, in the defaults of the model or in the data.
            ValueError: a field of the configuration has no default.
            pydantic.ValidationError: a value is wrong.
        """
        data = dict(config_data) if isinstance(config_data, Mapping) else {}
        model = self.get_config_model()
        if model is None:
            return data, False
        defaults = build_plugin_default_config(model)
        current = data or defaults
        for versioned in (defaults, current):
            extract_plugin_config_version(versioned)
        merged, _ = merge_plugin_config_data(defaults, current)
        normalized = validate_plugin_config(model, merged).model_dump()
        return normalized, normalized != data

    def set_plugin_config(self, config: dict[str, Any]) -> None:
        """Check a configuration as `normalize_plugin_config` does and keep it; on an error the former one stays."""
        data, _ = self.normalize_plugin_config(config)
        model = self.get_config_model()
        self.__config = None if model is None else validate_plugin_config(model, data)
        self.__config_data = data

    def get_plugin_config_data(self) -> dict[str, Any]:
        """The configuration as it was set, as a dict; empty before that."""
        return dict(self.__config_data)

    @property
    def config(self) -> Any:
        """The configuration as an instance of `config_model`, the same one until it is set again.

        Raises:
            RuntimeError: there is no configuration class, or no configuration yet.
        """
        if self.get_config_model() is None:
            raise RuntimeError(
                "the plugin declares no config_model, so there is no config; use get_plugin_config_data() / "
                "插件未声明 config_model，无法使用 config；请改用 get_plugin_config_data()"
            )
        if self.__config is None:
            raise RuntimeError(
                "config is not set yet; use it from on_load on, not in __init__ / "
                "config 尚未注入；请在 on_load 及之后使用，不要在 __init__ 中使用"
            )
        return self.__config

    def get_config_reload_subscriptions(self) -> list[str]:
        """The scopes of `config_reload_subscriptions`, sorted and without repeats.

        Raises:
            TypeError: the attribute is a text, or cannot be iterated.
            ValueError: a member is no scope that can be subscribed to.
        """
        scopes = self.config_reload_subscriptions
        if isinstance(scopes, str | bytes):
            raise TypeError(
                f"config_reload_subscriptions is a list of scopes, got the text {scopes!r} / "
                f"config_reload_subscriptions 必须是范围列表，收到文本 {scopes!r}"
            )
        return sorted({normalize_config_reload_subscription(scope) for scope in scopes})

    def get_components(self) -> list[dict[str, Any]]:
        """Every component of the plugin: the declared ones, then the dynamic APIs."""
        return [*collect_components(self), *self.__dynamic_apis.components()]

    def get_llm_providers(self) -> list[dict[str, Any]]:
        """Every model provider of the plugin."""
        return collect_llm_providers(self)

    def register_dynamic_api(
        self,
        name: str,
        handler: Callable[..., Any],
        *,
        description: str = "",
        version: str = "1",
        public: bool = False,
        handler_name: str = "",
        **metadata: Any,
    ) -> dict[str, Any]:
        """Offer an API while running; `sync_dynamic_apis` tells the host.

        Args:
            name: name of the API; with the version it says which one it is, and registering it again replaces it.
            handler: called with the arguments as keywords; may be async.
            description: what it does and returns.
            version: any text; `1` when blank.
            public: whether other plugins may call it.
            handler_name: the name the host calls it by; made of name and version when not given.
            metadata: free keywords; they win over the fields above.

        Returns:
            The component as it is told to the host.

        Raises:
            ValueError: the name is blank, or a given `handler_name` is.
        """
        return self.__dynamic_apis.register(
            name,
            handler,
            description=description,
            version=version,
            public=public,
            handler_name=handler_name,
            metadata=metadata,
        )

    def unregister_dynamic_api(self, name: str, *, version: str = "1") -> bool:
        """Withdraw a dynamic API; False when there is none of that name and version."""
        return self.__dynamic_apis.unregister(name, version)

    def clear_dynamic_apis(self) -> None:
        """Withdraw all dynamic APIs."""
        self.__dynamic_apis.clear()

    def get_dynamic_api_components(self) -> list[dict[str, Any]]:
        """The dynamic APIs, in the order of their registration."""
        return self.__dynamic_apis.components()

    async def sync_dynamic_apis(self, *, offline_reason: str = DEFAULT_OFFLINE_REASON) -> bool:
        """Tell the host which dynamic APIs there are now.

        Args:
            offline_reason: what callers of those are told that are gone.

        Returns:
            Whether the host took the list over.

        Raises:
            RuntimeError: the plugin is not connected yet.
        """
        apis = self.get_dynamic_api_components()
        return await self.ctx.api.replace_dynamic_apis(apis, offline_reason=offline_reason)

    async def invoke_component(self, component_name: str, **kwargs: Any) -> Any:
        """Call the handler of a dynamic API by its handler name.

        Raises:
            AttributeError: no dynamic API has such a handler.
            Exception: whatever the handler raises.
        """
        result = self.__dynamic_apis.handler(component_name)(**kwargs)
        return await result if isawaitable(result) else result


def _missing(plugin: MaiBotPlugin, method: str) -> str:
    name = type(plugin).__name__
    return f"{name} must define `async def {method}` / {name} 必须实现 `async def {method}`"
