"""What a database says of itself: its version, its size, its clock, and whether it is sound."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import text
from sqlalchemy.orm import Session

from n8n_scraper.ledger.workers import now

_VERSION = {
    "sqlite": "SELECT 'SQLite ' || sqlite_version()",
    "postgresql": "SELECT 'PostgreSQL ' || current_setting('server_version')",
}
_BYTES = {
    "sqlite": "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
    "postgresql": "SELECT pg_database_size(current_database())",
}
# PostgreSQL notes what its checksums found; SQLite has to look.
_PROBLEMS = {
    "sqlite": "SELECT quick_check FROM pragma_quick_check(5) WHERE quick_check <> 'ok'",
    "postgresql": (
        "SELECT checksum_failures || ' pages with a wrong checksum' FROM pg_stat_database "
        "WHERE datname = current_database() AND checksum_failures > 0"
    ),
}


@dataclass(frozen=True, slots=True)
class Condition:
    """How a database is, as far as it takes no time to know."""

    version: str
    bytes: int
    now: float
    """Its own time, in seconds since 1970."""


def condition(session: Session) -> Condition:
    """Ask it."""
    kind = session.get_bind().dialect.name
    version, size = (session.scalar(text(one[kind])) for one in (_VERSION, _BYTES))
    return Condition(str(version), int(size or 0), now(session))


def problems(session: Session) -> list[str]:
    """Give the first damages that it finds in itself; takes the longer the larger it is."""
    kind = session.get_bind().dialect.name
    return [str(one) for one in session.scalars(text(_PROBLEMS[kind]))]
