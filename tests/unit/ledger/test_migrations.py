"""What a migration does with the rows that earlier versions have written, in both databases."""

from typing import Any

from sqlalchemy import text

from n8n_scraper.core.dossier import Planned
from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger import domains, items, migrate, runs, workers
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import Closing, Kept, NewRun, RunStatus, State
from n8n_scraper.ledger.tables import RunRow
from n8n_scraper.policies.pace.circuit import CircuitState
from n8n_scraper.policies.pace.domain_state import DomainState
from n8n_scraper.sources.n8n.tables import WorkflowRow
from tests import templates
from tests.older import back_to
from tests.unit.ledger.given import (
    a_run,
    close_as,
    end,
    enter,
    hold,
    plan,
    process,
    states,
)
from tests.unit.making import dossier, template


def rows(database: Database, columns: tuple[str, ...], where: str) -> list[tuple[Any, ...]]:
    query = text(f"SELECT {', '.join(columns)} FROM {where}")  # noqa: S608 - names of ours
    with database.engine.connect() as connection:
        return [tuple(row) for row in connection.execute(query)]


def test_templates_that_were_removed_are_not_listed_any_more(database: Database) -> None:
    # Given an archive of a version that left a removed template listed
    for number in ("7", "8"):
        database.do(lambda session, number=number: templates.save(session, template(number), []))
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE workflows SET removed_at = '2026' WHERE workflow_id = '8'"))
        back_to(connection, "0007")

    # When it is upgraded
    migrate.upgrade(database.engine)

    # Then the two columns say the same
    listed = [
        database.do(lambda session, one=one: session.get(WorkflowRow, one).in_inventory)
        for one in ("7", "8")
    ]
    assert listed == [True, False]


def test_what_was_kept_of_templates_is_kept_of_items_row_by_row(database: Database) -> None:
    # Given an archive of a version that knew templates only, with raw answers and a history
    for number in ("7", "8"):
        item, answers = template(number), list(dossier(number).answers.values())
        database.do(lambda session, item=item, raw=answers: templates.save(session, item, raw))
    with database.engine.begin() as connection:
        back_to(connection, "0009")
    version = "version, content_hash, run_id, seen_at, content"
    event = "id, run_id, at, kind, CAST(details AS text)"
    answer = "url, http_status, fetched_at, body, body_bytes, body_sha256, run_id"
    before = [
        rows(database, ("workflow_id", "layer", answer), "raw_answers ORDER BY 1, 2"),
        rows(database, ("workflow_id", version), "workflow_versions ORDER BY 1, 2"),
        rows(database, ("workflow_id", event), "workflow_events ORDER BY 2"),
    ]

    # When it is upgraded
    migrate.upgrade(database.engine)

    # Then every row is there, as one of a template
    n8n = "WHERE source = 'n8n' ORDER BY"
    assert before == [
        rows(database, ("item_id", "part", answer), f"raw_answers {n8n} 1, 2"),
        rows(database, ("item_id", version), f"item_versions {n8n} 1, 2"),
        rows(database, ("item_id", event), f"item_events {n8n} 2"),
    ]
    assert [len(some) for some in before] == [4, 2, 2]

    # And what comes then stands beside them
    database.do(lambda session: templates.save(session, template("9"), []))
    assert rows(database, ("id",), "item_events ORDER BY id") == [(1,), (2,), (3,)]


def test_a_run_in_the_middle_keeps_its_items_their_listings_and_its_answers(
    database: Database,
) -> None:
    # Given an archive of a version that knew of templates only, with a chain under way
    new = NewRun("workflows", "n8n", "https://n8n.io", {}, {}, {}, "scrapy crawl workflows")
    run_id = enter(database, new)
    listed = [
        Planned(
            "7", listing={"slug": "a-slug", "price": 20.0, "purchase_url": "https://shop.example/7"}
        ),
        Planned("8", listing={"slug": "b-slug"}),
        Planned("9"),
    ]
    database.do(lambda session: items.plan(session, run_id, listed, first=0))
    under_way = dossier("7")
    kept = list(under_way.parts)
    claim, *_ = database.do(lambda session: items.claim(session, run_id, "box:1:x", 9))
    parts = [Kept(one, under_way.parts[one], under_way.answers.get(one), 1) for one in kept]
    database.do(lambda session: items.keep(session, run_id, "box:1:x", claim, parts))
    database.do(lambda session: items.give_back(session, run_id, "box:1:x"))
    with database.engine.begin() as connection:
        back_to(connection, "0009")
        older = connection.execute(
            text("SELECT workflow_id, slug, listing FROM scrape_run_items ORDER BY workflow_id")
        ).all()
        layers = connection.scalars(text("SELECT layer FROM scrape_run_answers")).all()
        site = connection.scalar(text("SELECT source FROM scrape_runs"))

    # When it is upgraded
    migrate.upgrade(database.engine)

    # Then all of it is there, under the names of any source
    assert [(row[0], row[1]) for row in older] == [("7", "a-slug"), ("8", "b-slug"), ("9", None)]
    assert older[2][2] is None
    assert sorted(layers) == sorted(kept)
    assert site == new.site
    run = database.do(lambda session: session.get(RunRow, run_id))
    assert (run.source, run.site) == ("n8n", new.site)
    claims = database.do(lambda session: items.claim(session, run_id, "box:2:y", 9))
    assert [claim.planned for claim in claims] == listed
    assert sorted(one.part for one in claims[0].kept) == sorted(kept)


