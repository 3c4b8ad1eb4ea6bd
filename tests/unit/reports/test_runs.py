"""Runs for people and machines to look at."""

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text, update

from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.dossier import Planned
from n8n_scraper.core.errors import BadInput
from n8n_scraper.ledger import domains, ledger
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import Closing, NewRun, RunStatus, State
from n8n_scraper.ledger.tables import RunItemRow, RunRow
from n8n_scraper.policies.pace.circuit import CircuitState
from n8n_scraper.policies.pace.pace import PaceState
from n8n_scraper.policies.pace.token_bucket import BucketState
from n8n_scraper.policies.run.standing import RunStands, Standing
from n8n_scraper.reports import runs
from n8n_scraper.sources.n8n.item import Outcome

SETTINGS = {"RATE_LIMIT_RATE": "2", "RATE_LIMIT_BURST": "5", "JOBDIR": "state"}
NEW = NewRun(
    "workflows",
    "n8n",
    "https://n8n.io",
    {"limit": "3"},
    SETTINGS,
    {"n8n-scraper": "1"},
    "scrapy crawl workflows",
)
NO_OUTCOMES = dict.fromkeys(map(str, Outcome), 0)


def a_run(database: Database, *ids: str, new: NewRun = NEW) -> str:
    run_id, _ = database.do(lambda session: ledger.start_run(session, new, "box:1:x"))
    planned = [Planned(workflow_id) for workflow_id in ids]
    database.do(lambda session: ledger.plan(session, run_id, planned, first=0))
    return run_id


def close(database: Database, run_id: str, workflow_id: str, outcome: Outcome, **why: str) -> None:
    state = ledger.STATE_OF_OUTCOME[outcome]
    closing = Closing(workflow_id, state, outcome, duration=float(workflow_id), **why)
    database.do(lambda session: ledger.close_item(session, run_id, closing))


def end(database: Database, run_id: str, status: RunStatus, **totals: int) -> None:
    database.do(lambda session: ledger.end_run(session, run_id, status, "finished", totals))


def change(database: Database, run_id: str, **values: object) -> None:
    database.do(
        lambda session: session.execute(
            update(RunRow).where(RunRow.run_id == run_id).values(**values)
        )
    )


def note(database: Database, run_id: str, at: str, left: int, **outcomes: int) -> None:
    counts = NO_OUTCOMES | outcomes
    database.do(lambda session: runs.note_counts(session, run_id, counts, left, at, at))


def seen(database: Database, name: str | None = None, now: float | None = None) -> RunStands:
    return database.look(lambda session: runs.stands(session, runs.find(session, name), now))


def ago(seconds: float) -> str:
    moment = datetime.now(UTC) - timedelta(seconds=seconds)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def test_a_run_is_found_by_its_name_its_beginning_or_as_the_last(database: Database) -> None:
    first, last = a_run(database), a_run(database)
    change(database, last, started_at=ago(-60))

    def named(name: str | None) -> str:
        return database.look(lambda session: runs.find(session, name).run_id)

    assert named(first) == first
    assert named(first[:-1]) == first
    assert named("last") == named(None) == last


@pytest.mark.parametrize(
    ("name", "words"), [("2", "more than one run"), ("9", "there is no run"), ("%", "there is no")]
)
def test_a_name_that_means_no_one_run_is_refused(name: str, words: str, database: Database) -> None:
    a_run(database)
    a_run(database)

    with pytest.raises(BadInput, match=words):
        seen(database, name)


def test_a_database_without_runs_says_so(database: Database) -> None:
    with pytest.raises(BadInput, match="no run is in this database yet"):
        seen(database)


