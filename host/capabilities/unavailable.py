"""What plugins of other hosts can ask for and this one cannot do: known all the same, and answered."""

from collections.abc import Mapping

from host.capabilities.capability import Answer, Capability
from host.capabilities.errors import RefusalError
from host.runtime import Plugin
from host.runtime.manifests.capability_names import CAPABILITY_NAMES


def _unavailable(name: str) -> Capability:
    async def call(plugin: Plugin, given: Mapping[str, object]) -> Answer:
        return RefusalError("unavailable", capability=name).answer()

    return Capability(name, call, available=False)


UNAVAILABLE = tuple(map(_unavailable, sorted(CAPABILITY_NAMES)))
"""Every capability, until somebody offers it."""
