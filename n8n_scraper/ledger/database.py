"""Open a database, and run work in it, one transaction at a time, outside the event loop."""

from __future__ import annotations

import asyncio
import logging
import secrets
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.orm import Session

from n8n_scraper.core.errors import NoArchive, StoreLost
from n8n_scraper.core.packing import to_json
from n8n_scraper.ledger.address import found_at, parse_url
from n8n_scraper.ledger.bounded import Bound
from n8n_scraper.ledger.once import Once, Work, do_whole, forget_old_receipts
from n8n_scraper.ledger.read_only import ReadOnlyArchive, may_be_written
from n8n_scraper.ledger.schema import check, upgrade
from n8n_scraper.policies.failure.store_failure import may_come_back

T = TypeVar("T")

LOCK_PATIENCE_SECONDS = 30
"""How long somebody else's lock is waited for."""

_POSTGRES_CONNECTION = {
    "connect_timeout": 10,
    "options": f"-c lock_timeout={LOCK_PATIENCE_SECONDS}s -c statement_timeout=120s",
    # A network that swallows everything is noticed within half a minute, not within two hours.
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 25_000,
}


class Database:
    """A database with one thread of its own that writes, so that the crawl never waits for it."""

    def __init__(
        self, url: str, *, patience_seconds: float = 20.0, look_seconds: float | None = None
    ) -> None:
        self.url = parse_url(url)
        self.patience_seconds = patience_seconds
        self._bound = None if look_seconds is None else Bound(look_seconds)
        self._is_open = False
        self._writer = secrets.token_hex(8)
        self._works = 0
        self._turn = threading.RLock()
        self._line: deque[_Waiting] = deque()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="database")

    @property
    def name(self) -> str:
        """The address as it may be shown: without its password."""
        plain = self.url.set(drivername=self.url.get_backend_name())
        return plain.render_as_string(hide_password=True)

    @property
    def longest_wait_seconds(self) -> float:
        """For how long a process may have to wait here."""
        return max(self.patience_seconds, LOCK_PATIENCE_SECONDS)

    @property
    def may_be_written(self) -> bool:
        """Whether this process may write it at all."""
        return self._read_only is None

    def open(self) -> None:
        """Connect, and bring the tables to the newest shape."""
        if not self._is_open:
            self._guarded(lambda: upgrade(self.engine))
            self._guarded(lambda: forget_old_receipts(self.engine))
            self._is_open = True

    @cached_property
    def engine(self) -> Engine:
        """SQLAlchemy's engine; it connects at its first use."""
        return _engine(self.url)

    def close(self) -> None:
        """Let the last transaction end, then disconnect."""
        self._thread.shutdown(wait=True)
        for name in ("engine", "_reading"):
            if engine := self.__dict__.get(name):  # it was connected
                engine.dispose()

    def do(self, work: Work[T]) -> T:
        """Run work in one transaction, here and now; the first call opens the database."""
        self.open()
        with self._turn:
            self._works += 1
            return self._guarded(Once(self.engine, work, writer=self._writer, number=self._works))

    def patiently(self, action: Callable[[], T]) -> T:
        """Do what may be done twice, and again where a lost connection or a lock has broken it."""
        self.open()
        return self._guarded(action)

    def look(self, work: Work[T]) -> T:
        """Run work that only reads: it waits for nobody who writes, and nobody waits for it.

        Nothing comes into being by it, and older tables stay as they are: who looks is told.
        Where looks are bounded in time, one that takes longer raises TookTooLong.
        """
        self._recognise()
        return self._guarded(lambda: self._read(work))

    def stop_looking(self) -> None:
        """Break off the looks under way that are bounded in time; there are no further ones."""
        if self._bound is not None:
            self._bound.is_over = True

    async def run(self, work: Work[T]) -> T:
        """Run work in one transaction on the database's own thread.

        What comes while that is busy shares the next transaction, and with it the cost of its
        COMMIT; when one of them fails, each is done again by itself, so that it fails alone.
        """
        waiting = _Waiting(work)
        self._line.append(waiting)
        if len(self._line) == 1:  # else the thread was called by what stands before it
            self._call_the_thread()
        result: T = await waiting.ended
        return result

    def _call_the_thread(self) -> None:
        try:
            self._thread.submit(self._serve_all)
        except RuntimeError:  # it has ended: nobody is to wait behind this
            self._line.clear()
            raise

    def _serve_all(self) -> None:
        while together := [self._line.popleft() for _ in range(len(self._line))]:
            self._serve(together)

    def _serve(self, together: Sequence[_Waiting]) -> None:
        try:
            results = self.do(lambda session: [do_whole(one.work, session) for one in together])
        except Exception as error:  # noqa: BLE001 - it is for who waits
            self._fail(together, error)
        else:
            _tell((one, result, None) for one, result in zip(together, results, strict=True))

    def _fail(self, together: Sequence[_Waiting], error: Exception) -> None:
        if len(together) == 1 or _is_the_databases(error):
            _tell((one, None, error) for one in together)
        else:  # whose it was shows when each is alone
            for one in together:
                self._serve([one])

    def _recognise(self) -> None:
        if self._is_open:
            return
        if not found_at(self.url):
            raise NoArchive
        self._guarded(lambda: self._settled(lambda: check(self._reading)))
        self._is_open = True

    @cached_property
    def _read_only(self) -> ReadOnlyArchive | None:
        if self.url.get_backend_name() != "sqlite":
            return None
        path = Path(str(self.url.database))
        return None if may_be_written(path) else ReadOnlyArchive(path)

    @cached_property
    def _reading(self) -> Engine:
        if self._read_only is not None:
            return _unmoved_by_ctrl_c(self._read_only.engine(self.url))
        return self.engine.execution_options(only_reads=True)

    def _read(self, work: Work[T]) -> T:
        def read() -> T:
            with Session(self._reading, expire_on_commit=False) as session, session.begin():
                if self._bound is None:
                    return work(session)
                with self._bound.on(session):
                    return work(session)

        return self._settled(read)

    def _settled(self, read: Callable[[], T]) -> T:
        return self._read_only.look(read) if self._read_only is not None else read()

    def _guarded(self, action: Callable[[], T]) -> T:
        """Repeat what a lost connection or a lock broke, while patience lasts."""
        deadline = time.monotonic() + self.patience_seconds
        wait = 0.25
        while True:
            try:
                return action()
            except DBAPIError as error:
                if not _is_worth_waiting(error) or time.monotonic() + wait > deadline:
                    raise self._lost(error) from error
            except SQLAlchemyError as error:
                raise self._lost(error) from error
            time.sleep(wait)
            wait = min(wait * 2, 4.0)

    def _lost(self, error: SQLAlchemyError) -> StoreLost:
        cause = " ".join(str(getattr(error, "orig", None) or error).split()).rstrip(".?")
        return StoreLost(f"The database {self.name} cannot be used: {cause}.")


