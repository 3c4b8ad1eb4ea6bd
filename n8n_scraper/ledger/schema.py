"""Say which shape the tables of a database have, and bring them to the newest where they are not.

That they are the newest is one question to the database. Alembic takes its time to be imported,
and is wanted once for every new version.
"""

from __future__ import annotations

from importlib.resources import files

from sqlalchemy import Connection, Engine, inspect, text

from n8n_scraper.core.errors import NoArchive, StoreUnfit


def revisions() -> list[str]:
    """The shapes that this version knows, the oldest first: a migration's file begins with its."""
    versions = files("n8n_scraper.ledger") / "migrations" / "versions"
    names = [file.name.partition("_")[0] for file in versions.iterdir()]
    return sorted(filter(str.isdigit, names))


def upgrade(engine: Engine) -> None:
    """Create or upgrade the tables where they are not the newest."""
    if _found(engine) != revisions()[-1]:
        from n8n_scraper.ledger import migrate

        migrate.upgrade(engine)


def check(engine: Engine) -> None:
    """Raise when the tables are not of the newest shape; change nothing."""
    found, newest = _found(engine), revisions()[-1]
    if found is None:
        raise NoArchive
    if found != newest:
        raise StoreUnfit(
            f"This database has the tables of an older version ({found}, the newest is "
            f"{newest}): run `scrapy db upgrade`, then the same command again."
        )


def revision(connection: Connection) -> str | None:
    """The shape of the tables, None where there are none; one of a newer version is refused."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    if found is not None and found not in revisions():
        raise StoreUnfit(
            f"This database has the shape {found!r}, which this version does not know: it was "
            "made by a newer one. Upgrade n8n-scraper, or name another DATABASE_URL."
        )
    return found


def _found(engine: Engine) -> str | None:
    with engine.execution_options(only_reads=True).connect() as connection:
        return revision(connection)
