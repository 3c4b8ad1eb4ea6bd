"""Fixtures that more than one folder of tests uses."""

import fcntl
import os
import secrets
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import create_engine, text

from n8n_scraper.ledger.database import Database
from n8n_scraper.testing.postgres import NoPostgres, postgres_server
from n8n_scraper.testing.redis import NoRedis, OwnRedis, find_redis, own_redis
from n8n_scraper.testing.stand_in import running_stand_in
from tests import forking, left_over

if TYPE_CHECKING:
    from n8n_scraper.sources.n8n.replica.running import RunningStandIn

# A shell ignores Ctrl-C for what it starts in the background, and our children would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

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
def timed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Let no two tests meet, in whatever processes, that watch how fast something goes."""
    if not request.node.get_closest_marker("timed"):
        yield
        return
    with (tmp_path_factory.getbasetemp().parent / "timed.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture(autouse=True)
def full_speed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the children of some tests unmeasured: following every line takes two thirds of it."""
    if request.node.get_closest_marker("full_speed"):
        monkeypatch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)


@pytest.fixture(autouse=True)
def real_start(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the commands of some tests start as a person's do, with an interpreter of their own."""
    if request.node.get_closest_marker("real_start"):
        monkeypatch.setattr(forking, "wanted", False)


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


@pytest.fixture
def postgres_url(postgres: str) -> Iterator[str]:
    """A new, empty PostgreSQL database that is gone after the test."""
    name = f"{left_over.DATABASES}{secrets.token_hex(6)}"
    server = create_engine(postgres, isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    try:
        yield server.url.set(database=name).render_as_string(hide_password=False)
    finally:
        with server.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        server.dispose()


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


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A new, empty database of each kind that we promise to work with."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/archive.db"
    url: str = request.getfixturevalue("postgres_url")
    return url


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """An open database of each kind."""
    opened = Database(database_url, patience_seconds=0)
    opened.open()
    yield opened
    opened.close()
