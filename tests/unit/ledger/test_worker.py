"""A worker: what it gives out, what comes back, and what it finds when others are there too."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from typing import Any

import pytest
from sqlalchemy import text

from n8n_scraper.core.dossier import Dossier, Planned
from n8n_scraper.core.errors import StoreLost
from n8n_scraper.core.item import Outcome, PartStatus
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import Leaving, Ledger, NewRun, Process, State
from n8n_scraper.ledger.sql_ledger import SqlLedger
from n8n_scraper.ledger.worker import Discovery, Worker
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.parts import Layer
from tests import templates
from tests.unit.ledger.conftest import Kind
from tests.unit.ledger.given import process
from tests.unit.making import dossier, template

NEW = NewRun("workflows", "n8n", "https://n8n.io", {}, {}, {}, "scrapy crawl workflows")
SINCE = "2000-01-01"
_SOON = 0.01


def at(ledger: Ledger, me: Process | None = None) -> Worker:
    """A worker that does not wait long before it looks again."""
    return Worker(ledger, me or process(), look_every_seconds=_SOON)


async def begun(ledger: Ledger, *ids: str) -> Worker:
    """A run that expects these items, and no more."""
    worker = await discovering(ledger, *ids)
    await worker.discovery_is_over()
    return worker


async def discovering(ledger: Ledger, *ids: str) -> Worker:
    """A run that expects these items for the moment."""
    worker = at(ledger)
    await worker.enter(NEW)
    assert await anext(worker.work(1)) is Discovery.BEGINS
    await worker.plan(Planned(number) for number in ids)
    return worker


async def joined(ledger: Ledger, worker: Worker) -> Worker:
    """Another worker on the same run."""
    other = at(ledger)
    assert await other.join(worker.run.run_id)
    return other


async def save(worker: Worker, item_id: str) -> Template | None:
    return await worker.save(
        item_id,
        lambda session, answers, written: templates.save(
            session, template(item_id), answers, written
        ),
    )


async def first_of(work: AsyncIterator[Any], number: int) -> list[Dossier]:
    return [await anext(work) for _ in range(number)]


def waits(work: AsyncIterator[Any]) -> asyncio.Task[Any]:
    """Ask for one more, which there is not yet."""
    return asyncio.ensure_future(anext(work))  # type: ignore[arg-type]


async def turns() -> None:
    """Let a worker look several times."""
    await asyncio.sleep(5 * _SOON)


def answer(asked: Dossier) -> None:
    """Let all answers come."""
    came = dossier(asked.item_id)
    asked.parts, asked.answers, asked.requests = came.parts, came.answers, 2
    asked.read[Layer.METADATA], asked.read[Layer.JSON] = (
        came.read[Layer.METADATA],
        came.read[Layer.JSON],
    )
    asked.through = True


async def fail(worker: Worker, asked: Dossier) -> None:
    await worker.fail(asked.item_id, State.FAILED, "an error of our own")


def scalar(database: Database, query: str) -> Any:
    return database.do(lambda session: session.scalar(text(query)))


def run(crawl: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(crawl, 30))


def test_no_more_are_under_way_than_there_is_room_for_and_an_end_makes_room(kind: Kind) -> None:
    async def crawl() -> None:
        # Given room for two, and both out
        worker = await begun(kind.ledger, "1", "2", "3")
        work = worker.work(2)
        first, second = await first_of(work, 2)
        third = waits(work)
        await turns()
        assert not third.done()

        # When one of them has ended
        await fail(worker, first)

        # Then the next is given out
        assert (await third).item_id == "3"
        assert [worker.is_under_way(one) for one in "123"] == [False, True, True]
        assert second.item_id == "2"

    run(crawl())


def test_the_work_is_over_when_all_have_ended_and_no_more_can_come(kind: Kind) -> None:
    async def crawl() -> None:
        # Given one item, and an inventory that is still being read
        worker = await discovering(kind.ledger, "1")
        work = worker.work(8)
        only = await anext(work)
        await fail(worker, only)
        more = waits(work)
        await turns()
        assert not more.done()

        # When the inventory goes on, and then ends
        await worker.plan([Planned("1"), Planned("2")])
        another = await more
        assert another.item_id == "2"
        await fail(worker, another)
        await worker.discovery_is_over("the list broke off")

        # Then there is no more to do
        assert [one async for one in work] == []
        assert (worker.run.planned, worker.run.inventory.error) == (2, "the list broke off")

    run(crawl())


def test_a_worker_takes_no_more_items_than_it_was_told_to(kind: Kind) -> None:
    async def crawl() -> None:
        # Given a worker that is to do two of three
        worker = await begun(kind.ledger, "1", "2", "3")
        work = worker.work(8, ahead=8, at_most=2)

        # When both have ended
        for asked in await first_of(work, 2):
            await fail(worker, asked)

        # Then it is through, and the third is there for others
        assert [one async for one in work] == []
        account = await worker.leave(Leaving("finished"))
        assert (account.left, account.is_over) == (1, False)
        other = await joined(kind.ledger, worker)
        assert (await anext(other.work(8))).item_id == "3"

    run(crawl())


def test_what_is_claimed_ahead_is_given_out_only_when_there_is_room(kind: Kind) -> None:
    async def crawl() -> None:
        # Given room for one, and two claimed with it
        worker = await begun(kind.ledger, "1", "2", "3", "4")
        work = worker.work(1, ahead=2)
        first = await anext(work)
        second = waits(work)
        await turns()
        assert not second.done()
        assert (await worker.ledger.tally(worker.run.run_id)).states["claimed"] == 3

        # When that one has ended, then the next is given out without another claim
        await fail(worker, first)
        assert (await second).item_id == "2"
        assert (await worker.ledger.tally(worker.run.run_id)).states["claimed"] == 2
        assert not worker.is_under_way("3")

        # And at the end of the process all that has not ended is pending again
        account = await worker.leave(Leaving("shutdown"))
        assert account.left == 3
        assert "claimed" not in (await worker.ledger.tally(worker.run.run_id)).states

    run(crawl())


@pytest.mark.parametrize(
    ("status", "category", "outcome", "state", "unsettled"),
    [
        (PartStatus.MISSING, "not_found", Outcome.GONE, "gone", 0),
        (PartStatus.FAILED, "blocked", Outcome.BLOCKED, "blocked", 1),
        (PartStatus.FAILED, "server_error", Outcome.FAILED, "failed", 1),
    ],
)
def test_an_item_of_which_nothing_was_had_ends_as_its_parts_did(
    database: Database,
    status: PartStatus,
    category: str,
    outcome: Outcome,
    state: str,
    unsettled: int,
) -> None:
    async def crawl() -> None:
        worker = await begun(SqlLedger(database), "7")
        asked = await anext(worker.work(8))
        asked.settle(Layer.METADATA, status, "the site says so", category, 404)

        await worker.close(asked)
        await worker.close(asked)  # once is enough

        assert (worker.ended, worker.run.counts.unsettled) == ({outcome: 1}, unsettled)

    run(crawl())
    query = "SELECT state || ' ' || category || ' ' || http_status FROM scrape_run_items"
    assert scalar(database, query) == f"{state} {category} 404"


def test_a_template_is_stored_and_its_line_closed_at_once(database: Database) -> None:
    async def crawl() -> None:
        worker = await begun(SqlLedger(database), "7")
        asked = await anext(worker.work(8))
        answer(asked)

        stored = await save(worker, "7")

        assert stored == template("7")
        assert worker.ended == {Outcome.COMPLETE: 1}
        assert not worker.is_under_way("7")

    run(crawl())
    assert database.do(lambda session: templates.load(session, "7")) is not None
    assert scalar(database, "SELECT count(*) FROM raw_answers") == 2
    assert scalar(database, "SELECT state FROM scrape_run_items") == "done"


def test_what_cannot_be_stored_in_full_is_not_stored_and_not_closed(database: Database) -> None:
    async def crawl() -> None:
        worker = await begun(SqlLedger(database), "7")
        answer(await anext(worker.work(8)))
        database.do(lambda session: session.execute(text("DROP TABLE raw_answers")))

        with pytest.raises(StoreLost):
            await save(worker, "7")

        assert worker.ended == {}
        assert worker.is_under_way("7")

    run(crawl())
    assert scalar(database, "SELECT count(*) FROM workflows") == 0
    assert scalar(database, "SELECT state FROM scrape_run_items") == "claimed"


def test_a_template_that_another_worker_has_by_now_is_not_stored(database: Database) -> None:
    async def crawl() -> None:
        # Given a worker that slept while another took its template
        worker = await begun(SqlLedger(database), "7")
        answer(await anext(worker.work(8)))
        database.do(
            lambda session: session.execute(text("UPDATE scrape_workers SET lease_until=1"))
        )
        other = await joined(SqlLedger(database), worker)
        asked = await anext(other.work(8))

        # When it wants to store the template, then nothing of it is
        assert await save(worker, "7") is None
        assert scalar(database, "SELECT count(*) FROM workflows") == 0
        assert (worker.lost_items, worker.has_lost("7"), worker.ended) == (1, True, {})

        # And the other one stores its own
        answer(asked)
        assert await save(other, "7") == template("7")

    run(crawl())
    assert scalar(database, "SELECT state FROM scrape_run_items") == "done"


def test_what_failed_for_a_reason_that_may_pass_is_given_out_again(kind: Kind) -> None:
    async def crawl() -> None:
        worker = await begun(kind.ledger, "7")
        work = worker.work(8)
        asked = await anext(work)
        asked.settle(Layer.METADATA, PartStatus.FAILED, "it broke off", "network")
        await worker.close(asked)

        reopened = await worker.reopen_failed(["network"], SINCE)

        counts = worker.run.counts
        assert (reopened, counts.unsettled, counts.done, counts.left) == (1, 0, 0, 1)
        assert (await anext(work)).item_id == "7"

    run(crawl())


def test_a_worker_that_joins_goes_on_with_what_a_lost_one_had(kind: Kind) -> None:
    async def crawl() -> None:
        # Given a worker that had ended one of three, and had one answer of another
        former = await begun(kind.ledger, "1", "2", "3")
        ended, halfway, _ = await first_of(former.work(8), 3)
        await fail(former, ended)
        came = dossier(halfway.item_id)
        halfway.answers[Layer.METADATA] = came.answers[Layer.METADATA]
        halfway.settle(Layer.METADATA, PartStatus.OK, http_status=200)
        assert await former.keep(halfway)
        kind.let_pass(61)

        # When another joins its run
        other = await joined(kind.ledger, former)
        left = await first_of(other.work(8), 2)

        # Then it knows all of that, and asks for nothing twice
        counts = other.run.counts
        assert (other.run.taken_up, other.run.inventory.is_over, counts.total) == (True, True, 3)
        assert (counts.outcomes, counts.unsettled) == ({"failed": 1}, 1)
        assert [one.item_id for one in left] == ["2", "3"]
        assert left[0].parts[Layer.METADATA].status is PartStatus.OK
        assert left[0].answers[Layer.METADATA] == halfway.answers[Layer.METADATA]

    run(crawl())


def test_a_sleeper_drops_what_others_have_by_now_and_goes_on(
    kind: Kind, caplog: pytest.LogCaptureFixture
) -> None:
    async def crawl() -> None:
        # Given a worker that slept longer than its lease, while another took one of its two items
        sleeper = await begun(kind.ledger, "1", "2", "3")
        work = sleeper.work(2)
        first, second = await first_of(work, 2)
        kind.let_pass(61)
        other = await joined(kind.ledger, sleeper)
        taken = await anext(other.work(1))
        assert taken.item_id == "1"

        # When it wakes, and has answers for both
        third = waits(work)
        await sleeper.renew()
        assert [await sleeper.keep(one) for one in (first, second)] == [False, False]

        # Then those are lost to it, each told once, and what is pending is given out to it
        assert (sleeper.lost_items, sleeper.has_lost("1")) == (2, True)
        again = [await third, await anext(work)]
        assert [one.item_id for one in again] == ["2", "3"]
        for one in again:
            await fail(sleeper, one)
        await fail(other, taken)
        await sleeper.close(first)  # its chain ends without effect
        assert [one async for one in work] == []
        tally = await sleeper.ledger.tally(sleeper.run.run_id)
        assert tally.states == {"failed": 3}

    run(crawl())
    told = [
        one.message for one in caplog.records if "another process has taken it up" in one.message
    ]
    assert [one.split()[0] for one in told] == ["1", "2"]


def test_a_worker_without_work_waits_for_what_others_may_leave(kind: Kind) -> None:
    async def crawl() -> None:
        # Given two workers, of which one has the only item
        one = await begun(kind.ledger, "1")
        held = await anext(one.work(1))
        other = await joined(kind.ledger, one)
        waiting = waits(other.work(1))
        await turns()
        assert not waiting.done()

        # When the first one leaves without having ended it
        account = await one.leave(Leaving("shutdown"))

        # Then the other one has it, and ends the run
        assert (account.left, account.others) == (1, 1)
        taken = await waiting
        assert taken.item_id == held.item_id
        await fail(other, taken)
        assert (await other.leave(Leaving("finished"))).is_over

    run(crawl())


def test_all_workers_are_through_when_the_last_item_is(kind: Kind) -> None:
    async def crawl() -> None:
        one = await begun(kind.ledger, "1")
        held = await anext(one.work(1))
        other = await joined(kind.ledger, one)
        waiting = waits(other.work(1))

        await fail(one, held)

        with pytest.raises(StopAsyncIteration):
            await waiting
        accounts = [await worker.leave(Leaving("finished")) for worker in (other, one)]
        assert [account.is_over for account in accounts] == [True, True]
        assert accounts[0].outcomes == accounts[1].outcomes

    run(crawl())


def test_discovery_is_taken_up_when_its_worker_is_lost(kind: Kind) -> None:
    async def crawl() -> None:
        # Given a worker that has planned one item, and another that waits for more
        former = await discovering(kind.ledger, "1")
        other = await joined(kind.ledger, former)
        work = other.work(8)
        assert (await anext(work)).item_id == "1"
        more = waits(work)
        await turns()
        assert not more.done()

        # When the first one says nothing any more
        kind.let_pass(61)
        await other.renew()

        # Then the other one goes on with discovery, and the first one plans nothing more
        assert await more is Discovery.BEGINS
        assert other.discovers
        await former.plan([Planned("8")])
        assert not former.discovers
        await other.plan([Planned("1"), Planned("2")])
        assert (await anext(work)).item_id == "2"

    run(crawl())


def test_what_a_source_plans_in_its_own_way_is_planned_by_the_discovering_worker_only(
    kind: Kind,
) -> None:
    async def crawl() -> None:
        worker = await discovering(kind.ledger, "1")
        other = await joined(kind.ledger, worker)

        assert await worker.plan_by(lambda _, first: first) == 1
        assert await other.plan_by(lambda _, first: first) is None

    run(crawl())


def test_an_item_and_all_that_nobody_has_begun_can_be_dropped(kind: Kind) -> None:
    async def crawl() -> None:
        worker = await begun(kind.ledger, "1", "2", "3")
        asked = await anext(worker.work(1))

        await worker.drop(asked, "the budget is spent")

        assert (worker.run.counts.left, worker.is_under_way("1")) == (0, False)

    run(crawl())


def test_a_worker_without_a_run_has_nothing_to_ask() -> None:
    with pytest.raises(RuntimeError, match="has no run yet"):
        at(None).run  # type: ignore[arg-type]  # noqa: B018 - it is asked for


def test_what_failed_is_not_kept_for_a_later_holder_to_believe(database: Database) -> None:
    async def crawl() -> None:
        worker = await begun(SqlLedger(database), "1954")
        [asked] = await first_of(worker.work(1), 1)
        asked.settle(Layer.METADATA, PartStatus.FAILED, "503", "server_error", 503)
        asked.settle(Layer.JSON, PartStatus.MISSING, "404", "not_found", 404)
        assert await worker.keep(asked)

    run(crawl())

    assert scalar(database, "SELECT count(*) FROM scrape_run_answers") == 1
    assert scalar(database, "SELECT min(part) FROM scrape_run_answers") == "json"


def test_what_a_chain_under_way_has_lost_is_asked_for_again(kind: Kind) -> None:
    async def crawl() -> None:
        worker = await begun(kind.ledger, "1954", "2")
        under_way, through = await first_of(worker.work(2), 2)
        under_way.settle(Layer.METADATA, PartStatus.FAILED, "503", "server_error", 503)
        for layer in Layer:
            through.settle(layer, PartStatus.FAILED, "503", "server_error", 503)
        through.through = True

        worker.ask_again(["server_error"])

        assert not under_way.parts
        assert set(through.parts) == set(Layer)  # it is judged by them, and reopened if need be

    run(crawl())
