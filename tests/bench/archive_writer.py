"""One process that stores items of a run as fast as it can, from a line of its input on.

Arguments: the database, the run, and a file with the template that all of them are like. It says
when it is ready, then how many it has stored.
"""

import sys
from functools import partial
from pathlib import Path

from sqlalchemy.orm import Session

from n8n_scraper.core.dossier import Answer
from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger import items, workers
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import Claim, Closing, State
from n8n_scraper.sources.n8n.item import Template
from tests import templates

PATIENCE_SECONDS = 60.0
AT_ONCE = 8
"""As many items as a crawl has under way."""


def store(session: Session, run_id: str, worker: str, claim: Claim, template: Template) -> None:
    """Store an item with an answer and close its line, as a crawl does: in one transaction."""
    closing = Closing(claim.item_id, State.DONE, Outcome.COMPLETE)
    assert items.close(session, run_id, worker, claim.fence, closing)
    stored = template.model_copy(update={"workflow_id": claim.item_id})
    body = stored.model_dump_json().encode()
    templates.save(session, stored, [Answer("metadata", "http://x", 200, body, "2026-01-01")])


def main() -> None:
    """Claim and store until nothing is left."""
    url, run_id, file = sys.argv[1:]
    database = Database(url, patience_seconds=PATIENCE_SECONDS)
    me = workers.this_process(PATIENCE_SECONDS)
    database.do(lambda session: workers.enter(session, run_id, me))
    template, number = Template.model_validate_json(Path(file).read_text()), 0
    claim = partial(items.claim, run_id=run_id, worker=me.name, most=AT_ONCE)
    print("ready", flush=True)
    sys.stdin.readline()
    while claims := database.do(claim):
        for one in claims:
            database.do(partial(store, run_id=run_id, worker=me.name, claim=one, template=template))
        number += len(claims)
    print(number)
    database.close()


if __name__ == "__main__":
    main()