def test_a_live_run_is_told_by_what_its_process_noted_and_what_ended_since(
    database: Database,
) -> None:
    # Given a process that noted its counts some seconds ago, and has ended two more since
    run_id = a_run(database, "1", "2", "3", "4")
    change(database, run_id, discovered_at=ago(60))
    close(database, run_id, "1", Outcome.COMPLETE)
    note(database, run_id, utc_now(), left=3, complete=1)
    time.sleep(0.005)  # times are told in milliseconds
    close(database, run_id, "2", Outcome.COMPLETE)
    close(database, run_id, "3", Outcome.GONE)

    run = seen(database)

    assert run.standing is Standing.LIVE
    assert run.outcomes == NO_OUTCOMES | {"complete": 2, "gone": 1}
    assert run.left == 1


def test_what_was_noted_before_all_was_planned_counts_for_nothing(database: Database) -> None:
    # Given a note of the first moment, when nothing was planned yet
    run_id = a_run(database, "1", "2", "3")
    note(database, run_id, ago(5), left=0)
    close(database, run_id, "1", Outcome.COMPLETE)

    while_planning = seen(database)
    change(database, run_id, discovered_at=ago(1))
    just_planned = seen(database)

    assert while_planning.still_planning
    assert (while_planning.done, while_planning.left) == (1, 2)
    assert (just_planned.done, just_planned.left) == (1, 2)


def test_a_stale_run_is_counted_one_by_one(database: Database) -> None:
    # Given a process that died with a note that was never true
    run_id = a_run(database, "1", "2", "3")
    close(database, run_id, "1", Outcome.COMPLETE)
    note(database, run_id, ago(3600), left=9, complete=9)
    change(database, run_id, lease_until=time.time() - 1)

    run = seen(database)

    assert run.standing is Standing.STALE
    assert (run.done, run.left) == (1, 2)
    assert run.templates_per_second is None
    assert run.can_go_on


def test_an_ended_run_is_told_by_its_totals(database: Database) -> None:
    run_id = a_run(database, "1")
    end(database, run_id, RunStatus.STOPPED, complete=7, left=2, exit_status=4)

    run = seen(database)

    assert run.standing is Standing.ENDED
    assert (run.done, run.left, run.exit_status) == (7, 2, 4)


def test_a_process_that_was_ended_notes_nothing_more(database: Database) -> None:
    run_id = a_run(database, "1")
    end(database, run_id, RunStatus.FINISHED, complete=1, left=0, exit_status=0)

    note(database, run_id, utc_now(), left=5)

    assert seen(database).exit_status == 0


def test_the_rate_and_the_rest_come_from_the_last_two_minutes(database: Database) -> None:
    # Given a crawl that is an hour old, ends one template every two seconds, and was slower before
    ids = [str(number) for number in range(1, 201)]
    run_id = a_run(database, *ids)
    closed = [ago(118 - 2 * place) for place in range(60)] + [ago(3000)] * 40
    for workflow_id, at in zip(ids, closed, strict=False):
        close(database, run_id, workflow_id, Outcome.COMPLETE)
        database.do(
            lambda session, one=workflow_id, at=at: session.execute(
                update(RunItemRow).where(RunItemRow.item_id == one).values(closed_at=at)
            )
        )
    change(database, run_id, started_at=ago(3600))
    note(database, run_id, ago(3600), left=200)

    run = seen(database)

    assert run.done == 100
    assert run.templates_per_second == pytest.approx(0.5, rel=0.02)
    assert run.seconds_left == pytest.approx(200, rel=0.02)


def test_bucket_and_breaker_come_from_what_the_crawl_noted_of_its_domain(
    database: Database,
) -> None:
    run_id = a_run(database, "1")
    now = time.time()
    states = {
        "n8n.io": PaceState(BucketState(0.5, now - 1), CircuitState()),
        "i.ytimg.com": PaceState(
            BucketState(5, now), CircuitState(10, now - 20, 60.0, "timeout", "/x")
        ),
    }
    database.do(lambda session: domains.save(session, states))

    run = seen(database, run_id, now)

    assert run.bucket is not None
    assert (run.bucket.tokens, run.bucket.burst) == (pytest.approx(2.5), 5)
    assert [(one.domain, one.seconds) for one in run.left_alone] == [
        ("i.ytimg.com", pytest.approx(40))
    ]


