"""A run in the database: what is given out, what comes back, and what a restart finds."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from n8n_scraper.core.dossier import Dossier, Planned
from n8n_scraper.core.errors import StoreLost, TakenOver
from n8n_scraper.core.item import Outcome, PartStatus
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.jobdir import JobDirectory
from n8n_scraper.ledger.ledger import NewRun, RunStatus, State
from n8n_scraper.ledger.worker import Worker
from n8n_scraper.sources.n8n import store as templates
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.parts import Layer
from tests.unit.making import dossier, template

NEW = NewRun("workflows", "n8n", "https://n8n.io", {}, {}, {}, "scrapy crawl workflows")
SINCE = "2000-01-01"


@pytest.fixture
def job(tmp_path: Path) -> Iterator[JobDirectory]:
    directory = JobDirectory(tmp_path / "state")
    directory.lock()
    yield directory
    directory.release()


async def begun(database: Database, *ids: str, job: JobDirectory | None = None) -> Worker:
    """A run that expects these templates, and no more."""
    worker = Worker(database)
    await worker.begin(NEW, job)
    await worker.plan(Planned(number) for number in ids)
    await worker.discovery_is_over()
    return worker


async def save(worker: Worker, item_id: str) -> Template:
    return await worker.save(
        item_id,
        lambda session, answers, written: templates.save(
            session, template(item_id), answers, written
        ),
    )


async def first_of(work: AsyncIterator[Dossier], number: int) -> list[Dossier]:
    return [await anext(work) for _ in range(number)]


def waits(work: AsyncIterator[Dossier]) -> asyncio.Task[Dossier]:
    """Ask for one more, which there is not yet."""
    return asyncio.ensure_future(anext(work))  # type: ignore[arg-type]


async def turns() -> None:
    """Let everything run that need not wait for the database."""
    for _ in range(10):
        await asyncio.sleep(0)


def answer(asked: Dossier) -> None:
    """Let all answers come."""
    came = dossier(asked.item_id)
    asked.parts, asked.answers, asked.requests = came.parts, came.answers, 2
    asked.read[Layer.METADATA], asked.read[Layer.JSON] = (
        came.read[Layer.METADATA],
        came.read[Layer.JSON],
    )


def scalar(database: Database, query: str) -> Any:
    return database.do(lambda session: session.scalar(text(query)))


def run(crawl: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(crawl, 30))


def test_no_more_are_under_way_than_there_is_room_for_and_an_end_makes_room(
    database: Database,
) -> None:
    async def crawl() -> None:
        # Given room for two, and both out
        worker = await begun(database, "1", "2", "3")
        work = worker.work(2)
        first, second = await first_of(work, 2)
        third = waits(work)
        await turns()
        assert not third.done()

        # When one of them has ended
        await worker.fail(first.item_id, State.FAILED, "an error of our own")

        # Then the next is given out
        assert (await third).item_id == "3"
        assert [worker.is_under_way(one) for one in "123"] == [False, True, True]
        assert second.item_id == "2"

    run(crawl())


def test_the_work_is_over_when_all_have_ended_and_no_more_can_come(database: Database) -> None:
    async def crawl() -> None:
        # Given one template, and an inventory that is still being read
        worker = Worker(database)
        await worker.begin(NEW)
        await worker.plan([Planned("1")])
        work = worker.work(8)
        only = await anext(work)
        await worker.fail(only.item_id, State.FAILED, "an error of our own")
        more = waits(work)
        await turns()
        assert not more.done()

        # When the inventory goes on, and then ends
        await worker.plan([Planned("1"), Planned("2")])
        assert (await more).item_id == "2"
        await worker.fail("2", State.FAILED, "an error of our own")
        await worker.discovery_is_over("the list broke off")

        # Then there is no more to do
        assert [one async for one in work] == []
        assert (worker.planned, worker.trouble) == (2, "the list broke off")

    run(crawl())


def test_a_template_is_stored_and_its_line_closed_at_once(database: Database) -> None:
    async def crawl() -> None:
        worker = await begun(database, "7")
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
        worker = await begun(database, "7")
        answer(await anext(worker.work(8)))
        database.do(lambda session: session.execute(text("DROP TABLE raw_answers")))

        with pytest.raises(StoreLost):
            await save(worker, "7")

        assert worker.ended == {}
        assert worker.is_under_way("7")

    run(crawl())
    assert scalar(database, "SELECT count(*) FROM workflows") == 0
    assert scalar(database, "SELECT state FROM scrape_run_items") == "claimed"


@pytest.mark.parametrize(
    ("status", "category", "outcome", "state", "unsettled"),
    [
        (PartStatus.MISSING, "not_found", Outcome.GONE, "gone", 0),
        (PartStatus.FAILED, "blocked", Outcome.BLOCKED, "blocked", 1),
        (PartStatus.FAILED, "server_error", Outcome.FAILED, "failed", 1),
    ],
)
def test_a_template_of_which_nothing_was_had_ends_as_its_layers_did(
    database: Database,
    status: PartStatus,
    category: str,
    outcome: Outcome,
    state: str,
    unsettled: int,
) -> None:
    async def crawl() -> None:
        worker = await begun(database, "7")
        asked = await anext(worker.work(8))
        asked.settle(Layer.METADATA, status, "the site says so", category, 404)

        await worker.close(asked)
        await worker.close(asked)  # once is enough

        assert (worker.ended, worker.unsettled) == ({outcome: 1}, unsettled)

    run(crawl())
    query = "SELECT state || ' ' || category || ' ' || http_status FROM scrape_run_items"
    assert scalar(database, query) == f"{state} {category} 404"


def test_what_failed_for_a_reason_that_may_pass_is_given_out_again(database: Database) -> None:
    async def crawl() -> None:
        worker = await begun(database, "7")
        work = worker.work(8)
        asked = await anext(work)
        asked.settle(Layer.METADATA, PartStatus.FAILED, "it broke off", "network")
        await worker.close(asked)

        reopened = await worker.reopen_failed(["network"], SINCE)

        assert (reopened, worker.unsettled, worker.ended) == (1, 0, {Outcome.FAILED: 0})
        assert (await anext(work)).item_id == "7"

    run(crawl())


def test_the_next_process_goes_on_with_what_the_last_one_had(
    database: Database, job: JobDirectory
) -> None:
    async def crawl() -> None:
        # Given a process that had ended one of three, and had one answer of another
        former = await begun(database, "1", "2", "3", job=job)
        ended, halfway, _ = await first_of(former.work(8), 3)
        await former.fail(ended.item_id, State.FAILED, "an error of our own")
        came = dossier(halfway.item_id)
        halfway.answers[Layer.METADATA] = came.answers[Layer.METADATA]
        halfway.settle(Layer.METADATA, PartStatus.OK, http_status=200)
        await former.keep(halfway)

        # When another takes up its run
        heir = Worker(database)
        await heir.begin(NEW, job)
        left = await first_of(heir.work(8), 2)

        # Then it knows all of that, and asks for nothing twice
        assert heir.run_id == former.run_id
        assert (heir.taken_up, heir.discovering, heir.planned) == (True, False, 3)
        assert (heir.ended, heir.unsettled) == ({Outcome.FAILED: 1}, 1)
        assert [one.item_id for one in left] == ["2", "3"]
        assert left[0].parts[Layer.METADATA].status is PartStatus.OK
        assert left[0].answers[Layer.METADATA] == halfway.answers[Layer.METADATA]
        # And what the former one still has comes too late
        with pytest.raises(TakenOver):
            await former.renew()

    run(crawl())


def test_a_finished_run_is_not_taken_up_again(database: Database, job: JobDirectory) -> None:
    async def crawl() -> None:
        first = await begun(database, job=job)
        await first.end(RunStatus.FINISHED, "finished", {})

        second = Worker(database)
        await second.begin(NEW, job)

        assert second.run_id != first.run_id
        assert not second.taken_up

    run(crawl())


def test_what_was_given_out_is_given_back_at_the_end(database: Database) -> None:
    async def crawl() -> None:
        worker = await begun(database, "1", "2")
        await anext(worker.work(1))

        await worker.end(RunStatus.STOPPED, "shutdown", {})

    run(crawl())
    assert scalar(database, "SELECT count(*) FROM scrape_run_items WHERE state = 'pending'") == 2


def test_without_a_run_there_is_nothing_to_ask(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/never.db")
    worker = Worker(database)

    with pytest.raises(RuntimeError, match="has no run yet"):
        asyncio.run(worker.tally())

    database.close()


def test_what_failed_is_not_kept_for_a_later_process_to_believe(database: Database) -> None:
    async def crawl() -> None:
        worker = await begun(database, "1954")
        [asked] = await first_of(worker.work(1), 1)
        asked.settle(Layer.METADATA, PartStatus.FAILED, "503", "server_error", 503)
        asked.settle(Layer.JSON, PartStatus.MISSING, "404", "not_found", 404)
        await worker.keep(asked)

    run(crawl())

    assert scalar(database, "SELECT count(*) FROM scrape_run_answers") == 1
    assert scalar(database, "SELECT min(part) FROM scrape_run_answers") == "json"


def test_what_a_chain_under_way_has_lost_is_asked_for_again(database: Database) -> None:
    async def crawl() -> None:
        worker = await begun(database, "1954", "2")
        under_way, through = await first_of(worker.work(2), 2)
        under_way.settle(Layer.METADATA, PartStatus.FAILED, "503", "server_error", 503)
        for layer in Layer:
            through.settle(layer, PartStatus.FAILED, "503", "server_error", 503)
        through.through = True

        worker.ask_again(["server_error"])

        assert not under_way.parts
        assert set(through.parts) == set(Layer)  # it is judged by them, and reopened if need be

    run(crawl())


def test_what_is_claimed_ahead_is_given_out_only_when_there_is_room(database: Database) -> None:
    async def crawl() -> None:
        # Given room for one, and two claimed with it
        worker = await begun(database, "1", "2", "3", "4")
        work = worker.work(1, ahead=2)
        first = await anext(work)
        second = waits(work)
        await turns()
        assert not second.done()
        assert scalar(database, _CLAIMED) == 3

        # When that one has ended, then the next is given out without another claim
        await worker.fail(first.item_id, State.FAILED, "an error of our own")
        assert (await second).item_id == "2"
        assert scalar(database, _CLAIMED) == 2
        assert not worker.is_under_way("3")

        # And at the end of the process all that has not ended is pending again
        await worker.end(RunStatus.STOPPED, "shutdown", {})
        assert scalar(database, _CLAIMED) == 0

    run(crawl())


_CLAIMED = "SELECT count(*) FROM scrape_run_items WHERE state = 'claimed'"
