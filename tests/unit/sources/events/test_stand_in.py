"""Ten sites, played on a local port."""

import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest

from n8n_scraper.sources.events.invented import SITES, Changes, InventedSites
from n8n_scraper.sources.events.shapes import PATHS
from n8n_scraper.sources.events.stand_in import SCRIPT
from n8n_scraper.testing.replica.running import Running, running


@pytest.fixture(scope="module")
def server() -> Iterator[Running[InventedSites]]:
    with running(SCRIPT, 5, kind=Running) as stand_in:
        yield stand_in


@pytest.fixture
def site(server: Running[InventedSites]) -> Running[InventedSites]:
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


def test_every_site_has_its_list_at_its_path(site: Running[InventedSites]) -> None:
    for path in PATHS.values():
        assert get(site.url + path)[0] == 200

    assert site.stats()["by_kind"] == dict.fromkeys(SITES, 1)
    assert get(f"{site.url}/elsewhere")[0] == get(f"{site.url}/galaxy/nothing")[0] == 404


def test_the_same_seed_gives_the_same_and_all_of_it_lies_ahead() -> None:
    one, other = InventedSites(4, 7), InventedSites(4, 7)

    for name in SITES:
        assert one.events(name) == other.events(name)
        assert all(event.days[0] > one.first_day for event in one.events(name))
        assert all(event.start < event.end for event in one.events(name))


def test_the_stock_changes_amid_a_run_as_it_is_told(site: Running[InventedSites]) -> None:
    before = site.stock.events("galaxy")
    changes = Changes(
        added=1,
        removed=frozenset(("galaxy-1",)),
        cancelled=frozenset(("galaxy-2",)),
        moved={"galaxy-3": 2},
        retitled={"galaxy-4": "Anew"},
        drawn=frozenset(("galaxy-5",)),
        empty=frozenset(("mgto",)),
    )

    site.control(changes=changes)
    _, page = get(site.url + PATHS["galaxy"])
    details = [get(f"{site.url}{PATHS['galaxy']}galaxy-{number}") for number in range(1, 7)]

    assert (b"galaxy-1<" in page, page.count(b'class="event"'), b"Anew" in page) == (False, 5, True)
    assert [status for status, _ in details] == [404, 200, 200, 200, 200, 200]
    assert b"EventCancelled" in details[1][1]
    assert before[2].local(before[2].start).encode() not in details[2][1]
    assert [b'<script type="application/ld+json">' in body for _, body in details[3:5]] == [
        True,
        False,
    ]
    assert b"m-calendar__event-name" not in get(site.url + PATHS["mgto"])[1]


@pytest.mark.parametrize(
    ("kind", "status", "sign"),
    [
        ("503", 503, b"Service Temporarily Unavailable"),
        ("captcha", 200, b"Just a moment..."),
        ("soft_404", 200, b"404 Not Found"),
        ("captcha_word", 200, b"No captcha has to be solved"),
        ("wrong_id", 200, b"Calendar of Events"),
        ("empty", 200, b""),
    ],
)
def test_it_has_the_bad_days_of_every_stand_in(
    site: Running[InventedSites], kind: str, status: int, sign: bytes
) -> None:
    site.control(faults=[{"kind": kind, "path": "/venetian"}])

    answered, body = get(site.url + PATHS["venetian"])

    assert answered == status
    assert sign in body
    assert bool(body) is bool(sign)


def test_its_robots_txt_says_what_it_is_told(site: Running[InventedSites]) -> None:
    site.control(robots_disallow=["/mgm"], robots_crawl_delay=1.5)

    _, body = get(f"{site.url}/robots.txt")

    assert body.decode().splitlines() == ["User-agent: *", "Disallow: /mgm", "Crawl-delay: 1.5"]
