"""Say which shape the tables of a database have, and bring them to the newest where they are not.

That they are the newest is one question to the database for each line of migrations. Alembic takes
its time to be imported, and is wanted once for every new version.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pkgutil import iter_modules

from sqlalchemy import Connection, Engine, inspect, text

from n8n_scraper import sources
from n8n_scraper.core.errors import NoArchive, StoreUnfit


@dataclass(frozen=True, slots=True)
class Lineage:
    """A line of migrations, and the table in which a database says how far along it it is.

    The tables that all share have one, and each source that has tables of its own has its own: so
    an archive stays usable when a source is taken away.
    """

    package: str
    version_table: str

    @property
    def versions(self) -> Traversable:
        """The folder of the migrations."""
        return files(self.package) / "migrations" / "versions"

    def revisions(self) -> list[str]:
        """The shapes that this version knows, the oldest first: a file's name begins with its."""
        names = [file.name.partition("_")[0] for file in self.versions.iterdir()]
        return sorted(filter(str.isdigit, names))

    def found(self, connection: Connection) -> str | None:
        """The shape of the tables, None where there are none; one of a newer version is refused."""
        if not inspect(connection).has_table(self.version_table):
            return None
        question = text(f"SELECT version_num FROM {self.version_table}")  # noqa: S608 - ours
        found: str | None = connection.scalar(question)
        if found is not None and found not in self.revisions():
            raise StoreUnfit(
                f"This database has the shape {found!r}, which this version does not know: it was "
                "made by a newer one. Upgrade n8n-scraper, or name another DATABASE_URL."
            )
        return found

    def is_newest(self, connection: Connection) -> bool:
        """Whether there is nothing to upgrade."""
        return self.found(connection) == self.revisions()[-1]


SHARED = Lineage("n8n_scraper.ledger", "alembic_version")
"""That of the tables which are not about one source."""


def lineages() -> Iterator[Lineage]:
    """Give all lines of migrations, in the order in which they are upgraded."""
    yield SHARED
    for folder in iter_modules(sources.__path__):
        package = f"{sources.__name__}.{folder.name}"
        own = Lineage(package, f"alembic_version_{folder.name}")
        if folder.ispkg and own.versions.is_dir():
            yield own


def upgrade(engine: Engine) -> None:
    """Create or upgrade the tables where they are not the newest."""
    with _looking(engine) as connection:
        is_newest = all(line.is_newest(connection) for line in lineages())
    if not is_newest:
        from n8n_scraper.ledger import migrate

        migrate.upgrade(engine)


def check(engine: Engine) -> None:
    """Raise when the tables are not of the newest shape; change nothing."""
    with _looking(engine) as connection:
        found = {line: line.found(connection) for line in lineages()}
    if found[SHARED] is None:
        raise NoArchive
    for line, shape in found.items():
        if shape != (newest := line.revisions()[-1]):
            raise StoreUnfit(
                f"This database has the tables of an older version ({shape or 'none'}, the newest "
                f"is {newest}): run `scrapy db upgrade`, then the same command again."
            )


def _looking(engine: Engine) -> Connection:
    return engine.execution_options(only_reads=True).connect()
