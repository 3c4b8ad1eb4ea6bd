"""Runs of a toy size, told to a server elsewhere by a sender whose clock is the test's."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from n8n_scraper.core.dossier import Planned
from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.etl.channel import EtlChannel
from n8n_scraper.etl.client import EtlClient
from n8n_scraper.etl.etl_settings import EtlSettings
from n8n_scraper.etl.telling import EtlListener
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import Closing, Inventory, Leaving, Process, State
from n8n_scraper.ledger.sql_ledger import SqlLedger
from n8n_scraper.outbox import outbox
from n8n_scraper.outbox.message import Standings
from n8n_scraper.outbox.sending import Sender, send_all
from n8n_scraper.testing.clock import MovableClock
from tests.foreign_server import ForeignServer
from tests.unit.ledger.given import NEW, process

HOUR = 3600.0
PATIENCE = 30 * 24 * HOUR


@dataclass
class Told:
    """A database whose runs are told, and who tells them."""

    database: Database
    clock: MovableClock
    sender: Sender

    def send(self) -> Standings:
        """Send what is due."""
        send_all(self.sender, self.database)
        return self.stands()

    def stands(self) -> Standings:
        return self.database.do(lambda session: outbox.standings(session, "etl", self.clock.now))

    def send_for(self, seconds: float) -> Standings:
        """Let time pass, and send whenever something may be sent."""
        end = self.clock.now + seconds
        while self.clock.now < end:
            next_in = self.send().next_in_seconds
            self.clock.move(min(end - self.clock.now, max(next_in or seconds, 0.001)))
        return self.send()


@contextmanager
def telling(database: Database, server: ForeignServer, **more: str) -> Iterator[Told]:
    """Give a sender of this database's messages, whose clock is ahead of those who write them."""
    clock = MovableClock(time.time() + 60)
    settings = EtlSettings.from_settings({**server.settings(), "ETL_TIMEOUT": "0.2", **more})
    client = EtlClient(settings)
    try:
        yield Told(
            database, clock, Sender(EtlChannel(client), lambda _session: clock.now, lambda: 0.5)
        )
    finally:
        client.close()


def crawled(
    database: Database, *ids: str, failed: tuple[str, ...] = (), me: Process | None = None
) -> str:
    """Let a run be planned, worked on and left, as a crawl does; give its id."""
    ledger = SqlLedger(database, EtlListener(PATIENCE))
    me = me or process()

    async def crawl() -> str:
        run_id = (await ledger.enter(NEW, me)).run_id
        await ledger.claim(run_id, me, 1, discover=True)
        await ledger.plan(run_id, me, [Planned(one) for one in ids], first=0)
        await ledger.end_discovery(run_id, me, Inventory(is_whole=True))
        for claim in (await ledger.claim(run_id, me, len(ids), discover=False)).claims:
            bad = claim.item_id in failed
            closing = Closing(
                claim.item_id,
                State.FAILED if bad else State.DONE,
                Outcome.FAILED if bad else Outcome.COMPLETE,
                category="timeout" if bad else None,
                reason="it took too long" if bad else None,
            )
            await ledger.close(run_id, me, claim, closing, lambda _session: ())
        await ledger.leave(run_id, me, Leaving("finished"))
        return run_id

    return asyncio.run(crawl())


def address(item_id: str) -> str:
    return f"https://n8n.io/workflows/{item_id}/"
