"""How the ledger's work grows with the number of items: `make bench`."""

import math
import time
from collections.abc import Callable
from functools import partial

import pytest
from sqlalchemy.orm import Session

from n8n_scraper.core.dossier import Planned
from n8n_scraper.core.item import Outcome
from n8n_scraper.ledger import items, runs, workers
from n8n_scraper.ledger.batches import batched
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import Claim, Closing, NewRun, Process, State
from n8n_scraper.ledger.noted import note
from n8n_scraper.reports.runs import run_report

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]

SIZES = (1_000, 100_000, 1_000_000)
ROUNDS = 200


def test_claiming_and_closing_stay_flat(database: Database) -> None:
    measured = {size: measure(database, size) for size in SIZES}

    growth = math.log(SIZES[-1]) / math.log(SIZES[0])
    for small, large in zip(measured[SIZES[0]], measured[SIZES[-1]], strict=True):
        assert large <= 1.5 * growth * small


def measure(database: Database, size: int) -> tuple[float, float, float]:
    """Give the seconds of a claim, a closing and a look at the status, half of the run done."""
    me = Process(f"bench:{size}:x", "bench", 3600.0)
    run_id = database.do(lambda session: entered(session, me))
    everything = (Planned(str(number), listing={"slug": "a-slug"}) for number in range(1, size + 1))
    planned = 0
    for chunk in batched(everything, 50_000):
        planned += database.do(partial(items.plan, run_id=run_id, entries=chunk, first=planned))
    half_done(database, run_id, size)
    database.do(lambda session: runs.note_discovery(session, run_id))
    taken: list[Claim] = []

    def claim_two(session: Session) -> None:
        workers.renew(session, run_id, me)
        taken.extend(items.claim(session, run_id, me.name, 2))

    def close_one(session: Session) -> None:
        one = taken.pop()
        closing = Closing(one.item_id, State.DONE, Outcome.COMPLETE)
        assert items.close(session, run_id, me.name, one.fence, closing)

    claim = median(lambda: database.do(claim_two))
    close = median(lambda: database.do(close_one))
    # A crawl under way notes its counts every few seconds, and status reads them.
    database.do(lambda session: note(session, run_id, me.name, {}))
    status = median(lambda: run_report(database, run_id))
    name = database.engine.dialect.name
    print(
        f"\n{name}, {size:>9,} items: claim {1000 * claim:.2f} ms, close {1000 * close:.2f} ms, "
        f"status {1000 * status:.2f} ms"
    )
    return claim, close, status


def entered(session: Session, me: Process) -> str:
    """Enter a run with one worker."""
    run_id = runs.enter(session, NewRun("s", "s", "s", {}, {}, {}, "scrapy crawl workflows"))
    workers.enter(session, run_id, me)
    return run_id


def half_done(database: Database, run_id: str, size: int) -> None:
    """Close the first half of the items, as in the middle of a crawl."""
    from sqlalchemy import update

    from n8n_scraper.ledger.tables import RunItemRow

    database.do(
        lambda session: session.execute(
            update(RunItemRow)
            .where(RunItemRow.run_id == run_id, RunItemRow.position < size // 2)
            .values(state=State.DONE, outcome=Outcome.COMPLETE)
        )
    )


def median(action: Callable[[], object]) -> float:
    """Give the median seconds of some hundred rounds."""
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        action()
        times.append(time.perf_counter() - began)
    return sorted(times)[len(times) // 2]
