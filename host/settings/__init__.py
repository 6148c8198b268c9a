"""What an owner may set: one file and the environment in, typed settings or all that is wrong with them out.

sections      the settings and their defaults, a model a section
sources       the file, and the environment over it; problems with their lines and variables
keys          which keys a section may have
page          the commented file to begin with, and what counts with where it comes from
descriptions  the meaning of each setting in Chinese; the English one stands with the setting
"""

from host.settings.sections import (
    SETTINGS_FILE,
    BotSettings,
    CommandRuleSettings,
    CommandSettings,
    PersonalitySettings,
    PluginOverride,
    PluginSettings,
    Settings,
    WebSettings,
)
from host.settings.sources import SettingsError, SettingsProblem, Sources

__all__ = [
    "SETTINGS_FILE",
    "BotSettings",
    "CommandRuleSettings",
    "CommandSettings",
    "PersonalitySettings",
    "PluginOverride",
    "PluginSettings",
    "Settings",
    "SettingsError",
    "SettingsProblem",
    "Sources",
    "WebSettings",
]
