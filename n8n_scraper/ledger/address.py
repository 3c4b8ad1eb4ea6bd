"""Read the address of a database, and see whether there is one; neither connects to it."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from n8n_scraper.core.errors import BadInput, StoreLost
from n8n_scraper.core.project_folder import in_project
from n8n_scraper.policies.run.command_line import without_passwords


def parse_url(text: str) -> URL:
    """Accept a URL of SQLite or PostgreSQL, under whichever of its usual names."""
    try:
        url = make_url(text)
    except ArgumentError:
        raise BadInput(
            f"DATABASE_URL is not a database address: {without_passwords(text)!r}. "
            "Write sqlite:///data/n8n.db or postgresql://user:password@host/name."
        ) from None
    kind = url.drivername.partition("+")[0]
    if kind in ("postgres", "postgresql"):
        _check_signs(text)
        return url.set(drivername="postgresql+psycopg")
    if kind == "sqlite" and url.database in (None, "", ":memory:"):
        raise BadInput("DATABASE_URL names no file; write sqlite:///data/n8n.db.")
    if kind == "sqlite":
        return url.set(drivername="sqlite+pysqlite", database=in_project(str(url.database)))
    raise BadInput(f"DATABASE_URL names {kind!r}; SQLite and PostgreSQL are what works here.")


def _check_signs(text: str) -> None:
    """Refuse an address that is cut at the wrong place, because its password has an @ in it."""
    if text.partition("?")[0].count("@") > 1:
        raise BadInput(
            f"DATABASE_URL {without_passwords(text)} has more than one @: percent-encode the signs "
            "of user and password that are no letters or digits, as in p%40ss for p@ss."
        )


def is_there(text: str) -> bool:
    """Whether a database may be asked without coming into being by the question."""
    try:
        return found_at(parse_url(text))
    except StoreLost:
        return False


def found_at(url: URL) -> bool:
    """The same of an address that was read already; raises where that cannot be said."""
    if url.get_backend_name() != "sqlite":
        return True
    path = Path(str(url.database))
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        words = f"The database {path} cannot be reached: {error.strerror}."
        raise StoreLost(words) from None
    return True
