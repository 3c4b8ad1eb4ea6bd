"""A crawl tells Prometheus how it goes, while it goes."""

import socket
from contextlib import closing
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families as read

from n8n_scraper.metrics.catalogue import CATALOGUE
from n8n_scraper.metrics.metric import PREFIX
from n8n_scraper.sources.n8n.replica.running import RunningStandIn
from tests.crawling import crawl, rows, started, wait_until

Told = dict[tuple[str | None, ...], float]
LABELS = {metric.name: metric.labels for metric in CATALOGUE}

pytestmark = pytest.mark.full_speed


def free_port() -> int:
    with closing(socket.socket()) as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


def scraped(port: int) -> Told:
    """What the port tells; nothing while nobody listens."""
    try:
        with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
            text = answer.read().decode()
    except (URLError, ConnectionError):
        return {}
    return {
        (sample.name.removeprefix(PREFIX), *map(sample.labels.get, LABELS.get(sample.name, ()))): (
            sample.value
        )
        for family in read(text)
        for sample in family.samples
    }


def test_a_crawl_tells_how_it_goes_until_it_ends(stand_in: RunningStandIn, tmp_path: Path) -> None:
    # Given a crawl at a pace that gives time to look
    port, url = free_port(), f"sqlite:///{tmp_path}/a.db"
    slowly = {"RATE_LIMIT_RATE": "20", "METRICS_PORT": str(port)}
    arguments = ("-a", "limit=8", "-s", "PROGRESS=lines")
    with started(stand_in, url, *arguments, **slowly) as running:
        # When it is asked in its midst
        wait_until(lambda: scraped(port).get(("crawl_items", "n8n", "complete"), 0) >= 3)
        seen = scraped(port)
        _, log = running.communicate(timeout=60)

    # Then it tells what was asked and what came, and is gone with the crawl
    assert running.returncode == 0, log
    assert f"Prometheus finds the metrics at http://127.0.0.1:{port}/metrics" in log
    [(run_id,)] = rows(url, "SELECT run_id FROM scrape_runs")
    [info] = [key for key in seen if key[0] == "crawl_info"]
    assert info[1:4] == ("n8n", "workflows", run_id)
    requests = seen["crawl_requests_total", "n8n", "127.0.0.1"]
    assert requests >= seen["crawl_responses_total", "n8n", "200"] - 1 > 3
    ended = sum(value for key, value in seen.items() if key[0] == "crawl_items")
    assert ended + seen["crawl_items_left", "n8n"] == 8
    assert seen["crawl_allowed_requests_per_second", "n8n", "127.0.0.1"] == 20
    assert seen["process_resident_memory_bytes",] > 10_000_000
    assert scraped(port) == {}


def test_a_port_that_is_taken_costs_a_warning_and_no_template(
    stand_in: RunningStandIn, tmp_path: Path
) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = str(taken.getsockname()[1])

        ran = crawl(stand_in, f"sqlite:///{tmp_path}/a.db", "-a", "limit=2", METRICS_PORT=port)

    assert ran.status == 0, ran.err
    assert ran.err.count(f"METRICS_PORT {port} on 127.0.0.1 cannot be had (") == 1
    assert "Traceback" not in ran.err


def test_of_several_ports_the_first_that_is_free_is_taken(
    stand_in: RunningStandIn, tmp_path: Path
) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        first = taken.getsockname()[1]

        ran = crawl(
            stand_in,
            f"sqlite:///{tmp_path}/a.db",
            *("-a", "limit=1"),
            METRICS_PORT=f"{first}-{min(first + 20, 65535)}",
        )

    assert ran.status == 0, ran.err
    assert "Prometheus finds the metrics at http://127.0.0.1:" in ran.err
    assert f"127.0.0.1:{first}/metrics" not in ran.err


def test_what_is_no_port_is_refused_before_anything_starts(
    stand_in: RunningStandIn, tmp_path: Path
) -> None:
    ran = crawl(stand_in, f"sqlite:///{tmp_path}/a.db", METRICS_PORT="metrics")

    assert ran.status == 2
    assert "METRICS_PORT is 'metrics'; write a port as in 9410" in ran.err
    assert not (tmp_path / "a.db").exists()