def test_a_rate_that_was_learned_and_a_domain_that_is_held_are_told(database: Database) -> None:
    a_run(database, "1")
    now = time.time()
    state = PaceState(BucketState(1, now, held_until=now + 30), CircuitState(), 1.4)
    database.do(lambda session: domains.save(session, {"n8n.io": state}))

    bucket = seen(database, None, now).bucket

    assert bucket is not None
    assert (bucket.tokens, bucket.burst, bucket.rate, bucket.learned) == (0.0, 1, 1.4, True)


def test_a_run_that_kept_no_limits_has_no_bucket(database: Database) -> None:
    a_run(
        database,
        "1",
        new=NewRun("workflows", "n8n", "https://n8n.io", {}, {}, {}, "scrapy crawl workflows"),
    )

    assert seen(database).bucket is None


def test_other_runs_that_nobody_ended_are_listed(database: Database) -> None:
    mine, other, ended = a_run(database), a_run(database), a_run(database)
    end(database, ended, RunStatus.FINISHED, left=0)

    found = database.look(lambda session: runs.others_under_way(session, but=mine))

    assert [run.run_id for run in found] == [other]
    everything = database.look(runs.newest)
    assert {run.run_id for run in everything} == {mine, other, ended}


def test_details_tell_categories_the_slowest_and_the_failures(database: Database) -> None:
    run_id = a_run(database, "1", "2", "3")
    close(database, run_id, "1", Outcome.COMPLETE)
    close(database, run_id, "2", Outcome.FAILED, category="timeout", reason="it took too long")

    details = database.look(lambda session: runs.details(session, runs.find(session, run_id)))

    assert {(one["outcome"], one["category"]): one["number"] for one in details.by_category} == {
        ("complete", None): 1,
        ("failed", "timeout"): 1,
    }
    assert [one["item_id"] for one in details.slowest] == ["2", "1"]
    assert [(one["item_id"], one["reason"]) for one in details.failures] == [
        ("2", "it took too long")
    ]
    assert details.failed == 1


@pytest.mark.parametrize("state", [None, "pending"])
def test_items_come_page_by_page_each_once(state: str | None, database: Database) -> None:
    # Given more items than a page has, some of them in the same place of the inventory
    ids = [str(number) for number in range(2_345)]
    run_id = a_run(database, *ids)
    database.do(
        lambda session: session.execute(
            update(RunItemRow).where(RunItemRow.position > 900).values(position=901)
        )
    )

    pages = list(runs.items(database, run_id, state))

    found = [item["item_id"] for page in pages for item in page]
    assert max(map(len, pages)) == 1_000
    assert len(pages) < 10
    assert sorted(found, key=int) == ids


def test_all_items_come_in_the_order_of_their_numbers(database: Database) -> None:
    run_id = a_run(database, "10", "9", "2462", "100", "1")

    [*pages] = runs.items(database, run_id)

    found = [item["item_id"] for page in pages for item in page]
    assert found == ["1", "9", "10", "100", "2462"]


def test_items_are_narrowed_down(database: Database) -> None:
    run_id = a_run(database, "1", "2", "3")
    close(database, run_id, "1", Outcome.COMPLETE)
    close(database, run_id, "2", Outcome.GONE)

    def ids(**which: object) -> list[str]:
        pages = runs.items(database, run_id, **which)  # type: ignore[arg-type]
        return [item["item_id"] for page in pages for item in page]

    assert ids(state="pending") == ["3"]
    assert ids(outcome="gone") == ["2"]
    assert ids(state="done", outcome="gone") == []
    assert ids(limit=2) == ["1", "2"]


