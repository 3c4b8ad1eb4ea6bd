"""Fixtures that more than one folder of tests uses."""

import fcntl
import os
import secrets
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
import scrapy.core.downloader.handlers.http11  # noqa: F401 - takes a second where much is imported
from sqlalchemy import NullPool, create_engine, make_url, text

from n8n_scraper.ledger.database import Database
from n8n_scraper.testing.postgres import NoPostgres, postgres_server
from n8n_scraper.testing.redis import NoRedis, OwnRedis, find_redis, own_redis
from n8n_scraper.testing.replica import running
from n8n_scraper.testing.stand_in import running_stand_in
from tests import forking, left_over, temporary, thoroughness, toy
from tests.further import pytest_itemcollected as pytest_itemcollected
from tests.garbage import pytest_collection_finish as pytest_collection_finish
from tests.garbage import pytest_configure as pytest_configure
from tests.held_up import pytest_exception_interact as pytest_exception_interact
from tests.held_up import pytest_runtest_logfinish as pytest_runtest_logfinish
from tests.ordering import pytest_collection_modifyitems as pytest_collection_modifyitems

if TYPE_CHECKING:
    from n8n_scraper.core.source import Source
    from n8n_scraper.sources.n8n.replica.running import RunningStandIn
    from tests.used_again import UsedAgain

# A shell ignores Ctrl-C for what it starts in the background, and our children would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
# So would they what `nohup` has let this process ignore.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
# A command finds the package from whatever folder it is started in, compiled by an earlier one.
_PROJECT = str(Path(__file__).parents[1])
_PATHS = [_PROJECT, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
os.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys(_PATHS))
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# A crawl of the tests need not start a process for reading answers: that is a fifth more.
os.environ["COMPUTE_PROCESS_AFTER"] = "inf"
temporary.use()
thoroughness.choose()
# A stand-in needs not start with an interpreter of its own.
running.start = forking.Process

_RECORDED = Path(__file__).parents[1].parent / "shared" / "samples"
# Who has no recorded answers gets our own in their place, gone again when this process ends.
_OUR_OWN = None if _RECORDED.is_dir() else TemporaryDirectory(prefix="n8n-answers-")
OTHER_SAMPLES = os.environ.get("N8N_SAMPLES") or (_OUR_OWN and _OUR_OWN.name)
SAMPLES = Path(OTHER_SAMPLES or _RECORDED)
if _OUR_OWN and Path(_OUR_OWN.name) == SAMPLES:
    from tests.samples.our_own import write_answers

    write_answers(SAMPLES)


@pytest.fixture(scope="session", autouse=True)
def _nothing_is_left_running() -> Iterator[None]:
    """Set up before every other fixture, and so asked when all of them are gone."""
    yield
    forking.end()
    assert left_over.children() == []


@pytest.fixture(autouse=True)
def _as_marked(request: pytest.FixtureRequest) -> None:
    """Give a test those fixtures that are called like its marks: most have none."""
    marks = {mark.name for mark in request.node.iter_markers()}
    for wanted in marks & {"timed", "full_speed", "real_start"}:
        request.getfixturevalue(wanted)


@pytest.fixture
def timed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let no two tests meet, in whatever processes, that watch how fast something goes."""
    with (tmp_path_factory.getbasetemp().parent / "timed.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture
def full_speed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the children of some tests unmeasured: following every line takes two thirds of it."""
    if not request.node.get_closest_marker("followed"):
        monkeypatch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)


@pytest.fixture
def real_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the commands of some tests start as a person's do, with an interpreter of their own."""
    monkeypatch.setattr(forking, "wanted", False)


@pytest.fixture(scope="module")
def reads_as_usual() -> Iterator[None]:
    """Let the crawls of a module start a process for reading when they would."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("COMPUTE_PROCESS_AFTER")
        yield


@pytest.fixture(scope="session")
def samples() -> Path:
    """Recorded answers of the real site, where somebody has them; else the stand-in's."""
    if not SAMPLES.is_dir():
        pytest.fail(f"N8N_SAMPLES names no folder: {SAMPLES}")
    return SAMPLES


@pytest.fixture(scope="session")
def stand_in() -> Iterator["RunningStandIn"]:
    """A stand-in of n8n.io with sixty templates, the odd ones among them; nothing goes wrong."""
    with ExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:
            patch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)
            server = stack.enter_context(running_stand_in(templates=60))
        yield server


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A PostgreSQL server of the tests' own, or the one that TEST_DATABASE_URL names."""
    try:
        with postgres_server() as url:
            server = url.render_as_string(hide_password=False)
            yield server
            assert left_over.databases(server) == []
    except NoPostgres as reason:
        if os.environ.get("CI"):
            pytest.fail(f"In CI nothing may be skipped: {reason}")
        pytest.skip(f"SKIPPED WITHOUT POSTGRESQL: {reason}")