class _Waiting:
    """Work that waits for the database's thread, and the event loop that waits for its result."""

    def __init__(self, work: Work[Any]) -> None:
        self.work = work
        self.loop = asyncio.get_running_loop()
        self.ended: asyncio.Future[Any] = self.loop.create_future()

    def end(self, result: Any, error: Exception | None) -> None:
        """Give the result, or the error, to who waits for it, if there still is somebody."""
        if self.ended.done():
            return
        if error is None:
            self.ended.set_result(result)
        else:
            self.ended.set_exception(error)


_Ended = tuple[_Waiting, Any, Exception | None]


def _tell(ended: Iterable[_Ended]) -> None:
    """Say in the event loop how works have ended, of all that is so at once, if it still runs."""
    for loop, some in groupby(ended, key=lambda one: one[0].loop):
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(_end_all, list(some))


def _end_all(ended: Iterable[_Ended]) -> None:
    for waiting, result, error in ended:
        waiting.end(result, error)


def _is_the_databases(error: Exception) -> bool:
    """Whether no work is to blame, and each alone would fail, or wait in vain, like all together.

    A connection or a COMMIT has no statement; what became of a COMMIT that broke is not known, and
    to do it again under another number could do it twice.
    """
    cause = error.__cause__
    if not (isinstance(error, StoreLost) and isinstance(cause, DBAPIError)):
        return False
    if isinstance(cause, IntegrityError):  # of a row, even where it was worth waiting
        return False
    return cause.statement is None or _is_locked(cause) or _is_worth_waiting(cause)


def _is_locked(error: DBAPIError) -> bool:
    """Whether SQLite has waited for a lock in vain."""
    return getattr(error.orig, "sqlite_errorname", "").startswith("SQLITE_BUSY")


def _is_worth_waiting(error: DBAPIError) -> bool:
    """Whether this is a server's failure at all, and one that may pass."""
    code = getattr(error.orig, "sqlstate", None)
    # psycopg gives no code when it cannot connect, or when the connection broke.
    connecting = type(error.orig).__module__.startswith("psycopg") and error.statement is None
    if code is None and not (connecting or error.connection_invalidated):
        return False
    return may_come_back(code, str(error.orig))


def _engine(url: URL) -> Engine:
    make = _postgres if url.get_backend_name() == "postgresql" else _sqlite
    return _unmoved_by_ctrl_c(make(url))


def _postgres(url: URL) -> Engine:
    return create_engine(
        url, pool_pre_ping=True, connect_args=_POSTGRES_CONNECTION, json_serializer=to_json
    )


def _sqlite(url: URL) -> Engine:
    _make_folder(Path(str(url.database)).parent)
    engine = create_engine(
        url, connect_args={"timeout": LOCK_PATIENCE_SECONDS}, json_serializer=to_json
    )
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_immediately)
    return engine


def _unmoved_by_ctrl_c(engine: Engine) -> Engine:
    """Let the pool write no traceback where Ctrl-C comes while it takes a connection back."""
    pool = type(engine.pool)
    logging.getLogger(f"{pool.__module__}.{pool.__name__}").addFilter(_is_no_ctrl_c)
    return engine


def _is_no_ctrl_c(record: logging.LogRecord) -> bool:
    """Whether the pool tells of an error: Ctrl-C goes on from there to whoever answers it."""
    return not (record.exc_info and isinstance(record.exc_info[1], KeyboardInterrupt))


def _make_folder(folder: Path) -> None:
    try:
        # Its parent has to be there: where a disk is not mounted, no archive is begun beside it.
        folder.mkdir(exist_ok=True)
    except FileNotFoundError:
        raise StoreLost(
            f"The folder {folder.parent}, in which the database would be, is not there: make it or "
            "mount it, or name another DATABASE_URL."
        ) from None
    except OSError as error:
        raise StoreLost(
            f"The folder {folder} of the database cannot be made: {error.strerror}."
        ) from None


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # SQLAlchemy says BEGIN itself, see below
    for pragma in ("synchronous=NORMAL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}").close()
    _switch_to_wal(connection)


def _switch_to_wal(connection: Any) -> None:
    """Switch once for all; SQLite does not wait here when another process does the same."""
    deadline = time.monotonic() + LOCK_PATIENCE_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL").close()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.02)
        else:
            return


def _begin_immediately(connection: Connection) -> None:
    # A transaction that reads first and writes later fails at once when another process wrote in
    # between; taking the lock at the start waits for its turn instead.
    only_reads = connection.get_execution_options().get("only_reads")
    connection.exec_driver_sql("BEGIN" if only_reads else "BEGIN IMMEDIATE")
