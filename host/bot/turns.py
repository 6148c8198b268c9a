"""The order of turns: whose message has its turn when, chat by chat."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar, Token
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal

from loguru import logger
from pydantic import BaseModel, ConfigDict, Field

from host.bot.message import SessionMessage

WhenBusy = Literal["follow_up", "drop", "parallel", "steer"]


class TurnSettings(BaseModel):
    """The section ``[turns]``: what a message does while the bot is busy with an earlier one of its chat."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    when_busy: WhenBusy = Field(
        "follow_up",
        description="A message that comes during a turn of its chat has its own after it (follow_up), "
        "has none (drop), has its own at once (parallel), or is seen by the planner that is at work (steer).",
    )
    max_waiting: int = Field(50, ge=1, le=10_000, description="How many messages of one chat may wait for their turns.")
    when_full: Literal["drop_oldest", "drop_newest"] = Field(
        "drop_oldest", description="Which message has no turn when one more comes."
    )
    receive_seconds: float = Field(
        10.0, ge=0, le=600, description="How long later messages of a chat wait for one that plugins still receive."
    )


class Without(Enum):
    """Why a message has no turn of its own."""

    JOINED = "joined"
    """It was seen by the turn that was under way."""
    BUSY = "busy"
    """A turn was under way, and the settings drop what comes meanwhile."""
    FULL = "full"
    """Too many others wait."""


@dataclass(eq=False, slots=True)
class Place:
    """A message's place in the order of its chat.

    Attributes:
        session_id: the chat.
        owed: an earlier run of the program received the message: it always waits, and is never dropped.
        expires: until when later messages wait while this one is in its receive hooks, in seconds of the loop's clock.
        message: as its receive hooks left it; None before.
        joins: it may join the turn that is under way.
        when_busy: what was decided about this message alone; None leaves it to the settings.
        ready: it waits for nothing but its turn.
        decided: what it comes to.
    """

    session_id: str
    owed: bool
    expires: float
    message: SessionMessage | None = None
    joins: bool = False
    when_busy: WhenBusy | None = None
    ready: bool = False
    decided: asyncio.Future["Turn | Without"] = field(default_factory=asyncio.Future)

    @property
    def turn(self) -> "Turn | None":
        """The turn that it led to, if any."""
        decided = self.decided
        taken = decided.result() if decided.done() and not decided.cancelled() else None
        return taken if isinstance(taken, Turn) else None


@dataclass(eq=False, slots=True)
class Turn:
    """A turn that is under way.

    Attributes:
        more: is set when something more is said in the chat which this turn will not see, or may let join.
    """

    more: asyncio.Event
    _chat: "_Chat"
    _steered: bool
    _joined: list[Place] = field(default_factory=list)
    _outer: Token["Turn | None"] | None = None
    ended: bool = False

    def join(self) -> list[SessionMessage]:
        """Take in what waits, in order, up to the first that has to have a turn of its own; nothing unless steered."""
        places = self._chat.waiting
        joined: list[SessionMessage] = []
        while self.can_join:
            place = places.pop(0)
            self._joined.append(place)
            if place.message is not None:
                joined.append(place.message)
        if not any(place.ready for place in places):
            self.more.clear()
        return joined

    @property
    def can_join(self) -> bool:
        """Whether something waits that `join` takes in."""
        first = next(iter(self._chat.waiting), None)
        if first is None or not (first.ready and first.joins):
            return False
        return self._steered if first.when_busy is None else first.when_busy == "steer"

    @property
    def waiting(self) -> int:
        """How many messages of the chat have their turns later, or may join this one."""
        return len(self._chat.waiting)

    def shown(self, history: Sequence[SessionMessage]) -> Sequence[SessionMessage]:
        """A history without the messages that have their turns later, or join this one later."""
        later = {_key(place.message) for place in self._chat.waiting if place.message is not None}
        return [message for message in history if _key(message) not in later] if later else history

    def _begin(self) -> None:
        self._outer = _inside.set(self)

    def _end(self, *, failed: bool) -> None:
        """What joined a turn that failed has one of its own after all."""
        self.ended = True
        if self._outer is not None:
            _inside.reset(self._outer)
        self._chat.running.remove(self)
        if failed:
            self._chat.waiting[:0] = [place for place in self._joined if not place.decided.cancelled()]
        else:
            for place in self._joined:
                _decide(place, Without.JOINED)


@dataclass(eq=False, slots=True)
class _Chat:
    """What is under way in one chat."""

    waiting: list[Place] = field(default_factory=list)
    running: list[Turn] = field(default_factory=list)
    timer: asyncio.TimerHandle | None = None


_inside: ContextVar[Turn | None] = ContextVar("turn", default=None)
"""The turn that this task does something for."""


