"""A doubt waits for a person, and no longer than two days."""

import pytest

from n8n_scraper.core.classified import Announced, Classified
from n8n_scraper.policies.announced.review import (
    Standing,
    Verdict,
    is_doubtful,
    is_event,
    standing,
)

ASKED = "2026-03-07T12:00:00.000Z"


@pytest.mark.parametrize(
    ("now", "stands"),
    [
        ("2026-03-07T12:00:00.000Z", Standing.WAITING),
        ("2026-03-09T11:59:59.999Z", Standing.WAITING),
        ("2026-03-09T12:00:00.000Z", Standing.PASSED),
    ],
)
def test_a_doubt_waits_for_forty_eight_hours(now: str, stands: Standing) -> None:
    assert standing(None, ASKED, now) is stands


@pytest.mark.parametrize("verdict", list(Verdict))
def test_what_a_person_has_said_holds_at_any_time(verdict: Verdict) -> None:
    assert standing(verdict, ASKED, ASKED) == standing(verdict, ASKED, "2036-01-01T00:00:00.000Z")


def test_a_person_is_asked_below_a_confidence_and_overrules_it() -> None:
    doubtful = Classified(Announced.ATTRACTION, 0.69, ())

    assert is_doubtful(doubtful)
    assert not is_doubtful(Classified(Announced.EVENT, 0.7, ()))
    assert not is_event(doubtful, None)
    assert is_event(doubtful, Verdict.ACCEPTED)
    assert not is_event(Classified(Announced.EVENT, 0.6, ()), Verdict.REJECTED)
