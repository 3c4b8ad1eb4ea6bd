"""Do a unit of work once, also when the connection breaks while it is being committed.

Whether a COMMIT that got no answer has gone through, only the database knows. So each transaction
begins by noting its number in the row of its writer; a repeat that finds its own number there is
not done again. A COMMIT that is still under way holds the row, and the repeat waits for it.
SQLite needs none of this: it commits in our own process.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Generic, TypeVar

from sqlalchemy import Engine, delete
from sqlalchemy.orm import Session

from n8n_scraper.core.clock import utc_now
from n8n_scraper.ledger.tables import ReceiptRow

T = TypeVar("T")
Work = Callable[[Session], T]

_KEPT_FOR = timedelta(days=1)


class Once(Generic[T]):
    """A unit of work under its number, to be called until nothing breaks any more."""

    _result: T

    def __init__(self, engine: Engine, work: Work[T], *, writer: str, number: int) -> None:
        self._engine = engine
        self._work = work
        self._writer = writer
        self._number = number

    def __call__(self) -> T:
        """Do it in one transaction, unless an earlier call was committed after all."""
        with Session(self._engine, expire_on_commit=False) as session, session.begin():
            if self._is_new(session):
                self._result = do_whole(self._work, session)
        return self._result

    def _is_new(self, session: Session) -> bool:
        if self._engine.dialect.name != "postgresql":
            return True
        from sqlalchemy.dialects.postgresql import insert

        receipt = {"number": self._number, "at": utc_now()}
        statement = insert(ReceiptRow).values(writer=self._writer, **receipt)
        statement = statement.on_conflict_do_update(
            index_elements=["writer"], set_=receipt, where=ReceiptRow.number != self._number
        )
        return session.execute(statement.returning(ReceiptRow.number)).first() is not None


def do_whole(work: Work[T], session: Session) -> T:
    """Do work so that it leaves nothing in the session, neither to be written nor to be read again.

    What shares the transaction with it sees what it has written, as if after a COMMIT of its own;
    and what it gives outlives the session, however the COMMIT ends.
    """
    result = work(session)
    session.flush()
    session.expunge_all()
    return result


def forget_old_receipts(engine: Engine) -> None:
    """Forget the writers that have written nothing for a day: they are not in doubt any more."""
    yesterday = (datetime.now(UTC) - _KEPT_FOR).isoformat()
    with engine.begin() as connection:
        connection.execute(delete(ReceiptRow).where(ReceiptRow.at < yesterday))
