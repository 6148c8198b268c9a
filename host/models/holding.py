"""Providers in use: made when first asked, followed as the settings change, closed when no call needs them."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from host.models.errors import KindTakenError, ProviderError
from host.models.provider import Provider, ProviderFactory
from host.models.settings import ProviderEntry


class HeldProvider:
    """The provider of one entry of the settings.

    Args:
        entry: of the settings.
        factories: by kind; looked up when the provider is made, since plugins come and go.
        environ: where keys may stand.
    """

    def __init__(
        self, entry: ProviderEntry, factories: Mapping[str, ProviderFactory], environ: Mapping[str, str]
    ) -> None:
        self.entry = entry
        self._factories = factories
        self._environ = environ
        self._making = asyncio.Lock()
        self._made: Provider | None = None
        self._calls = 0
        self._unused = asyncio.Event()
        self._unused.set()

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Keep the provider open until the block ends."""
        self._calls += 1
        self._unused.clear()
        try:
            yield
        finally:
            self._calls -= 1
            if not self._calls:
                self._unused.set()

    async def get(self) -> Provider:
        """The provider.

        Raises:
            ProviderError: there is no key, or nobody provides the kind.
        """
        async with self._making:
            if self._made is None:
                self._made = await self._factory()(self.entry, self._key())
            return self._made

    async def leave(self) -> None:
        """Close the provider when no call holds it any more."""
        await self._unused.wait()
        if self._made is not None:
            await self._made.aclose()

    def _factory(self) -> ProviderFactory:
        try:
            return self._factories[self.entry.kind]
        except KeyError:
            known = ", ".join(sorted(self._factories))
            raise ProviderError("no_kind", f"kind {self.entry.kind!r}; there are {known}") from None

    def _key(self) -> str | None:
        try:
            return self.entry.key(self._environ)
        except KeyError:
            names = f"{self.entry.api_key_env} or {self.entry.key_variable}"
            raise ProviderError("no_key", f"set the environment variable {names}") from None


class Roster:
    """The providers of the settings in force, by name.

    Args:
        factories: makers of the built-in kinds.
        environ: where keys may stand.
    """

    def __init__(self, factories: Mapping[str, ProviderFactory], environ: Mapping[str, str]) -> None:
        self._factories = dict(factories)
        self._environ = environ
        self._held: dict[str, HeldProvider] = {}
        self._leaving: set[asyncio.Task[None]] = set()

    def __getitem__(self, name: str) -> HeldProvider:
        return self._held[name]

    def follow(self, entries: Sequence[ProviderEntry]) -> None:
        """Take over the entries of changed settings. One that did not change keeps its provider."""
        before, self._held = self._held, {}
        for entry in entries:
            held = before.get(entry.name)
            if held is not None and held.entry == entry:
                self._held[entry.name] = before.pop(entry.name)
            else:
                self._held[entry.name] = self._hold(entry)
        self._let_go(before.values())

    def provide(self, kind: str, factory: ProviderFactory) -> Callable[[], None]:
        """Add a kind; returns the undo.

        Raises:
            KindTakenError: the kind is provided already.
        """
        if kind in self._factories:
            raise KindTakenError(kind)
        self._factories[kind] = factory

        def withdraw() -> None:
            if self._factories.get(kind) is factory:
                del self._factories[kind]
                self._renew(kind)

        return withdraw

    async def aclose(self) -> None:
        """Close every provider, each when no call holds it any more."""
        before, self._held = self._held, {}
        self._let_go(before.values())
        await asyncio.gather(*self._leaving)

    def _hold(self, entry: ProviderEntry) -> HeldProvider:
        return HeldProvider(entry, self._factories, self._environ)

    def _renew(self, kind: str) -> None:
        gone = [held for held in self._held.values() if held.entry.kind == kind]
        self._held.update({held.entry.name: self._hold(held.entry) for held in gone})
        self._let_go(gone)

    def _let_go(self, gone: Iterable[HeldProvider]) -> None:
        for held in gone:
            leaving = asyncio.get_running_loop().create_task(held.leave(), name=f"close {held.entry.name}")
            self._leaving.add(leaving)
            leaving.add_done_callback(self._leaving.discard)
