"""How the scores of a source are spread."""

import json

from sqlalchemy import text

from n8n_scraper.core.source import Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.reports.quality import IssueReport, Scored, issue_reports, score_report
from n8n_scraper.sources import source_of
from tests import templates
from tests.unit.making import template

SCORES = {"1": 0.0, "2": 4.9, "3": 5.0, "4": 97.5, "5": 100.0}


def test_each_score_is_in_the_span_that_it_begins(database: Database) -> None:
    for number in (*SCORES, "6"):
        database.do(lambda session, one=number: templates.save(session, template(one), []))
    with database.engine.begin() as connection:
        change = text("UPDATE workflows SET quality_score = :score WHERE workflow_id = :id")
        for number in (*SCORES, "6"):
            connection.execute(change, {"id": number, "score": SCORES.get(number)})

    report = score_report(database, source_of("n8n"), "quality_score")

    assert {one.begins: one.items for one in report.spans if one.items} == {0: 2, 5: 1, 95: 2}
    assert (report.scored, report.unscored) == (5, 1)
    assert [(one.item_id, one.score) for one in report.lowest[:2]] == [("1", 0.0), ("2", 4.9)]
    assert isinstance(report.lowest[0], Scored)


def test_without_items_there_is_no_mean(database: Database) -> None:
    report = score_report(database, source_of("n8n"), "quality_score")

    assert (report.scored, report.mean, report.lowest) == (0, None, ())


def test_the_commonest_issue_comes_first_with_items_that_have_it(
    quotes: Source, database: Database
) -> None:
    issues = {
        "1": ["short", "odd"],
        "2": ["short"],
        "3": ["short: here", "short: there"],
        "4": ["odd"],
        "5": [],
    }
    for number in issues:
        database.do(lambda session, one=number: templates.save(session, template(one), []))
    with database.engine.begin() as connection:
        change = text("UPDATE workflows SET quality = :quality WHERE workflow_id = :id")
        for number, messages in issues.items():
            found = [{"layer": "json", "message": one} for one in messages]
            quality = json.dumps({"issues": found}) if found else None
            connection.execute(change, {"id": number, "quality": quality})

    assert issue_reports(database, source_of("n8n")) == (
        IssueReport("json: short", 3, ("1", "2", "3")),
        IssueReport("json: odd", 2, ("1", "4")),
    )
    assert issue_reports(database, quotes) == ()
