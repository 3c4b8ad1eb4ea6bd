"""The open data, played on a local port."""

import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest

from n8n_scraper.sources.hk_events.files import elements
from n8n_scraper.sources.hk_events.invented import Changes, InventedEvents
from n8n_scraper.sources.hk_events.source import FILES
from n8n_scraper.sources.hk_events.stand_in import SCRIPT
from n8n_scraper.testing.replica.running import Running, running
from tests.unit.sources.hk_events.given import records_in


@pytest.fixture(scope="module")
def server() -> Iterator[Running[InventedEvents]]:
    with running(SCRIPT, 20, kind=Running) as stand_in:
        yield stand_in


@pytest.fixture
def site(server: Running[InventedEvents]) -> Running[InventedEvents]:
    """As good as new for each test."""
    server.control(**SCRIPT.switches().model_dump(mode="json"))
    server.reset()
    return server


def get(url: str) -> tuple[int, bytes]:
    request = urllib.request.Request(url, headers={"User-Agent": "tests"})
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()


def files(site: Running[InventedEvents]) -> list[bytes]:
    return [get(f"{site.url}/datagovhk/event/{name}")[1] for name in FILES]


def test_the_three_files_are_served_and_noted(site: Running[InventedEvents]) -> None:
    venues, dates, events = files(site)

    with_dates = {one_id for one_id, _ in elements(dates, "event_dates", "event")}
    assert set(records_in(events)) == with_dates == set(site.stock.events)
    assert list(elements(venues, "venues", "venue"))
    assert site.stats()["by_kind"] == {"venues": 1, "eventDates": 1, "events": 1}
    assert get(f"{site.url}/datagovhk/event/other.xml")[0] == 404


def test_the_stock_changes_amid_a_run_as_it_is_told(site: Running[InventedEvents]) -> None:
    gone, renamed, edited = list(site.stock.events)[:3]

    site.control(changes=Changes(2, frozenset({gone}), {renamed: "Anew"}, {edited: 3}))
    found = records_in(files(site)[2])

    assert set(found) == set(site.stock.events)
    assert gone not in found
    assert len(found) == 21
    assert found[renamed]["titlee"] == "Anew"
    assert found[edited]["desce"].endswith("Revision 3.")


@pytest.mark.parametrize(
    ("kind", "status", "sign"),
    [
        ("503", 503, b"Service Temporarily Unavailable"),
        ("429", 429, b"Too Many Requests"),
        ("captcha", 200, b"Just a moment..."),
        ("soft_404", 200, b"404 Not Found"),
        ("captcha_word", 200, b"No captcha has to be solved"),
        ("wrong_id", 200, b"<venues>"),
        ("empty", 200, b""),
    ],
)
def test_it_has_the_bad_days_of_every_stand_in(
    site: Running[InventedEvents], kind: str, status: int, sign: bytes
) -> None:
    site.control(faults=[{"kind": kind, "path": r"/events\.xml"}])

    answered, body = get(f"{site.url}/events.xml")

    assert answered == status
    assert sign in body
    assert bool(body) is bool(sign)


def test_its_robots_txt_says_what_it_is_told(site: Running[InventedEvents]) -> None:
    site.control(robots_disallow=["/events.xml"], robots_crawl_delay=1.5)

    _, body = get(f"{site.url}/robots.txt")

    assert body.decode().splitlines() == [
        "User-agent: *", "Disallow: /events.xml", "Crawl-delay: 1.5"
    ]  # fmt: skip
