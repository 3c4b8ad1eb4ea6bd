"""Our own server is one that can be told: both sides of the contract, over real HTTP."""

import secrets
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from n8n_scraper.etl.client import EtlClient, EtlFailure
from n8n_scraper.etl.etl_settings import EtlSettings
from n8n_scraper.etl.mapping import Flags
from n8n_scraper.ledger.database import Database
from tests.foreign_server import ForeignServer
from tests.serving import TOKEN, WITH_TOKEN, Served, served
from tests.unit.etl.given import address, crawled, telling

IDS = tuple(str(number) for number in range(1, 31))
SITE = "https://n8n.io"


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The server over an archive of its own."""
    url = f"sqlite:///{tmp_path_factory.mktemp('own')}/a.db"
    database = Database(url)
    database.open()
    with served(url, replace(WITH_TOKEN, told={"N8N_SITE_URL": SITE})) as server:
        yield server
    database.close()


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Database]:
    opened = Database(f"sqlite:///{tmp_path}/here.db", patience_seconds=0)
    opened.open()
    yield opened
    opened.close()


@pytest.fixture
def client(own: Served) -> Iterator[EtlClient]:
    made = EtlClient(EtlSettings.from_settings(endpoint(own)))
    yield made
    made.close()


def endpoint(own: Served) -> dict[str, str]:
    return {"ETL_API_ENDPOINT": own.url, "ETL_API_KEY": TOKEN}


def test_our_server_has_every_item_of_a_run_and_its_end(
    own: Served, here: Database, client: EtlClient
) -> None:
    crawled(here, *IDS, failed=("3",))
    with telling(here, ForeignServer(), **endpoint(own), ETL_TIMEOUT="10") as told:
        stands = told.send()

    assert (stands.waiting, stands.given_up, stands.last_error) == (0, 0, None)
    latest = client.get_latest_run_for_domain("n8n.io")
    assert latest is not None
    run = client.fetch_scrape_run(latest.id)
    assert run.is_over
    assert run.items == {
        address(one): Flags(failed=True, reason="timeout: it took too long")
        if one == "3"
        else Flags(done=True)
        for one in IDS
    }


def test_the_same_creation_under_the_same_key_is_one_run(client: EtlClient) -> None:
    key = secrets.token_hex(8)
    request = {
        "domain": "n8n.io",
        "metadata": {"run_id": key, "started_at": "2026-01-01T00:00:00Z"},
        "items": [{"url": address("7")}],
    }

    one, other = (client.create_scrape_run(request, key) for _ in range(2))

    assert one.id == other.id
    assert [run.id for run in client.runs_of("n8n.io", 500) if run.is_of(key, "")] == [one.id]


def test_what_was_told_before_may_be_told_again(client: EtlClient) -> None:
    request = {"domain": "n8n.io", "metadata": {}, "items": [{"url": address(one)} for one in "78"]}
    run = client.create_scrape_run(request)

    for flags in (Flags(failed=True, reason="once"), Flags(done=True), Flags(done=True)):
        client.update_scrape_run_item(run.id, address("7"), flags)
    client.update_scrape_run_item(run.id, address("8"), Flags(invalid=True, reason="none"))

    assert client.fetch_scrape_run(run.id).items == {
        address("7"): Flags(done=True),
        address("8"): Flags(invalid=True, reason="none"),
    }


def test_of_a_run_with_many_items_all_are_asked_for(client: EtlClient) -> None:
    many = [address(str(number)) for number in range(1, 1501)]
    request = {"domain": "n8n.io", "metadata": {}, "items": [{"url": url} for url in many]}

    run = client.create_scrape_run(request)

    items = client.fetch_scrape_run(run.id).items
    assert items is not None
    assert set(items) == set(many)


@pytest.mark.parametrize(
    ("ask", "status"),
    [
        (lambda client: client.fetch_scrape_run("no-such-run"), 404),
        (
            lambda client: client.create_scrape_run({"domain": "elsewhere.example", "items": []}),
            422,
        ),
    ],
)
def test_what_our_server_refuses_is_refused_with_its_words(
    client: EtlClient, ask: object, status: int
) -> None:
    with pytest.raises(EtlFailure) as failure:
        ask(client)  # type: ignore[operator]

    assert failure.value.status in (status, 400)
    assert str(failure.value).count("answered") == 1
    assert TOKEN not in str(failure.value)
