"""Reading the address of a database."""

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.ledger.address import parse_url
from n8n_scraper.ledger.database import Database


@pytest.mark.parametrize(
    ("given", "driver"),
    [
        ("sqlite:///data/n8n.db", "sqlite+pysqlite"),
        ("postgresql://user@host/name", "postgresql+psycopg"),
        ("postgres://user@host/name", "postgresql+psycopg"),  # the name that hosters use
        ("postgresql+psycopg2://user@host/name", "postgresql+psycopg"),
    ],
)
def test_a_url_is_taken_under_any_of_its_usual_names(given: str, driver: str) -> None:
    assert parse_url(given).drivername == driver


@pytest.mark.parametrize("given", ["mysql://host/name", "data/n8n.db", "", "://"])
def test_a_url_that_leads_nowhere_is_refused_with_an_example(given: str) -> None:
    with pytest.raises(BadInput, match=r"SQLite and PostgreSQL|sqlite:///"):
        parse_url(given)


def test_a_password_with_signs_is_told_to_be_encoded_and_no_part_of_it_is_shown() -> None:
    with pytest.raises(BadInput, match="percent-encode") as refused:
        Database("postgresql://postgres:p@ss@127.0.0.1/x")

    assert "ss@" not in str(refused.value)
    assert Database("postgresql://postgres:p%40ss@127.0.0.1/x").url.host == "127.0.0.1"


def test_an_address_that_is_none_is_shown_without_its_password() -> None:
    with pytest.raises(BadInput) as refused:
        Database("post gres://me:secret@host/x")

    assert "secret" not in str(refused.value)