class Turns:
    """Gives messages their turns: those of one chat one after another, those of different chats side by side.

    **The order is that in which messages came in.** A message takes its place before anything of a plugin runs on it
    (`place`). Its receive hooks wait for nobody: those of any number of messages of a chat run at the same time, so a
    plugin may park one until later ones arrive, and stop these. A message that is stopped gives its place away.
    One whose hooks are done (`received`) waits for its turn (`take`) until the turns of all before it have
    ended, also of those that are still in their hooks; but for each of these no longer than `receive_seconds` from
    its coming in. After that it is passed by, and takes a new place at the end once its hooks are done. So no parked
    message holds up its chat for longer, and nothing waits in a circle.

    What the receive hooks of a message make another chat of moves to the end of that chat.

    A message that a handler makes the bot receive while a turn waits for that handler has its turn at once, since that
    turn could never end before.

    A chat in which nothing is under way leaves nothing behind. All of it happens in one event loop.

    Args:
        settings: the rules; they may be replaced at any time, for what comes then.

    Attributes:
        settings: as given.
        dropped: how many messages had no turn, by reason, since the start.
    """

    def __init__(self, settings: TurnSettings | None = None) -> None:
        self.settings = settings or TurnSettings()
        self.dropped: Counter[Without] = Counter()
        self._chats: dict[str, _Chat] = {}

    @property
    def busy(self) -> int:
        """In how many chats something is under way."""
        return len(self._chats)

    @property
    def waiting(self) -> int:
        """How many messages wait for nothing but their turns, in all chats."""
        return sum(place.ready for chat in self._chats.values() for place in chat.waiting)

    def in_chat(self, session_id: str) -> tuple[int, int]:
        """How many turns are under way in a chat, and how many messages wait for nothing but theirs."""
        chat = self._chats.get(session_id)
        return (len(chat.running), sum(place.ready for place in chat.waiting)) if chat else (0, 0)

    @contextmanager
    def place(self, session_id: str, *, owed: bool = False) -> Iterator[Place]:
        """The next place in a chat, for a message that came in; given away, and its turn ended, with the context.

        Args:
            session_id: the chat.
            owed: an earlier run of the program received it.
        """
        expires = asyncio.get_running_loop().time() + self.settings.receive_seconds
        place = Place(session_id, owed, expires)
        self._chat(session_id).waiting.append(place)
        failed = True
        try:
            yield place
            failed = False
        finally:
            if place.turn is not None:
                place.turn._end(failed=failed)
            self._leave(place)

    def received(self, place: Place, message: SessionMessage, *, joins: bool) -> None:
        """The receive hooks of a message are done. To be said before the message is stored as part of its chat.

        Args:
            place: its place.
            message: as the hooks left it.
            joins: whether it may join a turn that is under way, where the settings want that.
        """
        chat = self._chats.get(place.session_id)
        if message.session_id != place.session_id or chat is None or place not in chat.waiting:
            self._leave(place)
            place.session_id = message.session_id
            self._chat(place.session_id).waiting.append(place)
        place.message, place.joins = message, joins

    async def take(self, place: Place) -> Turn | Without:
        """Wait for a message's turn, which lasts until its place is given away.

        Args:
            place: its place.

        Returns:
            The turn, or why it has none.
        """
        place.ready = True
        self._decide(place, self._chats[place.session_id])
        taken = await place.decided
        if isinstance(taken, Turn):
            taken._begin()
        return taken

    def _leave(self, place: Place) -> None:
        chat = self._chats.get(place.session_id)
        if chat is None:
            return
        for places in (chat.waiting, *(turn._joined for turn in chat.running)):
            if place in places:
                places.remove(place)
        self._advance(place.session_id, chat)

    def _chat(self, session_id: str) -> _Chat:
        return self._chats.setdefault(session_id, _Chat())

    def _decide(self, place: Place, chat: _Chat) -> None:
        """What becomes of a message whose hooks are done: a turn now or later, or none."""
        mode = place.when_busy or self.settings.when_busy
        within = _inside.get()
        if (mode == "parallel" and not place.owed) or (within is not None and not within.ended):
            self._start(place, chat)
        elif mode == "drop" and chat.running and not place.owed:
            self._drop(place, chat, Without.BUSY)
        else:
            self._bound(place, chat)
        if not place.decided.done() or mode == "parallel":
            for turn in chat.running:
                if turn is not place.turn:
                    turn.more.set()
        self._advance(place.session_id, chat)

    def _bound(self, place: Place, chat: _Chat) -> None:
        waiting = [each for each in chat.waiting if each.ready and not each.owed]
        if len(waiting) > self.settings.max_waiting:
            self._drop(waiting[0] if self.settings.when_full == "drop_oldest" else place, chat, Without.FULL)

    def _drop(self, place: Place, chat: _Chat, why: Without) -> None:
        chat.waiting.remove(place)
        self.dropped[why] += 1
        level = "WARNING" if why is Without.FULL else "INFO"
        logger.log(level, "A message in {} has no turn: {}, {} so far", place.session_id, why.value, self.dropped[why])
        _decide(place, why)

    def _advance(self, session_id: str, chat: _Chat) -> None:
        """Start the next turn of a chat where there is one to start, and forget the chat where nothing is left."""
        if chat.timer is not None:
            chat.timer.cancel()
            chat.timer = None
        while not chat.running and any(place.ready for place in chat.waiting):
            first = chat.waiting[0]
            loop = asyncio.get_running_loop()
            if first.ready:
                self._start(first, chat)
            elif loop.time() < first.expires:
                chat.timer = loop.call_at(first.expires, self._advance, session_id, chat)
                return
            else:
                del chat.waiting[0]
        if chat.running and self.settings.when_busy == "drop":
            for place in [each for each in chat.waiting if each.ready and not each.owed and each.when_busy is None]:
                self._drop(place, chat, Without.BUSY)
        if not chat.running and not chat.waiting and self._chats.get(session_id) is chat:
            del self._chats[session_id]

    def _start(self, place: Place, chat: _Chat) -> None:
        chat.waiting.remove(place)
        more = asyncio.Event()
        if any(each.ready for each in chat.waiting):
            more.set()
        turn = Turn(more, chat, self.settings.when_busy == "steer")
        chat.running.append(turn)
        _decide(place, turn)


def _decide(place: Place, what: Turn | Without) -> None:
    """Where whoever waits was cancelled at the same moment, nobody is there to be told."""
    if not place.decided.done():
        place.decided.set_result(what)


def _key(message: SessionMessage) -> tuple[str, float, str]:
    """What a message is known by in the history, from which the bytes of its pictures are gone."""
    return message.message_id, message.timestamp, message.user_info.user_id
