"""For authors: reads a plugin's source and says what is wrong with it. Needs no running host."""

from host.authoring.check import Finding, PluginReport, check_plugins

__all__ = ["Finding", "PluginReport", "check_plugins"]
