"""Twenty thousand announcements compared, at once and one after the other; `make bench`.

Three sites announce in two years; every fifth happening is announced by two of them, the second
time with another spelling, on the next day, in another room, or under the same page.
"""

import time
from dataclasses import replace
from datetime import date, timedelta
from random import Random
from statistics import median

import pytest

from n8n_scraper.core.occasion import Occasion, Occasions
from n8n_scraper.ledger.database import Database
from n8n_scraper.policies.sameness.comparing import prepare
from n8n_scraper.policies.sameness.pairing import pairs
from n8n_scraper.records import matches
from n8n_scraper.sources.hk_events.kind import KIND
from n8n_scraper.sources.hk_events.source import SOURCE

pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]

ANNOUNCEMENTS = 20_000
STORED_LAST = 500
MOST_SECONDS = 2.0
MOST_MILLISECONDS = 10.0
WORDS = (
    "harbour nocturne lantern paper drums river autumn strings shadow puppet garden moon piano "
    "recital opera excerpts family storytelling dance night songs festival quartet brass choir"
)
PLACES = ("Sha Tin", "Tuen Mun", "Tsuen Wan", "Ko Shan", "Sai Wan Ho", "Yuen Long", "Tai Po")
ROOMS = ("Town Hall", "Theatre", "Town Hall (Auditorium)", "Public Library", "Civic Centre")


def announcements(number: int) -> list[Occasion]:
    """Make them up; the same every time."""
    chance, words, made = Random(13), WORDS.split(), list[Occasion]()
    while len(made) < number:
        day = date(2026, 1, 1) + timedelta(days=chance.randrange(730))
        one = Occasion(
            site=chance.choice("abc"),
            titles=(" ".join(chance.choices(words, k=chance.randint(2, 6))).title(),),
            day=day.isoformat(),
            moment=f"{day}T{chance.randint(6, 14):02}:00:00Z",
            venues=(f"{chance.choice(PLACES)} {chance.choice(ROOMS)}",),
            addresses=(f"https://example.org/{len(made)}",),
        )
        made.append(one)
        if chance.random() < 0.25:
            made.append(_again(one, chance))
    return made[:number]


def _again(one: Occasion, chance: Random) -> Occasion:
    """Give it as another site announces it."""
    next_day = (date.fromisoformat(one.day or "") + timedelta(days=1)).isoformat()
    said = chance.choice(
        (
            {"titles": (one.titles[0].upper() + "!",), "addresses": ()},
            {"titles": (one.titles[0] + "s",), "day": next_day, "addresses": ()},
            {"titles": (f"{one.titles[0]}: an evening to remember",), "venues": ()},
        )
    )
    return replace(one, site=f"not {one.site}", **said)


@pytest.fixture(scope="module")
def made() -> list[Occasion]:
    return announcements(ANNOUNCEMENTS)


def test_all_are_compared_in_about_a_second(made: list[Occasion]) -> None:
    began = time.process_time()
    ready = {number: one for number, each in enumerate(made) if (one := prepare(each))}
    prepared = time.process_time()
    found = list(pairs(ready))
    took = time.process_time() - began

    again = sum(one.site.startswith("not") for one in made)
    print(
        f"\n{len(ready)} announcements, {again} of them a second time: {len(found)} pairs in "
        f"{took:.2f} s, {prepared - began:.2f} of them to make them ready"
    )
    assert len(found) >= again
    assert took <= MOST_SECONDS


def test_one_that_is_stored_is_compared_with_those_of_its_days_in_milliseconds(
    made: list[Occasion], tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = Database(f"sqlite:///{tmp_path_factory.mktemp('sameness')}/a.db")
    kind = replace(KIND, occasions=Occasions((), lambda record: made[record["number"]]))
    monkeypatch.setattr("n8n_scraper.core.source._kind_at", lambda _home: kind)
    spent = list[float]()

    def store(session: object) -> None:
        for number in range(len(made)):
            began = time.process_time()
            matches.note(session, SOURCE, str(number), {"number": number})  # type: ignore[arg-type]
            spent.append(1_000 * (time.process_time() - began))

    database.do(store)
    database.close()

    last = sorted(spent[-STORED_LAST:])
    print(f"\none among {len(made)}: {median(last):.2f} ms, p95 {last[int(0.95 * len(last))]:.2f}")
    assert median(last) <= MOST_MILLISECONDS
