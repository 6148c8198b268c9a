"""What an owner may set, and where it is read from."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from host.bot import (
    AnsweringSettings,
    CommandPolicy,
    CommandRule,
    EmojiSettings,
    SplittingSettings,
    TurnSettings,
)
from host.bub.settings import BubSettings
from host.capabilities import RenderSettings
from host.hooks import HookSettings
from host.models.settings import ModelSettings
from host.runtime.code import Isolation
from host.runtime.manifests.versions import MAIBOT_RELEASE, HostVersions, Release
from host.runtime.runners.settings import RunnerSettings
from host.settings.sources import SettingsError, Sources

SETTINGS_FILE = Path("host.toml")
"""Read from the working directory when nothing else is said and it is there."""


class _Section(BaseModel):
    # What was found may be a secret.
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class BotSettings(_Section):
    """The section ``[bot]``: who the bot is."""

    nickname: str = Field(
        "麦麦", min_length=1, description="What the bot is called; a message that names it addresses it."
    )
    aliases: tuple[str, ...] = Field((), description="Other names that it listens to.")
    account_id: str = Field("maibot", min_length=1, description="Its user id where a message does not say the account.")


class PersonalitySettings(_Section):
    """The section ``[personality]``: what the bot is like. Plugins read it by ``config.get`` under the same names."""

    personality: str = Field("", description="What the bot is like; its models are told.")
    reply_style: str = Field("", description="How the bot speaks; the model that words its replies is told.")


class CommandRuleSettings(_Section):
    """Who else may call one command for operators: the section ``[commands.rules."<plugin id>.<command>"]``."""

    allow_users: tuple[str, ...] = Field((), description="Users, as <platform>:<user id>.")
    allow_chats: tuple[str, ...] = Field((), description="Session ids of chats in which everybody may call it.")


class CommandSettings(_Section):
    """The section ``[commands]``: who may call which commands of plugins."""

    operators: tuple[str, ...] = Field((), description="Who may call all commands, as <platform>:<user id>.")
    silent_denial: bool = Field(False, description="Tell nobody that a command is not for them.")
    disabled: tuple[str, ...] = Field((), description="Commands that are switched off, as <plugin id>.<command>.")
    rules: dict[str, CommandRuleSettings] = Field(
        default_factory=dict, description="Who else may call single commands for operators."
    )

    def policy(self) -> CommandPolicy:
        """The rules as the bot goes by them."""
        rules = {name: CommandRule(each.allow_users, each.allow_chats) for name, each in self.rules.items()}
        return CommandPolicy(operators=self.operators, rules=rules, disabled=self.disabled, silent=self.silent_denial)


class WebSettings(_Section):
    """The section ``[web]``: where the web interface listens."""

    host: str = Field("127.0.0.1", description="Address to listen on.")
    port: int = Field(8001, ge=0, le=65_535, description="Port to listen on; 0 takes any free one.")
    allowed_hosts: tuple[str, ...] = Field((), description="Further host names that the server goes by.")


def _is_release(text: str) -> str:
    Release.of(text)
    return text


class PluginOverride(_Section):
    """What an owner sets about one plugin: the section ``[plugins."its.id"]``."""

    isolation: Isolation | None = Field(None, description="Where it runs: in a process of its own, or inline.")
    memory_limit_mb: int | None = Field(
        None, ge=1, description="How many MiB of its own memory its process may use; by default that of [runners]."
    )


class PluginSettings(_Section):
    """The section ``[plugins]``: what holds for all plugins. Any further key is the id of one: a `PluginOverride`."""

    model_config = ConfigDict(frozen=True, extra="allow")
    __pydantic_extra__: dict[str, PluginOverride]

    maibot_version: Annotated[str, AfterValidator(_is_release)] = Field(
        str(MAIBOT_RELEASE), description="The MaiBot release that manifests' host_application is measured against."
    )
    strict_versions: bool = Field(False, description="Refuse plugins that were made for older releases only.")
    lifecycle_seconds: float = Field(
        30.0, gt=0, le=600, description="How long on_load, on_unload and on_config_update of a plugin may take."
    )
    isolation: Isolation = Field(
        "process", description="Where third-party plugins run: each in a process of its own, or inline, in the host's."
    )

    @property
    def overrides(self) -> Mapping[str, PluginOverride]:
        """What is set about single plugins, by id."""
        return self.__pydantic_extra__

    def isolations(self) -> dict[str, Isolation]:
        """Where single plugins run, by id."""
        return {plugin_id: each.isolation for plugin_id, each in self.overrides.items() if each.isolation is not None}

    def memory_limit_mb(self, plugin_id: str) -> int | None:
        """What is set about the memory of one plugin's process."""
        override = self.overrides.get(plugin_id)
        return None if override is None else override.memory_limit_mb

    def versions(self) -> HostVersions:
        """The releases that plugins' demands are measured against."""
        return HostVersions(host=Release.of(self.maibot_version), strict=self.strict_versions)


class Settings(_Section):
    """Everything an owner may set; every setting has a default."""

    data_dir: Path = Field(Path("data"), description="Where the token and the plugins' data lie.")
    plugin_dirs: tuple[Path, ...] = Field((), description="Folders of third-party plugins.")
    bundled_plugins: bool = Field(True, description="Whether the plugins that come with the host are loaded.")
    language: Literal["auto", "en", "zh"] = Field("auto", description="Of texts for people; auto asks the environment.")
    hooks: HookSettings = Field(default_factory=HookSettings)
    plugins: PluginSettings = Field(default_factory=PluginSettings)
    runners: RunnerSettings = Field(default_factory=RunnerSettings)
    bot: BotSettings = Field(default_factory=BotSettings)
    personality: PersonalitySettings = Field(default_factory=PersonalitySettings)
    commands: CommandSettings = Field(default_factory=CommandSettings)
    turns: TurnSettings = Field(default_factory=TurnSettings)
    answering: AnsweringSettings = Field(default_factory=AnsweringSettings)
    splitting: SplittingSettings = Field(default_factory=SplittingSettings)
    emoji: EmojiSettings = Field(default_factory=EmojiSettings)
    render: RenderSettings = Field(default_factory=RenderSettings)
    web: WebSettings = Field(default_factory=WebSettings)
    models: ModelSettings = Field(default_factory=ModelSettings)
    bub: BubSettings = Field(default_factory=BubSettings)

    @classmethod
    def load(cls, path: Path | None, environ: Mapping[str, str] | None = None) -> Self:
        """The settings in a TOML file, and those of the environment over it.

        Relative paths in them are taken from the working directory.

        Args:
            path: the file; None for none.
            environ: the environment, whose variables that begin with ``MAIBOT_HOST__`` are settings; None for none.

        Raises:
            SettingsError: the file cannot be read or is no TOML, or there are unknown or wrong settings; all of them
                are told.
        """
        return cls.of(Sources.read(path, environ or {}))

    @classmethod
    def of(cls, sources: Sources) -> Self:
        """The settings that sources give. Raises `SettingsError` as `load` does."""
        try:
            return cls.model_validate(sources.data)
        except ValidationError as error:
            raise SettingsError(sources.problems(error, cls)) from error
