"""What a page of events announces, and how sure that is."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from n8n_scraper.core.classified import Announced
from n8n_scraper.policies.announced.classify import LOOKED_AT, classify
from n8n_scraper.policies.announced.labels import ALWAYS_THERE, LABELS
from n8n_scraper.policies.announced.review import is_doubtful
from n8n_scraper.policies.sameness.words import plain
from tests.thoroughness import at_length

CONCERT = {
    "title": "Nocturnes by Lamplight",
    "start": "2026-03-07T12:00:00Z",
    "end": "2026-03-07T14:00:00Z",
    "all_day": False,
    "location": "City Hall",
    "price": "MOP 180",
    "description": "An evening.",
    "schedule": "7 Mar 2026, 8pm",
    "sources": {"title": "list selectors"},
    "scraped_at": "2026-01-05T12:00:00.000Z",
}
NOTHING = dict.fromkeys(CONCERT)


@pytest.mark.parametrize(
    ("record", "kind"),
    [
        (CONCERT, Announced.EVENT),
        (NOTHING | {"title": "Lights", "start": "2026-03-07T12:00:00Z"}, Announced.EVENT),
        (CONCERT | {"start": None, "sources": {"title": "list json-ld"}}, Announced.EVENT),
        (
            NOTHING
            | {"title": "Sky Bridge", "location": "North Tower", "schedule": "Daily 10am-6pm"},
            Announced.ATTRACTION,
        ),
        (NOTHING | {"title": "Learn More"}, Announced.INVALID),
        (NOTHING | {"title": "--"}, Announced.INVALID),
        (NOTHING, Announced.INVALID),
    ],
)
def test_what_is_plain_is_told_for_sure(record: dict[str, Any], kind: Announced) -> None:
    found = classify(record)

    assert found.kind is kind
    assert not is_doubtful(found)
    assert found.reasons


@pytest.mark.parametrize(
    ("record", "kind"),
    [
        (CONCERT | {"title": "Home"}, Announced.EVENT),
        (CONCERT | {"start": "2099-01-01T00:00:00Z", "end": None}, Announced.EVENT),
        (
            CONCERT | {"end": "2029-03-07T14:00:00Z", "all_day": True, "price": None},
            Announced.EVENT,
        ),
        (
            NOTHING | {"title": "Sky Bridge", "location": "North Tower", "description": "High."},
            Announced.EVENT,
        ),
        (NOTHING | {"title": "Something"}, Announced.INVALID),
    ],
)
def test_what_could_be_either_is_doubtful(record: dict[str, Any], kind: Announced) -> None:
    found = classify(record)

    assert found.kind is kind
    assert 0.5 <= found.confidence < 0.7
    assert is_doubtful(found)


@pytest.mark.parametrize(
    "title",
    [
        *("Home and Away", "The Menu: a comedy", "Every Daydream", "Events of a Life"),
        *("An Evening in Deutsch", "It Is En Pointe", "404 Drummers"),
    ],
)
def test_no_title_is_judged_by_a_piece_of_it(title: str) -> None:
    assert classify(CONCERT | {"title": title}) == classify(CONCERT)


def test_the_weightiest_reason_comes_first() -> None:
    reasons = classify(CONCERT).reasons

    assert reasons[0] == "event: it begins at a time of day"
    assert reasons[-1].startswith("event: ")


def test_labels_and_phrases_are_written_as_they_are_looked_for() -> None:
    assert [one for one in (*LABELS, *ALWAYS_THERE) if plain(one) != one] == []


texts = st.one_of(st.none(), st.text(max_size=12), st.sampled_from([*LABELS, *ALWAYS_THERE]))
moments = st.one_of(
    st.none(), st.datetimes().map(lambda one: f"{one:%Y-%m-%dT%H:%M:%S}".zfill(19) + "Z")
)


@given(
    st.fixed_dictionaries(
        dict.fromkeys(LOOKED_AT, texts)
        | {"start": moments, "end": moments, "scraped_at": moments}
        | {"all_day": st.sampled_from([None, True, False]), "sources": st.none()}
    )
)
@settings(max_examples=at_length(80), deadline=None)
def test_every_record_is_something_with_a_confidence(record: dict[str, Any]) -> None:
    found = classify(record)

    assert 0 < found.confidence <= 1
    assert classify(dict(reversed(list(record.items())))) == found
