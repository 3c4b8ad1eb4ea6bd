"""What a tool has brought is remembered, and told."""

from n8n_scraper.ledger import tool_attempts
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.tool_attempts import name_of_attempts
from n8n_scraper.policies.tools.ladder import KEPT_ATTEMPTS, Attempt, Tool
from n8n_scraper.reports.tools import attempts_of, tool_reports

NOW = 1_800_000_000.0


def note(database: Database, *attempts: Attempt, source: str = "quotes") -> None:
    for one in attempts:
        database.do(lambda session, one=one: tool_attempts.note(session, source, one))  # type: ignore[misc]


def test_the_last_ten_of_each_tool_of_a_source_are_kept(database: Database) -> None:
    many = [
        Attempt(Tool.HTTP, NOW + number, 0.5, 0.25, 0.0, 2) for number in range(KEPT_ATTEMPTS + 3)
    ]
    other = Attempt(Tool.DEVTOOLS, NOW - 99.5, None, 3.0, 0.0)

    note(database, *many, other)
    note(database, other, source="elsewhere")

    kept = database.look(lambda session: attempts_of(session, "quotes"))
    assert kept == [other, *many[-KEPT_ATTEMPTS:]]
    assert database.look(lambda session: attempts_of(session, "elsewhere")) == [other]


def test_what_they_brought_and_cost_is_summed_up(database: Database) -> None:
    note(
        database,
        Attempt(Tool.FIRECRAWL, NOW, 1.0, 4.0, 1.0, 3),
        Attempt(Tool.FIRECRAWL, NOW + 1, 0.5, 2.0, 5.0, 1),
        Attempt(Tool.FIRECRAWL, NOW + 2, None, 90.0, 0.0),
        Attempt(Tool.HTTP, NOW, None, 0.5, 0.0),
    )

    http, firecrawl = tool_reports(database, "quotes")

    assert (http.tool, http.answered, http.coverage, http.cost_an_item) == ("http", 0, None, None)
    assert (firecrawl.attempts, firecrawl.answered, firecrawl.items) == (3, 2, 4)
    assert (firecrawl.coverage, firecrawl.seconds) == (0.75, 32.0)
    assert (firecrawl.cost_an_item, firecrawl.seconds_an_item) == (1.5, 24.0)


def test_a_source_of_many_places_is_told_place_by_place(database: Database) -> None:
    note(database, Attempt(Tool.HTTP, NOW, 1.0, 0.5, 0.0, 2), source=name_of_attempts("q", "b"))
    note(database, Attempt(Tool.HTTP, NOW, 0.5, 0.5, 0.0, 2), source=name_of_attempts("q", "a_1"))
    note(database, Attempt(Tool.DEVTOOLS, NOW, 1.0, 5.0, 0.0, 2), source="quotes")

    told = [(one.place, one.tool, one.coverage) for one in tool_reports(database, "q")]

    assert told == [("a_1", "http", 0.5), ("b", "http", 1.0)]
    assert [one.place for one in tool_reports(database, "quotes")] == [None]
