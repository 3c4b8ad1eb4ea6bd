"""Templates in a database, as a crawl with a chain of two has left them."""

from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from n8n_scraper.core.computing import compute
from n8n_scraper.ledger.database import Database
from n8n_scraper.sources.n8n.source import SOURCE
from tests import storing
from tests.unit.making import dossier, template

KIND = SOURCE.kind()
TABLE = KIND.table()


def crawl(database: Database, *ids: str, run_id: str = "run", **changes: object) -> None:
    """Store templates with their answers."""

    def store_all(session: Session) -> None:
        for one in ids:
            item = template(one, run_id, **changes)
            compute(KIND.computed, item)
            answers = list(dossier(one, **changes).answers.values())
            storing.save(session, SOURCE, item, answers)

    database.do(store_all)


def write(database: Database, item_id: str, **values: object) -> None:
    """Write into a row, as an older reader would have, or somebody else."""
    change = update(TABLE).where(TABLE.c.workflow_id == item_id).values(values)
    database.do(lambda session: session.execute(change) and None)


def rows(database: Database) -> dict[str, dict[str, Any]]:
    """Give every row by its id."""
    query = select(TABLE).order_by(TABLE.c.workflow_id)
    found = database.look(lambda session: session.execute(query).mappings().all())
    return {row["workflow_id"]: dict(row) for row in found}
