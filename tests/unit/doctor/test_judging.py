"""What facts mean for a crawl."""

import pytest

from n8n_scraper.doctor.finding import Finding, State, bad, ok, warn, worst
from n8n_scraper.doctor.judging import (
    of_clock,
    of_contact,
    of_disk,
    of_extra,
    of_robots,
    of_soundness,
    of_versions,
    size,
)

GB = 1024**3


def test_who_crawls_without_a_contact_is_told_how_to_give_one() -> None:
    assert of_contact("n8n-scraper/1 (you@example.org)", is_anonymous=False).state is State.OK
    anonymous = of_contact("n8n-scraper/1 (archive of public data)", is_anonymous=True)
    assert (anonymous.state, anonymous.remedy) == (State.WARN, "export CONTACT=you@example.org")


@pytest.mark.parametrize(
    ("skew", "state", "words"),
    [
        (0.4, State.OK, "as that of n8n.io"),
        (-3.0, State.OK, "3 s behind that of n8n.io"),
        (5.1, State.WARN, "5 s ahead of that of n8n.io"),
        (-121.0, State.BAD, "121 s behind that of n8n.io"),
    ],
)
def test_a_clock_may_be_off_by_seconds_and_not_by_minutes(
    skew: float, state: State, words: str
) -> None:
    found = of_clock("n8n.io", skew)

    assert (found.state, found.words) == (state, words)
    assert bool(found.remedy) == (state is not State.OK)


@pytest.mark.parametrize(
    ("free", "used", "state"),
    [
        (50 * 1024**2, 0, State.BAD),
        (GB // 2, 0, State.WARN),
        (2 * GB, 3 * GB, State.WARN),
        (4 * GB, 3 * GB, State.OK),
    ],
)
def test_there_has_to_be_room_for_what_an_upgrade_takes(free: int, used: int, state: State) -> None:
    assert of_disk("/data", free, used).state is state


def test_versions_that_are_not_as_pinned_are_named_with_what_is_wanted() -> None:
    assert of_versions("1", {"Scrapy": "2.19.0"}, {}).words == "n8n-scraper 1, Scrapy 2.19.0"

    other = of_versions("1", {}, {"scrapy": "2.18.0 (wanted 2.19.0)"})

    assert other.state is State.WARN
    assert other.words == "n8n-scraper 1; not as pinned: scrapy 2.18.0 (wanted 2.19.0)"
    assert other.remedy == "pip install -r requirements.txt -c constraints.txt"


def test_an_optional_part_that_is_not_installed_is_no_illness() -> None:
    lacking = of_extra("images", "what fetching pictures needs", {"pillow": None}, "r.txt")

    assert lacking.line() == (
        "ok   images       not installed: what fetching pictures needs → pip install -r r.txt"
    )
    assert of_extra("images", "", {"pillow": "13.0.0"}, "r.txt").words == "pillow 13.0.0"


@pytest.mark.parametrize(
    ("status", "forbidden", "obeys", "state"),
    [
        (200, [], True, State.OK),
        (404, [], True, State.OK),
        (200, ["https://n8n.io/workflows/1"], True, State.BAD),
        (200, ["https://n8n.io/workflows/1"], False, State.WARN),
        (429, [], True, State.WARN),
        (503, [], True, State.WARN),
    ],
)
def test_robots_txt_keeps_us_out_where_it_names_what_a_crawl_asks_for(
    status: int, forbidden: list[str], obeys: bool, state: State
) -> None:
    assert of_robots("n8n.io", status, forbidden, None, obeys=obeys).state is state


def test_the_distance_that_robots_txt_asks_for_is_told() -> None:
    found = of_robots("n8n.io", 200, [], 2.5, obeys=True)

    assert found.words == "n8n.io lets us ask what a crawl asks for, one request in 2.5 s"


def test_a_damaged_database_is_told_with_its_first_damages() -> None:
    assert of_soundness([]).state is State.OK
    assert of_soundness(["row 7 missing", "page 3"]).words.endswith("row 7 missing; page 3")


@pytest.mark.parametrize(
    ("number", "words"),
    [(0, "0 bytes"), (2048, "2.0 kB"), (576 * 1024, "576 kB"), (73 * GB, "73 GB")],
)
def test_a_size_is_said_as_a_person_does(number: int, words: str) -> None:
    assert size(number) == words


def test_the_worst_of_all_is_what_the_whole_is() -> None:
    findings: list[Finding] = [ok("a", ""), bad("b", ""), warn("c", "")]

    assert worst(findings) is State.BAD
    assert worst([findings[0], findings[2]]) is State.WARN
    assert worst([]) is State.OK
