"""The client by which our runs are told to a server elsewhere, at our own server."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from n8n_scraper.etl.client import EtlClient
from n8n_scraper.etl.etl_settings import EtlSettings
from n8n_scraper.etl.mapping import Flags
from tests.serving import TOKEN
from tests.unit.serve.api.conftest import SITE, Api

URLS = [f"{SITE}/workflows/{one}/" for one in ("1", "2", "3")]
CREATION = {
    "domain": "n8n.io",
    "source": "n8n",
    "metadata": {"started_at": "2026-11-19T05:00:00.000Z", "run_id": "ours"},
    "items": [{"url": url} for url in URLS],
}
ENDING = {
    "started_at": "2026-11-19T05:00:00.000Z",
    "ended_at": "2026-11-19T06:00:00.000Z",
    "total_count": 3,
    "finished_count": 1,
    "failed_count": 1,
}


@pytest.fixture(params=["status", "flag"])
def client(request: pytest.FixtureRequest, api: Api) -> Iterator[EtlClient]:
    told = {"ETL_API_ENDPOINT": api.server.url, "ETL_API_KEY": TOKEN, "ETL_FINALIZE": request.param}
    with closing(EtlClient(EtlSettings.from_settings(told))) as client:
        yield client


def test_a_run_is_told_from_its_creation_to_its_end(
    client: EtlClient, request: pytest.FixtureRequest
) -> None:
    # Given a run that was created twice, because the first answer came too late
    key = f"ours-{request.node.callspec.id}"
    run = client.create_scrape_run(CREATION, key=key)
    assert client.create_scrape_run(CREATION, key=key).id == run.id

    # When its items are told, one by one and together, and its end, each twice
    ends = {
        URLS[0]: Flags(done=True),
        URLS[1]: Flags(failed=True, reason="timeout: none"),
        URLS[2]: Flags(invalid=True, reason="gone: none"),
    }
    for _ in range(2):
        client.update_scrape_run_item(run.id, URLS[0], ends[URLS[0]])
        there = client.update_scrape_run_items(run.id, ends)
        client.finalize_scrape_run(run.id, ENDING)

    # Then the server has each once, and says so in the client's words
    assert there is not None
    assert there.items == ends
    seen = client.fetch_scrape_run(run.id)
    assert seen.is_over
    assert seen.items == ends
    assert seen.is_of("ours", "whenever")
    assert client.get_latest_run_for_domain("n8n.io").id == run.id
    assert run.id in [one.id for one in client.runs_of("n8n.io", 200)]
