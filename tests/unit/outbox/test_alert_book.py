"""Which alerts fire, over all processes that look, in both databases."""

from concurrent.futures import ThreadPoolExecutor
from itertools import chain

from n8n_scraper.ledger.database import Database
from n8n_scraper.outbox import alert_book
from n8n_scraper.outbox.alert_book import News
from n8n_scraper.policies.alerts.rules import Finding, Rule
from n8n_scraper.policies.alerts.telling import Cadence, Telling

FAILED = Finding(Rule.RUN_FAILED, "n8n", "it broke")
SLOW = Finding(Rule.SLOW, "n8n", "it takes its time")
OPEN = Finding(Rule.CIRCUIT_OPEN, "n8n.io", "left alone", for_seconds=600.0)
CADENCE = Cadence()


def look(
    database: Database, now: float, *found: Finding, rules: frozenset[Rule] = frozenset(Rule)
) -> list[tuple[str, Telling]]:
    news: list[News] = []
    database.do(lambda session: alert_book.note(session, found, rules, now, CADENCE, news.append))
    return [(one.alert.key, one.telling) for one in news]


def test_each_alert_is_told_once_and_its_end_once(database: Database) -> None:
    assert look(database, 0.0, FAILED, SLOW) == [
        ("run_failed:n8n", Telling.FIRES),
        ("slow:n8n", Telling.FIRES),
    ]
    assert look(database, 60.0, FAILED, SLOW) == []
    assert look(database, 120.0, FAILED) == [("slow:n8n", Telling.RECOVERED)]
    assert look(database, 180.0, FAILED) == []


def test_of_a_rule_that_was_not_looked_at_nothing_has_recovered(database: Database) -> None:
    look(database, 0.0, FAILED, SLOW)

    assert look(database, 60.0, SLOW, rules=frozenset({Rule.SLOW})) == []


def test_what_has_to_last_is_remembered_from_process_to_process(database: Database) -> None:
    assert look(database, 0.0, OPEN) == []
    assert look(database, 599.0, OPEN) == []
    assert look(database, 600.0, OPEN) == [("circuit_open:n8n.io", Telling.FIRES)]


def test_the_newest_words_and_how_often_it_has_begun_are_kept(database: Database) -> None:
    look(database, 0.0, FAILED)
    look(database, 10.0)
    look(database, 20.0, Finding(Rule.RUN_FAILED, "n8n", "it broke again"))

    (one,) = database.look(alert_book.alerts)

    assert (one.words, one.state.times, one.state.firing) == ("it broke again", 2, True)


def test_of_many_that_look_at_the_same_time_one_tells(database: Database) -> None:
    others = [Database(database.url.render_as_string(hide_password=False)) for _ in range(4)]

    with ThreadPoolExecutor(4) as threads:
        told = list(threads.map(lambda one: look(one, 0.0, FAILED, SLOW), others))
    for other in others:
        other.close()

    assert sorted(chain.from_iterable(told)) == [
        ("run_failed:n8n", Telling.FIRES),
        ("slow:n8n", Telling.FIRES),
    ]