def test_what_failed_is_pending_again_and_the_run_can_go_on(database: Database) -> None:
    # Given a finished run with a failed and a blocked template
    run_id = a_run(database, "1", "2", "3", "4")
    close(database, run_id, "1", Outcome.COMPLETE)
    close(database, run_id, "2", Outcome.FAILED, category="timeout")
    close(database, run_id, "3", Outcome.BLOCKED, category="forbidden")
    close(database, run_id, "4", Outcome.GONE)
    end(database, run_id, RunStatus.FINISHED, left=0, exit_status=3)
    before = database.do(lambda session: session.get(RunRow, run_id))
    assert before is not None

    run, number = database.do(lambda session: runs.retry_failed(session, "last"))

    assert number == 2
    assert (run.status, run.done, run.left, run.can_go_on) == ("stopped", 2, 2, True)
    again = database.do(lambda session: ledger.resume_run(session, run_id, NEW, "box:2:y"))
    assert again is not None
    assert again.fence > before.fence + 1  # a process that was held up comes too late
    tally = database.do(lambda session: ledger.tally(session, run_id))
    assert tally.states == {State.DONE: 1, State.GONE: 1, State.PENDING: 2}


def test_nothing_is_taken_from_a_process_that_lives(database: Database) -> None:
    run_id = a_run(database, "1")
    close(database, run_id, "1", Outcome.FAILED)

    with pytest.raises(BadInput, match="is being worked on"):
        database.do(lambda session: runs.retry_failed(session, run_id))


def test_a_budget_that_was_spent_is_not_spent_again(database: Database) -> None:
    update = NewRun(
        "workflows",
        "n8n",
        "https://n8n.io",
        {"mode": "update", "budget": "9"},
        SETTINGS,
        {},
        "scrapy crawl workflows",
    )
    run_id = a_run(database, "1", new=update)
    close(database, run_id, "1", Outcome.FAILED)
    end(database, run_id, RunStatus.FINISHED, failed=1, left=0)

    with pytest.raises(BadInput, match="the next update asks first for what failed"):
        database.do(lambda session: runs.retry_failed(session, run_id))


def test_what_nobody_could_go_on_with_is_refused(database: Database) -> None:
    run_id = a_run(
        database,
        "1",
        new=NewRun("workflows", "n8n", "https://n8n.io", {}, {}, {}, "scrapy crawl workflows"),
    )
    close(database, run_id, "1", Outcome.FAILED)
    end(database, run_id, RunStatus.FINISHED, failed=1, left=0)

    with pytest.raises(BadInput, match="had no JOBDIR"):
        database.do(lambda session: runs.retry_failed(session, run_id))


def test_where_nothing_failed_the_run_stays_as_it_is(database: Database) -> None:
    run_id = a_run(database, "1")
    close(database, run_id, "1", Outcome.COMPLETE)
    end(database, run_id, RunStatus.FINISHED, complete=1, left=0, exit_status=0)

    run, number = database.do(lambda session: runs.retry_failed(session, run_id))

    assert (number, run.status) == (0, "finished")


def test_the_template_that_ended_last_is_known(database: Database) -> None:
    run_id = a_run(database, "1", "2")
    assert database.look(lambda session: runs.last_ended(session, run_id)) is None

    close(database, run_id, "2", Outcome.COMPLETE)

    assert database.look(lambda session: runs.last_ended(session, run_id)) == "2"


def test_looking_waits_for_nobody_who_writes(tmp_path: Path) -> None:
    # Given an SQLite database in which somebody holds the lock to write
    database = Database(f"sqlite:///{tmp_path}/a.db", patience_seconds=0)
    a_run(database, "1")
    writer = create_engine(f"sqlite:///{tmp_path}/a.db", isolation_level="AUTOCOMMIT")
    with writer.connect() as connection:
        connection.execute(text("BEGIN IMMEDIATE"))

        before = time.monotonic()
        run = seen(database)

        connection.execute(text("ROLLBACK"))
    assert run.left == 1
    assert time.monotonic() - before < 1
    writer.dispose()
    database.close()
