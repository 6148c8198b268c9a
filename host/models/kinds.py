"""The kinds of providers that are built in. What they need is imported when one of them is first asked.

The client library of OpenAI takes most of a second to import, which would be half of what the host takes to start.
"""

import asyncio
from collections.abc import Mapping

from host.models.provider import Provider, ProviderFactory
from host.models.settings import OFFLINE_KIND, ProviderEntry


async def openai_kind(entry: ProviderEntry, key: str | None) -> Provider:
    """The provider of an OpenAI-compatible endpoint; its import and its certificates do not hold up the loop."""

    def make() -> Provider:
        from host.models.openai_provider import OpenAIProvider

        return OpenAIProvider(entry, key)

    return await asyncio.to_thread(make)


async def offline_kind(entry: ProviderEntry, key: str | None) -> Provider:
    """The built-in offline model."""
    from host.models.offline.provider import OfflineProvider

    return OfflineProvider()


BUILT_IN_KINDS: Mapping[str, ProviderFactory] = {"openai": openai_kind, OFFLINE_KIND: offline_kind}
