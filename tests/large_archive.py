"""Archives with a run of any size, written straight into the tables, for looking at the pages."""

from sqlalchemy import insert, text
from sqlalchemy.orm import Session

from n8n_scraper.ledger.batches import batched
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.tables import RunItemRow, RunRow
from tests.unit.ledger.given import NEW, enter

# How an item ended follows from its number; the odd ones are few, as in a real run.
_ENDED = """
UPDATE scrape_run_items SET
  state = CASE WHEN position % 50 = 7 THEN 'failed' WHEN position % 97 = 3 THEN 'gone'
          WHEN position % 211 = 5 THEN 'blocked' ELSE 'done' END,
  outcome = CASE WHEN position % 50 = 7 THEN 'failed' WHEN position % 97 = 3 THEN 'gone'
          WHEN position % 211 = 5 THEN 'blocked' WHEN position % 31 = 2 THEN 'partial'
          ELSE 'complete' END,
  category = CASE WHEN position % 50 = 7 THEN
          CASE position % 3 WHEN 0 THEN 'server' WHEN 1 THEN 'timeout' ELSE 'network' END END,
  reason = CASE WHEN position % 50 = 7 THEN 'status 50' || CAST(position % 4 AS text) END,
  http_status = CASE WHEN position % 50 = 7 THEN 500 + position % 4 END,
  requests = 3, attempts = 1, duration = 0.5 + (position % 1000) / 100.0,
  worker = 'box\\:' || CAST(100 + position % 8 AS text) || '\\:0000000'
          || CAST(position % 8 AS text),
  closed_at = {moment}
WHERE run_id = :run AND position < :ended
"""
_MOMENT = {
    "sqlite": "strftime('%Y-%m-%dT%H\\:%M\\:%S', 1763500000 + position * 86400 / :size,"
    " 'unixepoch') || '.000Z'",
    "postgresql": "to_char(to_timestamp(1763500000 + position * 86400 / :size) AT TIME ZONE 'UTC',"
    " 'YYYY-MM-DD\"T\"HH24\\:MI\\:SS') || '.000Z'",
}


def run_of(database: Database, size: int, *, ended: float = 0.9) -> str:
    """Enter a run of so many items, of which that part has ended over a day."""
    run_id = enter(database, NEW)
    for chunk in batched(range(size), 20_000):
        rows = [
            {
                "run_id": run_id,
                "item_id": str(number + 1),
                "position": number,
                "in_inventory": True,
                "state": "pending",
            }
            for number in chunk
        ]
        database.do(lambda session, rows=rows: session.execute(insert(RunItemRow), rows))

    def end(session: Session) -> None:
        statement = _ENDED.format(moment=_MOMENT[session.get_bind().dialect.name])
        values = {"run": run_id, "ended": int(size * ended), "size": size}
        session.execute(text(statement), values)
        run = session.get_one(RunRow, run_id)
        run.started_at = "2025-11-18T21:06:40.000Z"
        session.flush()
        # As the database does by itself some time after so many changes.
        session.execute(text("ANALYZE"))

    database.do(end)
    return run_id
