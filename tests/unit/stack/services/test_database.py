"""The database as a service, on both kinds."""

import pytest
from sqlalchemy import create_engine, text

from n8n_scraper.ledger.address import parse_url
from n8n_scraper.ledger.database_settings import DatabaseSettings
from n8n_scraper.stack.health import State
from n8n_scraper.stack.service import Service
from n8n_scraper.stack.services.database import database
from n8n_scraper.testing.postgres import free_port
from tests.unit.stack.running import PATIENCE


@pytest.fixture
def service(bare_url: str) -> Service:
    return database(DatabaseSettings(bare_url, patience_seconds=5))


def test_one_without_tables_is_to_be_made_and_is_not_made_by_asking(service: Service) -> None:
    assert [service.check(PATIENCE).state for _ in range(2)] == [State.TO_BE_MADE] * 2


def test_what_was_made_is_healthy(service: Service) -> None:
    assert service.make is not None
    service.make()

    assert service.check(PATIENCE).state is State.HEALTHY


def test_older_tables_are_told_and_brought_to_the_newest(service: Service, bare_url: str) -> None:
    assert service.make is not None
    service.make()
    execute(bare_url, "UPDATE alembic_version SET version_num = '0001'")

    health = service.check(PATIENCE)

    assert health.state is State.UNHEALTHY
    assert "tables of an older version" in health.words


def test_one_of_a_newer_version_is_told(service: Service, bare_url: str) -> None:
    assert service.make is not None
    service.make()
    execute(bare_url, "UPDATE alembic_version SET version_num = '9999'")

    assert "made by a newer one" in service.check(PATIENCE).words


def test_a_server_that_is_away_is_told_without_its_password() -> None:
    url = f"postgresql://n8n:secret@127.0.0.1:{free_port()}/n8n"

    health = database(DatabaseSettings(url, 0)).check(PATIENCE)

    assert health.state is State.UNHEALTHY
    assert "secret" not in health.words


def execute(url: str, statement: str) -> None:
    engine = create_engine(parse_url(url))
    with engine.begin() as connection:
        connection.execute(text(statement))
    engine.dispose()
