"""What is known of videos, and the templates that name them."""

import threading

import pytest

from n8n_scraper.core.transcript import Segment, Transcript, TranscriptOutcome
from n8n_scraper.ledger.database import Database
from n8n_scraper.records import transcripts
from n8n_scraper.records.transcripts_due import PATIENCE
from n8n_scraper.reports.media import transcripts_report
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.source import SOURCE
from tests import templates
from tests.unit.making import template

ONE, OTHER = "abcdefghijk", "AB_DEFGHIJK"


def words(video_id: str = ONE) -> Transcript:
    return Transcript(
        video_id=video_id,
        outcome=TranscriptOutcome.OK,
        language="en",
        generated=True,
        segments=[Segment(start=0.0, duration=1.5, text="Hello")],
        text="Hello",
    )


def ended(outcome: str, video_id: str = ONE) -> Transcript:
    return Transcript(video_id=video_id, outcome=outcome, reason="because")


def keep(database: Database, transcript: Transcript) -> None:
    database.do(lambda session: transcripts.store(session, transcript))


def naming(workflow_id: str, *video_ids: str) -> Template:
    text = " ".join(f"https://youtu.be/{video_id}" for video_id in video_ids)
    return template(workflow_id, description=f"Watch {text}")


def stored(database: Database, *items: Template) -> None:
    for item in items:
        database.do(lambda session, item=item: templates.save(session, item, []))


def settled(database: Database, item: Template, *, note: bool = True) -> transcripts.Settled:
    video_ids = [video.video_id for video in item.videos or []]
    return database.do(
        lambda session: transcripts.settle_item(
            session, SOURCE, item.workflow_id, video_ids, note=note
        )
    )


def known(database: Database, video_id: str) -> list[Transcript] | None:
    """What a template is given that names the video."""
    item = naming("99", video_id)
    stored(database, item)
    return settled(database, item).transcripts


def loaded(database: Database, workflow_id: str) -> Template:
    found = database.do(lambda session: templates.load(session, workflow_id))
    assert found is not None
    return found


def test_what_came_of_a_video_is_given_back_as_it_was(database: Database) -> None:
    keep(database, words())

    assert known(database, ONE) == [words()]


def test_a_stored_templates_videos_are_pending_and_it_says_so(database: Database) -> None:
    item = naming("7", ONE, OTHER)
    stored(database, item)

    result = settled(database, item)

    assert result.due == sorted([ONE, OTHER])
    found = loaded(database, "7")
    assert found.transcripts is None
    assert found.unobserved["transcripts"] == "the video host has not been asked yet"


def test_without_noting_nothing_becomes_pending(database: Database) -> None:
    item = naming("7", ONE)
    stored(database, item)

    assert settled(database, item, note=False).due == []
    assert database.do(transcripts.due) == []


def test_a_transcript_is_given_to_all_templates_that_name_its_video(database: Database) -> None:
    # Given three templates, two of which name the video
    items = [naming("7", ONE), naming("8", ONE, OTHER), naming("9", OTHER)]
    stored(database, *items)
    for item in items:
        settled(database, item)

    # When its words come
    keep(database, words())

    # Then those two have them, and the third still waits
    assert loaded(database, "7").transcripts == [words()]
    assert loaded(database, "7").sources["transcripts"] == "video host"
    assert "transcripts" not in loaded(database, "7").unobserved
    assert loaded(database, "8").transcripts == [
        words(),
        Transcript(video_id=OTHER, outcome=TranscriptOutcome.PENDING),
    ]
    assert loaded(database, "9").transcripts is None


def test_a_name_that_only_resembles_is_another_video(database: Database) -> None:
    # `_` stands for any character in LIKE
    item = naming("7", "ABxDEFGHIJK")
    stored(database, item)

    keep(database, words(OTHER))

    assert loaded(database, "7").transcripts is None


def test_a_template_that_comes_later_gets_what_is_known_and_nobody_is_asked(
    database: Database,
) -> None:
    keep(database, words())
    item = naming("7", ONE)
    stored(database, item)

    result = settled(database, item)

    assert result.transcripts == [words()]
    assert result.due == []
    assert loaded(database, "7").transcripts == [words()]


def test_a_refusal_leaves_the_template_without_and_the_video_due(database: Database) -> None:
    item = naming("7", ONE)
    stored(database, item)
    settled(database, item)

    keep(database, ended("blocked"))

    assert database.do(transcripts.due) == [ONE]
    found = loaded(database, "7")
    assert found.transcripts is None
    assert "refuses" in found.unobserved["transcripts"]


@pytest.mark.parametrize("outcome", ["no_captions", "disabled", "private", "removed"])
def test_what_is_settled_is_not_due_again(outcome: str, database: Database) -> None:
    keep(database, ended(outcome))

    assert database.do(lambda session: transcripts.due(session, retry_failed=True)) == []


def test_a_later_refusal_does_not_unsettle_what_is_known(database: Database) -> None:
    keep(database, words())

    keep(database, ended("blocked"))

    assert known(database, ONE) == [words()]


def test_who_was_asked_for_least_comes_first(database: Database) -> None:
    keep(database, ended("blocked", ONE))
    database.do(lambda session: transcripts.note_pending(session, [OTHER]))

    assert database.do(transcripts.due) == [OTHER, ONE]


def test_a_video_that_keeps_failing_waits_for_a_persons_word(database: Database) -> None:
    for _ in range(PATIENCE):
        keep(database, ended("failed"))

    assert database.do(transcripts.due) == []
    assert database.do(lambda session: transcripts.due(session, retry_failed=True)) == [ONE]


def test_templates_that_were_stored_without_a_note_are_found(database: Database) -> None:
    stored(database, naming("7", ONE), naming("8"), naming("9", ONE, OTHER))

    database.do(transcripts.note_all)
    database.do(transcripts.note_all)

    assert database.do(transcripts.due) == sorted([ONE, OTHER])
    assert transcripts_report(database).outcomes == {"pending": 2}


def test_a_template_stored_while_its_video_comes_is_not_forgotten(database: Database) -> None:
    # Given templates that are stored in one thread, each settled right after it
    items = [naming(str(number), ONE) for number in range(1, 30)]

    def crawl() -> None:
        for item in items:
            stored(database, item)
            settled(database, item)

    thread = threading.Thread(target=crawl)
    thread.start()
    # When the words come in the middle of it
    keep(database, words())
    thread.join()

    # Then every one of them has got them
    assert [loaded(database, item.workflow_id).transcripts for item in items] == [[words()]] * 29