def test_the_owner_of_a_run_in_the_middle_is_its_worker_and_keeps_what_it_holds(
    database: Database,
) -> None:
    # Given an archive of a version that knew one process a run: one at work on three items, of
    # which one has ended, one is claimed, and one belongs to nobody any more; and a run that ended
    new = NewRun(
        *("workflows", "n8n", "https://n8n.io", {"budget": "50"}),
        *({"JOBDIR": "/jobs/state"}, {}, "scrapy crawl workflows"),
    )
    me = process()
    run_id, over = enter(database, new, me), a_run(database, "1", new=new)
    end(database, over, RunStatus.FINISHED, exit_status=0)
    plan(database, run_id, "1", "2", "3")
    closing = Closing("1", State.DONE, Outcome.COMPLETE, requests=3)
    close_as(database, run_id, closing)
    hold(database, run_id, "2", me.name)
    hold(database, run_id, "3", "box:0:gone")
    with database.engine.begin() as connection:
        back_to(connection, "0012")
        older = connection.execute(
            text("SELECT owner, fence, lease_until FROM scrape_runs ORDER BY status")
        ).all()
        assert [row[:2] for row in older] == [(older[0][0], 1), (me.name, 1)]
        assert older[1].lease_until > 1

    # When it is upgraded
    migrate.upgrade(database.engine)

    # Then the process is a worker as long as its lease lasts, and holds what it has claimed
    alive = database.do(lambda session: workers.alive(session, run_id))
    assert [(one.worker, one.jobdir) for one in alive] == [(me.name, "/jobs/state")]
    assert database.do(lambda session: items.held(session, run_id, me.name)) == {"2": 1}
    assert states(database, run_id) == {"done": 1, "claimed": 1, "pending": 1}
    assert database.do(lambda session: workers.alive(session, over)) == []
    # And of the budget so much counts as spent as may have been sent
    left = database.do(lambda session: runs.affordable(session, run_id, budget=50))
    assert left == 50 - (3 + 1 + 1) - 4


def test_each_domain_keeps_its_circuit_and_its_servers_word_and_its_bucket_gives_no_more(
    database: Database,
) -> None:
    # Given an archive of a version that noted of each domain how many tokens there were
    then = 1_700_000_000.0
    moment = "2023-11-14T22:13:20.000Z"  # the same
    with database.engine.begin() as connection:
        back_to(connection, "0013")
        connection.execute(
            text(
                "INSERT INTO domains (domain, tokens, tokens_at, held_until, learned_rate,"
                " circuit_failures, circuit_opened_at, circuit_hold_seconds, circuit_reason,"
                " circuit_tripped_by, updated_at) VALUES (:domain, :tokens, :then, :held_until,"
                " :learned_rate, :failures, :opened_at, :hold, :reason, :tripped_by, :moment)"
            ),
            [
                {
                    **dict.fromkeys(("learned_rate", "opened_at")),
                    "domain": "well.example",
                    "tokens": 4.5,
                    "then": then,
                    "held_until": 0.0,
                    "failures": 3,
                    "hold": 0.0,
                    "reason": "",
                    "tripped_by": "",
                    "moment": moment,
                },
                {
                    "domain": "ill.example",
                    "tokens": -1.0,
                    "then": then + 2,
                    "held_until": then + 30,
                    "learned_rate": 0.5,
                    "failures": 10,
                    "opened_at": then - 5,
                    "hold": 60.0,
                    "reason": "timeout",
                    "tripped_by": "https://ill.example/",
                    "moment": moment,
                },
            ],
        )

    # When it is upgraded
    migrate.upgrade(database.engine)

    # Then the full bucket gives one token at once, the empty one when all it owes is earned
    known = database.do(domains.load)
    assert known["well.example"] == DomainState(
        next_at=then, circuit=CircuitState(failures=3, failed_paths=3), noted_at=then
    )
    ill = known["ill.example"]
    assert (ill.next_at, ill.held_until) == (then + 30, then + 30)
    assert (ill.learned.rate, ill.learned.price) == (0.5, 1.0)
    assert ill.circuit == CircuitState(
        *(10, 10, then - 5),
        hold_seconds=60.0,
        reason="timeout",
        tripped_by="https://ill.example/",
    )
