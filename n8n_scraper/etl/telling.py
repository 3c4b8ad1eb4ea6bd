"""Write down what a server elsewhere is to be told, in the transaction in which it happens.

Three kinds of messages a run, each kind waiting for the one before: that it is there, with all its
items; how each item ended; that it is over. The first is kept until it is known what there is to
do, because a run without items would be over at once to some servers.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from n8n_scraper.etl.mapping import closing_as_payload, ending_as_payload
from n8n_scraper.ledger import workers
from n8n_scraper.ledger.ledger import Closing
from n8n_scraper.outbox import outbox
from n8n_scraper.outbox.message import NewMessage
from n8n_scraper.reports.outgoing import is_worked_on, outgoing_counts, outgoing_run

CHANNEL = "etl"


class Stage(IntEnum):
    """What a message says, in the order in which it is said."""

    CREATION = 0
    ITEM = 1
    END = 2


@dataclass(frozen=True, slots=True)
class EtlListener:
    """Hears of runs and items, and writes the messages."""

    patience_seconds: float

    def begun(self, session: Any, run_id: str) -> None:
        """Write down that there is a run; one that is planned is told at once."""
        run = outgoing_run(session, run_id)
        planned = run is not None and run.is_planned
        key = creation_key(run_id)
        self._write(session, run_id, key, Stage.CREATION, {}, is_due=planned)
        if planned:
            outbox.release(session, CHANNEL, key, workers.now(session))

    def planned(self, session: Any, run_id: str) -> None:
        """Let the run be told now."""
        outbox.release(session, CHANNEL, creation_key(run_id), workers.now(session))

    def closed(self, session: Any, run_id: str, closing: Closing) -> None:
        """Write down how an item ended."""
        key = f"run/{run_id}/item/{closing.item_id}"
        self._write(session, run_id, key, Stage.ITEM, closing_as_payload(closing))

    def left(self, session: Any, run_id: str) -> None:
        """Write down that a run is over, if it is."""
        run = outgoing_run(session, run_id)
        if run is not None and run.is_over:
            payload = ending_as_payload(run, outgoing_counts(session, run_id))
            self._write(session, run_id, f"run/{run_id}/end", Stage.END, payload)
            self.planned(session, run_id)

    def _write(
        self,
        session: Any,
        run_id: str,
        key: str,
        stage: Stage,
        payload: dict[str, Any],
        *,
        is_due: bool = True,
    ) -> None:
        new = NewMessage(
            CHANNEL, key, payload, self.patience_seconds, topic=run_id, stage=stage, is_due=is_due
        )
        outbox.write(session, new, workers.now(session))


def creation_key(run_id: str) -> str:
    """Name the message that says that a run is there."""
    return f"run/{run_id}"


def release_what_was_left(session: Any) -> None:
    """Let the runs be told that died before they were planned, as far as they had come."""
    now = workers.now(session)
    for run_id in outbox.kept_back(session, CHANNEL):
        if not is_worked_on(session, run_id):
            outbox.release(session, CHANNEL, creation_key(run_id), now)
