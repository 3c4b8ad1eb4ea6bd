"""What each answer of a server means for what was asked of it, over real HTTP."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from n8n_scraper.etl.client import EtlClient, EtlFailure
from n8n_scraper.etl.etl_settings import EtlSettings
from n8n_scraper.etl.mapping import Flags
from n8n_scraper.policies.outbox.delivery import Came
from tests.foreign_server import KEY, Bad, ForeignServer

REQUEST = {"domain": "n8n.io", "metadata": {"started_at": "2026"}, "items": [{"url": "u"}]}


@pytest.fixture
def server() -> Iterator[ForeignServer]:
    with ForeignServer().running() as running:
        yield running


@pytest.fixture
def client(server: ForeignServer) -> Iterator[EtlClient]:
    made = EtlClient(EtlSettings.from_settings({**server.settings(), "ETL_TIMEOUT": "0.3"}))
    yield made
    made.close()


@pytest.mark.parametrize(
    ("bad", "came", "in_doubt", "wait"),
    [
        (Bad(status=400), Came.REFUSED, False, None),
        (Bad(status=404), Came.REFUSED, False, None),
        (Bad(status=422), Came.REFUSED, False, None),
        (Bad(status=401), Came.AWAY, False, None),
        (Bad(status=403), Came.AWAY, False, None),
        (Bad(status=302), Came.AWAY, False, None),
        (Bad(status=409), Came.FAILED, True, None),
        (Bad(status=500), Came.FAILED, True, None),
        (Bad(status=503, retry_after="7"), Came.AWAY, False, 7.0),
        (Bad(status=429), Came.AWAY, False, None),
        (Bad(status=429, retry_after="7"), Came.AWAY, False, 7.0),
        (Bad(status=429, retry_after="999999"), Came.AWAY, False, 3600.0),
        (Bad(silent=True), Came.FAILED, True, None),
    ],
)
def test_each_failure_says_whether_to_come_again_and_what_is_in_doubt(
    server: ForeignServer,
    client: EtlClient,
    bad: Bad,
    came: Came,
    in_doubt: bool,
    wait: float | None,
) -> None:
    server.next.append(bad)

    with pytest.raises(EtlFailure) as failure:
        client.create_scrape_run(REQUEST)

    told = failure.value
    assert (told.came, told.in_doubt, told.server_wait) == (came, in_doubt, wait)
    assert KEY not in str(told)


def test_where_nobody_answers_nothing_can_have_been_done(server: ForeignServer) -> None:
    gone = ForeignServer()
    with gone.running():
        pass
    client = EtlClient(EtlSettings.from_settings(gone.settings()))

    with pytest.raises(EtlFailure) as failure:
        client.create_scrape_run(REQUEST)
    client.close()

    assert (failure.value.came, failure.value.in_doubt) == (Came.AWAY, False)


def test_a_netrc_of_the_same_host_does_not_take_the_keys_place(
    server: ForeignServer, client: EtlClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login ada password other\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))

    client.create_scrape_run(REQUEST)

    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"


def test_the_newest_run_of_a_domain_is_found_and_of_another_none(client: EtlClient) -> None:
    for _ in range(2):
        client.create_scrape_run(REQUEST)

    latest = client.get_latest_run_for_domain("n8n.io")

    assert latest is not None
    assert latest.id == "run2"
    assert client.get_latest_run_for_domain("elsewhere.example") is None


@pytest.mark.parametrize("listing", ["data", "bare"])
def test_all_runs_of_a_domain_are_found_page_by_page(
    server: ForeignServer, client: EtlClient, listing: str
) -> None:
    server.listing = listing
    for _ in range(205):
        server.create(REQUEST)

    assert len({run.id for run in client.runs_of("n8n.io", 500)}) == 205
    assert len({run.id for run in client.runs_of("n8n.io", 150)}) == 200


def test_an_answer_without_words_is_enough_where_none_are_promised(
    server: ForeignServer, client: EtlClient
) -> None:
    run = client.create_scrape_run(REQUEST)
    server.is_mute = True

    client.update_scrape_run_item(run.id, "u", Flags(done=True))

    assert client.update_scrape_run_items(run.id, {"u": Flags(done=True)}) is None
    assert server.items()["u"]["done"] is True