@contextmanager
def own_database(server_url: str, made_of: str = "") -> Iterator[str]:
    """A new database of a server, empty or a copy of another one, that is gone afterwards."""
    name = f"{left_over.DATABASES}{secrets.token_hex(6)}"
    copied = f"TEMPLATE {make_url(made_of).database}" if made_of else ""
    tell(server_url, f"CREATE DATABASE {name} {copied}")
    try:
        yield make_url(server_url).set(database=name).render_as_string(hide_password=False)
    finally:
        tell(server_url, f"DROP DATABASE {name} WITH (FORCE)")


def tell(server_url: str, statement: str) -> None:
    """Have a server do what it does in no transaction."""
    server = create_engine(server_url, isolation_level="AUTOCOMMIT", poolclass=NullPool)
    with server.connect() as connection:
        connection.execute(text(statement))


@pytest.fixture(scope="session")
def tables_of_postgres(postgres: str) -> Iterator[str]:
    """A database of PostgreSQL with the newest tables, to be copied: making them takes longer."""
    with own_database(postgres) as url:
        make_tables(url)
        yield url


@pytest.fixture(scope="session")
def tables_of_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of SQLite with the newest tables, likewise."""
    file = tmp_path_factory.mktemp("newest") / "archive.db"
    make_tables(f"sqlite:///{file}")
    return file


def make_tables(url: str) -> None:
    """Make the newest tables; those of a source of the tests only where a test has it installed."""
    made = Database(url)
    with toy.left_out():
        made.open()
    made.close()


@pytest.fixture(scope="session")
def archives_of_postgres(postgres: str, tables_of_postgres: str) -> Iterator["UsedAgain"]:
    """Archives that are like new, to be had by one test after another."""
    from tests.used_again import UsedAgain

    archives = UsedAgain(lambda: own_database(postgres, made_of=tables_of_postgres))
    yield archives
    archives.close()


@pytest.fixture
def postgres_url(archives_of_postgres: "UsedAgain") -> Iterator[str]:
    """An archive in PostgreSQL like a new one, with all tables and nothing in them."""
    with archives_of_postgres.archive() as url:
        yield url


@pytest.fixture
def sqlite_url(tmp_path: Path, tables_of_sqlite: Path) -> str:
    """A new archive in SQLite, with all tables and nothing in them."""
    return f"sqlite:///{shutil.copy(tables_of_sqlite, tmp_path / 'archive.db')}"


@pytest.fixture(scope="session")
def redis_program() -> None:
    """The installed Redis, which a test may start."""
    try:
        find_redis()
    except NoRedis as reason:
        if os.environ.get("CI"):
            pytest.fail(f"In CI nothing may be skipped: {reason}")
        pytest.skip(f"SKIPPED WITHOUT REDIS: {reason}")


@pytest.fixture
def redis(redis_program: None) -> Iterator[OwnRedis]:
    """A Redis of this test's own, which it may stop; gone after the test."""
    with own_redis() as server:
        yield server


@pytest.fixture
def quotes() -> Iterator["Source"]:
    """A source of the tests' own, to be asked for before the database, which makes its table."""
    with toy.installed() as source:
        yield source


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """A new archive in each kind of database that we promise to work with."""
    fixture = {"sqlite": "sqlite_url", "postgresql": "postgres_url"}[request.param]
    url: str = request.getfixturevalue(fixture)
    return url


@pytest.fixture(params=["sqlite", "postgresql"])
def bare_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A new database of each kind in which nothing has been made, not even a table."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/archive.db"
        return
    with own_database(request.getfixturevalue("postgres")) as url:
        yield url


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def url_of_module(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """An archive in each kind of database that is there for a whole module."""
    if request.param == "sqlite":
        tables: Path = request.getfixturevalue("tables_of_sqlite")
        yield f"sqlite:///{shutil.copy(tables, tmp_path_factory.mktemp('module'))}"
        return
    tables_of_postgres = request.getfixturevalue("tables_of_postgres")
    with own_database(request.getfixturevalue("postgres"), made_of=tables_of_postgres) as url:
        yield url


@pytest.fixture
def copy_of(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Copies an archive of either kind that nobody has open, for one test to change."""
    with ExitStack() as stack:

        def copied(url: str) -> str:
            if make_url(url).get_backend_name() == "sqlite":
                return f"sqlite:///{shutil.copy(make_url(url).database or '', tmp_path)}"
            server = request.getfixturevalue("postgres")
            return stack.enter_context(own_database(server, made_of=url))

        yield copied


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """An open archive of each kind."""
    opened = Database(database_url, patience_seconds=0)
    opened.open()
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def _used_again(url_of_module: str) -> Iterator[Database]:
    opened = Database(url_of_module, patience_seconds=0)
    opened.open()
    yield opened
    opened.close()


@pytest.fixture
def emptied(_used_again: Database) -> Iterator[Database]:
    """An open database of each kind, empty, and made once a module: for many small tests."""
    from tests.every_table import METADATA

    yield _used_again
    with _used_again.engine.begin() as connection:
        if connection.dialect.name == "postgresql":  # what a failed test left open would be awaited
            connection.execute(text("SET LOCAL lock_timeout = '10s'"))
        for table in reversed(METADATA.sorted_tables):
            connection.execute(table.delete())
