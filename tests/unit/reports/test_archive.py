"""The archive as a whole."""

from sqlalchemy import update

from n8n_scraper.ledger.database import Database
from n8n_scraper.reports.archive import archive_report
from n8n_scraper.sources.n8n.source import SOURCE
from n8n_scraper.sources.n8n.tables import WorkflowRow
from tests import templates
from tests.unit.ledger.given import a_run
from tests.unit.making import dossier, template


def two_templates(database: Database) -> str:
    """Given two templates, one of them removed since and without a description."""
    run_id = a_run(database, "7", "8")
    for day, (number, words) in enumerate((("7", "words"), ("8", None)), 1):
        item = template(number, run_id, description=words)
        kept = list(dossier(number).answers.values())
        item.scraped_at = f"2026-11-0{day}T00:00:00.000Z"
        database.do(lambda session, item=item, kept=kept: templates.save(session, item, kept))
    gone = update(WorkflowRow).where(WorkflowRow.workflow_id == "8")
    database.do(lambda session: session.execute(gone.values(removed_at="2026-11-03")))
    return run_id


def test_it_tells_how_many_there_are_and_how_old(database: Database) -> None:
    run_id = two_templates(database)

    report = archive_report(database, [SOURCE])

    [source] = report.sources
    assert (source.items, source.present, source.removed) == (2, 1, 1)
    assert sum(source.outcomes.values()) == 2
    assert (source.oldest, source.newest) == (
        "2026-11-01T00:00:00.000Z",
        "2026-11-02T00:00:00.000Z",
    )
    assert (source.versions, source.events, source.raw_answers) == (2, 2, 4)
    assert source.raw_bytes > 1_000
    assert (report.runs, report.last_run) == (1, run_id)


def test_it_tells_how_large_it_is_without_its_password(database: Database) -> None:
    two_templates(database)

    report = archive_report(database, [SOURCE])

    assert report.bytes > 10_000
    assert report.database == database.name


def test_it_tells_of_each_field_how_many_have_it(database: Database) -> None:
    two_templates(database)

    [source] = archive_report(database, [SOURCE]).sources
    coverage = {one.field: one for one in source.coverage}

    assert (coverage["title"].present, coverage["title"].percent) == (2, 100.0)
    assert (coverage["description"].present, coverage["description"].percent) == (1, 50.0)
    assert "removed_at" not in coverage
    assert "outcome" not in coverage  # no template is without


def test_an_empty_archive_divides_by_nothing(database: Database) -> None:
    report = archive_report(database, [SOURCE])

    [source] = report.sources
    assert (source.items, source.newest, report.last_run) == (0, None, None)
    assert {one.percent for one in source.coverage} == {None}
