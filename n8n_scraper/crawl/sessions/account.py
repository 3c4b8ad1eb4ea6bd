"""The sessions that we have of an account with Browserbase, and the book that they stand in."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Mapping
from functools import cached_property, partial

from n8n_scraper.core.errors import StoreError, ToolFailed
from n8n_scraper.crawl.sessions.browserbase_api import (
    BOOK_TAG,
    LEASE_TAG,
    BrowserbaseApi,
    ProviderAway,
)
from n8n_scraper.ledger.ledger import Process
from n8n_scraper.ledger.session_book import SeenBook, SessionBooks
from n8n_scraper.ledger.workers import has_died
from n8n_scraper.policies.sessions.book import (
    LEASE_SECONDS,
    Lease,
    Limits,
    Refusal,
    SessionBook,
    Standing,
    Told,
    is_settled,
)
from n8n_scraper.policies.sessions.browserbase import Created, Refused, Unclear
from n8n_scraper.policies.sessions.session import Need

logger = logging.getLogger(__name__)

_RELEASES, _FIRST_PAUSE = 3, 0.5
"""So often a release is asked for at most, with pauses that double."""
_LOOK_EVERY_SECONDS = 5.0
"""What is in the way of a reservation is looked for no more often."""


class Account:
    """Reserves sessions, asks for them, and gives back what is over.

    Every call takes its time on the network or in the database: it is made on a thread.
    """

    def __init__(
        self,
        api: BrowserbaseApi,
        books: SessionBooks,
        limits: Limits,
        me: Process,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._api = api
        self._books = books
        self._limits = limits
        self._me = me
        self._sleep = sleep
        self._looked_at = float("-inf")

    def look(self) -> SeenBook:
        """Say how the book stands."""
        return self._books.look()

    def reserve(self) -> str | Refusal:
        """Reserve a session and give its name, or say why there is none and for how long."""
        name = secrets.token_hex(8)

        def step(book: SessionBook, now: float) -> SessionBook:
            return book.reserved(name, self._me.name, self._me.machine, now, self._limits)

        seen = self._books.change(step)
        if seen.book.of(name) is not None:
            return name
        refusal = seen.book.refusal(seen.now, self._limits)
        assert refusal is not None
        if refusal.is_full and seen.now - self._looked_at >= _LOOK_EVERY_SECONDS:
            self._looked_at = seen.now
            self._see_to_what_is_in_the_way()
        return refusal

    def create(self, name: str, need: Need, timeout_seconds: float) -> Created:
        """Ask for the reserved session, once; ToolFailed where there is none that can be used."""
        lease = self._books.change(lambda book, now: book.asked(name, now)).book.of(name)
        if lease is None or lease.standing is not Standing.RESERVED:
            raise ToolFailed("Browserbase: the reservation was lost while nothing was asked")
        said = self._api.create(need, timeout_seconds, {**self._tags, LEASE_TAG: name})
        if isinstance(said, Created):
            self._note_opened(name, said.remote)
            return said
        if isinstance(said, Refused):
            self._note_refused(name, said)
            raise ToolFailed(
                f"Browserbase: {said.words}",
                wait_seconds=said.wait_seconds,
                for_good=said.for_good,
                everywhere=True,
            )
        self._note_unclear(name, said)
        raise ToolFailed(f"Browserbase: {said.words}", everywhere=True)

    def release(self, name: str, remote: str = "", *, times: int = _RELEASES) -> bool:
        """End a session, or give back a reservation with which nothing was asked.

        False where it has to wait: the provider would not hear of it, or nobody knows its name.
        Where the book cannot be read any more, `remote` is released all the same.
        """
        try:
            lease = self._books.change(partial(_given_back, name=name)).book.of(name)
        except StoreError:
            if remote:
                self._api.release(remote)
            raise
        if lease is None or not lease.remote:
            return lease is None
        for attempt in range(times):
            try:
                self._api.release(lease.remote)
            except ProviderAway as error:
                words = str(error)
                if attempt + 1 < times:
                    self._sleep(_FIRST_PAUSE * 2**attempt)
            else:
                self._note_ended(name)
                return True
        logger.warning("the browser session %s is not released yet: %s", lease.remote, words)
        return False

    def tell(self, told: Mapping[str, Told]) -> None:
        """Say that we live, and how our sessions do."""
        self._books.change(lambda book, now: book.renewed(told, self._me.name, now))

    def reconcile(self) -> list[str]:
        """Release what lost holders have left, and what stands in no book; give their names there.

        ProviderAway where it cannot be asked.
        """
        asked_at = self._books.change(lambda book, now: book.taken_over(now, _has_died)).now
        ours = self.living()
        # Whatever was reserved before it was created is in the book by now.
        seen = self._books.look()
        released = [remote for remote, name in ours.items() if self._is_to_end(seen, name)]
        for remote in released:
            self._api.release(remote)
        for lease in seen.book.to_be_seen_to():
            self._settle(lease, asked_at, is_living=lease.name in ours.values())
        return released

    def living(self) -> Mapping[str, str]:
        """Give the sessions of our book that run there, each with its name in the book."""
        mine = self._tags[BOOK_TAG]
        return {
            remote: tags.get(LEASE_TAG, "")
            for remote, tags in self._api.living().items()
            if tags.get(BOOK_TAG) == mine
        }

    def end(self, remote: str) -> None:
        """Release one session by its name there; ProviderAway where that fails."""
        self._api.release(remote)
        for lease in self._books.look().book.leases:
            if lease.remote == remote:
                self._note_ended(lease.name)

    @cached_property
    def _tags(self) -> Mapping[str, str]:
        return {"by": "n8n-scraper", BOOK_TAG: self._books.look().tag}

    def _is_to_end(self, seen: SeenBook, name: str) -> bool:
        lease = seen.book.of(name)
        return lease is None or lease in seen.book.to_be_seen_to()

    def _settle(self, lease: Lease, asked_at: float, *, is_living: bool) -> None:
        """Strike out what is over; what was not to be seen was not to be seen at that time."""
        if lease.standing is Standing.ENDING and not is_living:
            self._api.release(lease.remote)
        if is_living or lease.standing is Standing.ENDING or is_settled(lease, asked_at):
            self._note_ended(lease.name)

    def _see_to_what_is_in_the_way(self) -> None:
        seen = self._books.change(lambda book, now: book.taken_over(now, _has_died))
        if seen.book.to_be_seen_to():
            try:
                self.reconcile()
            except ProviderAway as error:
                logger.warning("browser sessions cannot be looked for: %s", error)

    def _note_opened(self, name: str, remote: str) -> None:
        try:
            self._books.change(lambda book, now: book.opened(name, remote, now))
        except BaseException:
            self._api.release(remote)
            raise

    def _note_refused(self, name: str, said: Refused) -> None:
        def step(book: SessionBook, now: float) -> SessionBook:
            left = book.ended(name, now)
            return left.held(now + said.wait_seconds) if said.wait_seconds else left

        self._books.change(step)

    def _note_unclear(self, name: str, said: Unclear) -> None:
        """Look for it at once; where it is not to be seen yet, it stays in the book."""
        if said.remote:
            self._note_opened(name, said.remote)
            self.release(name)
            return
        self._books.change(lambda book, now: book.doubted(name, now))
        try:
            self.reconcile()
        except ProviderAway as error:
            logger.warning("a browser session may have been created: %s", error)

    def _note_ended(self, name: str) -> None:
        self._books.change(lambda book, now: book.ended(name, now))


def _given_back(book: SessionBook, now: float, *, name: str) -> SessionBook:
    lease = book.of(name)
    if lease is not None and lease.remote:
        return book.ending(name, now)
    is_unused = lease is not None and lease.standing is Standing.RESERVED
    return book.unused(name) if is_unused else book


def is_lost(lease: Lease, now: float) -> bool:
    """Whether the holder of a session is gone, or silent for too long."""
    return now - lease.seen_at > LEASE_SECONDS or _has_died(lease)


def _has_died(lease: Lease) -> bool:
    return has_died(Process(lease.owner, lease.machine, 0.0))
