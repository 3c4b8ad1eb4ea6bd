"""An event is made of its list and its own page, with a reason for each null."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.core.dossier import Answer, Dossier, Planned
from n8n_scraper.core.outcomes import Outcome, PartStatus
from n8n_scraper.sources.events.event import read
from n8n_scraper.sources.events.ids import id_of_address
from n8n_scraper.sources.events.item import Issue, SiteEvent, broken_promises
from n8n_scraper.sources.events.kind import KIND
from n8n_scraper.sources.events.rules.carry_over import carry_over
from n8n_scraper.sources.events.rules.occasion import occasion_of
from n8n_scraper.sources.events.searched import document
from n8n_scraper.sources.events.source import DETAIL, LIST
from tests.unit.sources.events.given import HINTS, SEEN, a_page, a_piece, linked_data, made

OWN = "https://city.example/event/lanterns"
ID = id_of_address("city", OWN)


def of_list(**said: object) -> SiteEvent:
    return made(ID, list=a_piece(a_page(linked_data(**said))))


def test_every_field_has_a_value_or_a_reason() -> None:
    event = of_list()

    assert broken_promises(event) == []
    assert (event.site, event.title, event.location) == ("city", "Lanterns", "Harbour Hall")
    assert (event.start, event.end) == ("2026-12-05T12:00:00Z", "2026-12-05T14:00:00Z")
    assert event.sources["start"] == "list json-ld"
    assert event.unobserved["price"] == "the site gives none"
    assert (event.is_free, event.unobserved["is_free"]) == (None, "the site gives none")
    assert event.quality is not None
    assert event.quality.coverage == 1.0


def test_the_event_s_own_page_completes_what_the_list_says() -> None:
    listed = a_piece(a_page(linked_data(description=None, endDate=None)), detail=OWN)
    own = a_page(linked_data(url=None, name="Lanterns on the Pier"), linked_data(name="Other"))

    event = made(ID, list=listed, detail=a_piece(own, OWN))

    assert event.title == "Other"  # it is the one that names the page as its own
    one = made(ID, list=listed, detail=a_piece(a_page(linked_data(url=None)), OWN))
    assert (one.description, one.sources["description"]) == ("By the water.", "detail json-ld")
    assert (one.end, one.url) == ("2026-12-05T14:00:00Z", OWN)


def test_an_event_of_which_the_list_has_only_a_link_is_its_own_page() -> None:
    event = made(ID, list=a_piece(b"", detail=OWN), detail=a_piece(a_page(linked_data()), OWN))

    assert event.outcome is Outcome.COMPLETE
    assert event.parts[LIST].status is PartStatus.SKIPPED
    assert broken_promises(event) == []


def test_a_status_is_what_the_site_says_and_a_list_says_that_it_takes_place() -> None:
    silent = of_list()
    cancelled = of_list(eventStatus="https://schema.org/EventCancelled")

    assert (silent.status, silent.sources["status"]) == ("active", "listed")
    assert (cancelled.status, cancelled.sources["status"]) == ("cancelled", "list json-ld")


@pytest.mark.parametrize(
    ("start", "end", "issues"),
    [
        ("2026-09-20T20:00:00+08:00", "2026-09-20T22:00:00+08:00", []),
        ("2026-09-19T20:00:00+08:00", "2026-09-19T22:00:00+08:00", [Issue.LONG_OVER]),
        ("2025-01-01T20:00:00+08:00", "2026-12-31T22:00:00+08:00", []),
        ("2028-11-18T08:00:00+08:00", "2028-11-18T22:00:00+08:00", []),
        ("2028-11-19T20:00:00+08:00", "2028-11-19T22:00:00+08:00", [Issue.FAR_AHEAD]),
    ],
)
def test_what_lies_too_far_away_is_told_and_kept(start: str, end: str, issues: list[Issue]) -> None:
    event = of_list(startDate=start, endDate=end)

    assert event.issues == issues
    assert KIND.issues is not None
    assert len(KIND.issues.words([str(one) for one in event.issues])) == len(issues)


def test_words_that_nobody_understands_make_no_time() -> None:
    hints = replace(HINTS, selectors={"title": "h3", "date": "p"})
    body = "<div><h3>Lanterns</h3><p>When the moon is full, or 31/2/2027</p></div>"
    dossier = Dossier(Planned(ID), started=0.0)
    piece = a_piece(a_page(body=body), OWN, hints=hints)

    event = made(ID, detail=piece)

    assert event.start is None
    assert event.unobserved["start"]
    assert broken_promises(event) == []
    assert dossier.parts == {}


def test_an_answer_that_does_not_speak_of_the_event_settles_its_part_with_the_reason() -> None:
    dossier = Dossier(Planned(ID), started=0.0)
    several = a_page(linked_data(url="/a"), linked_data(url="/b"))
    for part, body in ((LIST, several), (DETAIL, several), (DETAIL, a_page())):
        read(dossier, Answer(part, OWN, 200, a_piece(body, OWN).written(), SEEN))

        assert dossier.parts[part].status is PartStatus.FAILED
        assert dossier.parts[part].category == "bad_content"
    assert dossier.parts[DETAIL].reason == "the page has no event"


@given(st.binary(max_size=300), st.sampled_from((LIST, DETAIL)))
def test_whatever_the_bytes_are_reading_raises_nothing(body: bytes, part: str) -> None:
    dossier = Dossier(Planned(ID), started=0.0)
    piece = a_piece(body or b"x", OWN).written()

    for kept in (body, piece):
        read(dossier, Answer(part, OWN, 200, kept, SEEN))

        assert dossier.parts[part].status in (PartStatus.FAILED, PartStatus.OK)


def test_a_page_that_says_nothing_to_programs_is_no_failure_where_the_list_speaks() -> None:
    listed = a_piece(a_page(linked_data(description=None)), detail=OWN)

    event = made(ID, list=listed, detail=a_piece(a_page(body="Words alone"), OWN))

    state = event.parts[DETAIL]
    assert (state.status, state.category) == (PartStatus.MISSING, "bad_content")
    assert (event.outcome, event.title) == (Outcome.PARTIAL, "Lanterns")


def test_a_page_that_could_not_be_had_leaves_what_it_has_said() -> None:
    # Given an event whose page has told its description, and then answers no more
    listed = a_piece(a_page(linked_data(description=None)), detail=OWN)
    own = a_piece(a_page(linked_data(url=None)), OWN)
    before = made(ID, list=listed, detail=own)
    lost = made(ID, list=listed, detail=a_piece(b"<html></html>", OWN))
    assert (lost.description, lost.outcome) == (None, Outcome.PARTIAL)

    # When it is stored
    whole = carry_over(before.model_dump(mode="json"), lost)

    # Then it has what was said, and what follows from it
    assert (whole.description, whole.sources["description"]) == ("By the water.", "detail json-ld")
    assert whole.content_hash == before.content_hash
    assert broken_promises(whole) == []
    assert lost.description is None
    # and of a page that says nothing of it any more, nothing is taken over
    silent = made(ID, list=listed, detail=a_piece(a_page(linked_data(description=None)), OWN))
    assert carry_over(before.model_dump(mode="json"), silent) is silent


def test_a_changed_start_is_a_revision_with_what_it_was() -> None:
    before, now = of_list(), of_list(startDate="2026-12-06T20:00:00+08:00", endDate=None)

    records = [one.model_dump(mode="json") for one in (before, now)]
    contents = [KIND.authored.observed(one) for one in records]
    changed = KIND.authored.changes(*contents, ())

    assert changed["start"] == {"old": "2026-12-05T12:00:00Z", "new": "2026-12-06T12:00:00Z"}
    assert changed["end"]["new"] is None
    assert before.content_hash != now.content_hash


def test_what_is_searched_and_compared_of_an_event() -> None:
    record = of_list(eventStatus="https://schema.org/EventPostponed").model_dump(mode="json")

    found, occasion = document(record, ()), occasion_of(record)

    assert (found.title, found.facets["site"], found.facets["year"]) == (
        *("Lanterns", ("city",)),
        ("2026",),
    )
    assert found.facets["status"] == ("postponed",)
    assert (occasion.site, occasion.day) == ("city", date(2026, 12, 5).isoformat())
    assert (occasion.moment, occasion.venues) == ("2026-12-05T12:00:00Z", ("Harbour Hall",))
