"""What every spider of a source decides, whatever the source."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.settings import Settings
from scrapy.utils.test import get_crawler
from sqlalchemy import select
from twisted.python.failure import Failure

from n8n_scraper import settings as project
from n8n_scraper.addon import ScraperAddon
from n8n_scraper.core.dossier import Answer, Dossier, Planned
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.core.outcomes import Outcome, PartStatus
from n8n_scraper.crawl.gate import NO_WITNESS
from n8n_scraper.crawl.stopping import Stopped
from n8n_scraper.crawl.store import store_of
from n8n_scraper.ledger.ledger import Inventory, Leaving
from n8n_scraper.ledger.tables import RunAnswerRow, RunItemRow
from n8n_scraper.ledger.worker import Discovery
from n8n_scraper.spiders.arguments import CrawlMode
from tests.unit.spiders.fungi import REAL, SOURCE, TABLE, FungiSpider, Fungus

pytestmark = pytest.mark.usefixtures("sqlite_url")

Crawl = Callable[[FungiSpider], Coroutine[Any, Any, Any]]
AT = "2026-01-05T12:00:00.000Z"


@pytest.fixture
def spider(tmp_path: Path) -> Iterator[FungiSpider]:
    with crawling(tmp_path) as spider:
        yield spider


@contextmanager
def crawling(folder: Path, **arguments: str) -> Iterator[FungiSpider]:
    """A spider with a database of its own, and no engine that would crawl."""
    values = {name: getattr(project, name) for name in dir(project) if name.isupper()}
    values |= {
        "ADDONS": {},
        "DATABASE_URL": f"sqlite:///{folder}/archive.db",
        "DATABASE_PATIENCE": "0",
    }
    values |= {"FUNGI_URL": "http://127.0.0.1:1", "SPORES_URL": "http://127.0.0.1:1"}
    spider = FungiSpider.from_crawler(get_crawler(FungiSpider, values), **arguments)
    database = store_of(spider.crawler).database
    database.open()
    TABLE.metadata.create_all(database.engine)
    yield spider
    database.close()


def during_a_run(spider: FungiSpider, work: Crawl) -> Any:
    """Do something while a run is under way."""

    async def crawl() -> Any:
        await spider.worker.begin(spider.new_run(spider.settings, spider.given))
        assert await anext(spider.worker.work(1)) is Discovery.BEGINS
        return await work(spider)

    return asyncio.run(crawl())


async def first(work: AsyncIterator[Any]) -> Any:
    return await anext(work, None)


async def claimed(spider: FungiSpider, *names: str) -> list[Dossier]:
    """The dossiers of these, given out by the run."""
    await spider.plan(Planned(name) for name in names)
    work = spider.worker.work(len(names))
    return [await anext(work) for _ in names]


def answered(request: Request, body: bytes = b"", **meta: object) -> Response:
    request.meta.update(meta)
    return Response(request.url, body=body, request=request)


def failed(request: Request, error: Exception) -> Failure:
    failure = Failure(error)
    failure.request = request  # type: ignore[attr-defined]
    return failure


def lines_of(spider: FungiSpider) -> dict[str, tuple[str, str | None, str | None]]:
    """How the items of the run stand, and why."""
    found = store_of(spider.crawler).database.do(lambda session: session.query(RunItemRow).all())
    return {row.item_id: (row.state, row.outcome, row.reason) for row in found}


def test_arguments_that_make_no_sense_are_refused_before_a_crawl_is_set_up() -> None:
    with pytest.raises(BadInput, match=r"7 is no id of fungi\. Write names with commas"):
        FungiSpider.check_arguments({"ids": "7"})

    FungiSpider.check_arguments({"ids": "morel", "_job": "what scrapyd adds"})


def test_a_run_keeps_what_was_asked_of_which_source_where(spider: FungiSpider) -> None:
    new = FungiSpider.new_run(spider.settings, {"limit": "3", "_job": "7"})

    assert (new.spider, new.source, new.site) == ("fungi", "fungi", "http://127.0.0.1:1")
    assert new.arguments == {"limit": "3"}
    assert set(SOURCE.bases) <= set(new.settings)
    assert new.command.startswith("scrapy crawl fungi -a limit=3")


def test_a_process_that_joins_a_run_takes_its_arguments_from_there(tmp_path: Path) -> None:
    with crawling(tmp_path, limit="3") as spider:
        run_id = during_a_run(spider, planned)
    with crawling(tmp_path, run=run_id[:-2]) as other:
        FungiSpider.check_arguments({"run": "last"})

        assert asyncio.run(first(other.start())).url == "http://127.0.0.1:1/morel/cap"

        assert (other.worker.run_id, other.arguments.limit) == (run_id, 3)
        assert other.worker.new is not None
        assert other.worker.new.command.startswith(f"scrapy crawl fungi -a run={run_id[:-2]}")


def test_a_run_that_has_ended_meanwhile_is_not_joined_and_that_is_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def finish(spider: FungiSpider) -> str:
        await spider.worker.discovery_is_over()
        account = await spider.worker.leave(Leaving("finished"))
        assert account.is_over
        return str(spider.worker.run_id)

    with crawling(tmp_path) as spider:
        run_id = during_a_run(spider, finish)
    with crawling(tmp_path, run=run_id) as other:
        assert asyncio.run(first(other.start())) is None

        assert other.worker.run_id is None
        assert other.crawler.stats is not None
        assert other.crawler.stats.get_value("exit_status") == ExitStatus.BAD_INPUT
    assert f"run {run_id} is finished" in caplog.text


async def planned(spider: FungiSpider) -> str:
    """Leave something to do to whoever joins the run."""
    await spider.plan([Planned("morel")])
    return str(spider.worker.run_id)


def test_what_a_killed_process_has_planned_already_makes_no_inventory_an_empty_one(
    spider: FungiSpider,
) -> None:
    async def work(spider: FungiSpider) -> str | None:
        # Given a run whose items were planned by a process that is gone, behind this one's back
        assert spider.worker.run_id is not None
        entries = [Planned("morel"), Planned("truffle")]
        await spider.worker.ledger.plan(
            spider.worker.run_id, spider.worker.process, entries, first=0
        )

        # When the inventory is read again, and lists just these
        await spider.plan(entries)
        await spider.inventory_is_whole()

        # Then it is whole
        return spider.worker.run.inventory.error

    assert during_a_run(spider, work) is None


def test_a_budget_must_do_for_robots_txt_of_each_host_the_inventory_and_one_request() -> None:
    with pytest.raises(BadInput, match="4 or more"):
        FungiSpider.check_arguments({"mode": "update", "budget": "3"})

    FungiSpider.check_arguments({"mode": "update", "budget": "4"})


@pytest.mark.parametrize(
    ("values", "anonymous"),
    [
        ({}, True),
        ({"CONTACT": "me@example.org"}, False),
        ({"USER_AGENT": "my own words"}, False),
        ({"FUNGI_URL": "http://127.0.0.1:8808"}, False),
    ],
)
def test_only_the_real_site_has_to_know_who_asks(values: dict[str, str], anonymous: bool) -> None:
    given = Settings({**SOURCE.settings, "CONTACT": "", "USER_AGENT": "", **values})
    ScraperAddon().update_settings(given)

    spider = FungiSpider.from_crawler(Crawler(FungiSpider, given))

    assert spider.is_anonymous is anonymous
    assert spider.site == values.get("FUNGI_URL", REAL)


def test_an_item_is_asked_for_part_by_part_and_the_nearly_finished_one_goes_first(
    spider: FungiSpider,
) -> None:
    async def work(spider: FungiSpider) -> list[Request]:
        [dossier] = await claimed(spider, "morel")
        cap = await spider.advance(dossier)
        assert isinstance(cap, Request)
        stem = await first(spider.parse_part(answered(cap, b"brown"), dossier))
        return [cap, stem]

    cap, stem = during_a_run(spider, work)

    assert [one.url.rpartition("/")[2] for one in (cap, stem)] == ["cap", "stem"]
    assert [one.meta["part"] for one in (cap, stem)] == ["cap", "stem"]
    assert stem.priority > cap.priority


def test_what_has_come_is_kept_before_more_is_asked_for(spider: FungiSpider) -> None:
    async def work(spider: FungiSpider) -> Any:
        [dossier] = await claimed(spider, "morel")
        cap = await spider.advance(dossier)
        assert isinstance(cap, Request)
        await first(spider.parse_part(answered(cap, b"brown"), dossier))
        kept = select(RunAnswerRow.part).where(RunAnswerRow.item_id == "morel")
        return await spider.worker.store.run(lambda session: session.scalars(kept).all())

    assert during_a_run(spider, work) == ["cap"]


def test_an_item_that_is_through_is_made_of_its_answers(spider: FungiSpider) -> None:
    async def work(spider: FungiSpider) -> Any:
        [dossier] = await claimed(spider, "morel")
        for part, body in (("cap", b"brown"), ("stem", b"white")):
            dossier.take(Answer(part, REAL, 200, body, AT))
        return await spider.advance(dossier), spider.worker.run_id

    fungus, run_id = during_a_run(spider, work)

    assert isinstance(fungus, Fungus)
    assert fungus.said == {"cap": "brown", "stem": "white"}
    assert fungus.run_id == run_id


def test_an_item_whose_inventory_brought_all_of_it_is_asked_for_nothing(
    spider: FungiSpider,
) -> None:
    async def work(spider: FungiSpider) -> Any:
        answers = tuple(Answer(part, REAL, 200, b"seen", AT) for part in SOURCE.parts)
        await spider.plan([Planned("morel", answers=answers)])
        dossier = await anext(spider.worker.work(1))
        return await spider.advance(dossier)

    fungus = during_a_run(spider, work)

    assert isinstance(fungus, Fungus)
    assert fungus.said == {"cap": "seen", "stem": "seen"}


def test_an_item_of_which_nothing_could_be_had_is_closed_and_gives_none(
    spider: FungiSpider,
) -> None:
    async def work(spider: FungiSpider) -> Any:
        [dossier] = await claimed(spider, "morel")
        for part in SOURCE.parts:
            dossier.settle(part, PartStatus.MISSING, "nobody has seen it")
        return await spider.advance(dossier)

    assert during_a_run(spider, work) is None
    assert lines_of(spider) == {"morel": ("gone", "gone", "nobody has seen it")}


@pytest.mark.parametrize(("status", "ends"), [(404, PartStatus.MISSING), (503, PartStatus.FAILED)])
def test_a_part_that_cannot_be_had_is_settled_with_the_reason_and_the_chain_goes_on(
    spider: FungiSpider, status: int, ends: PartStatus
) -> None:
    from scrapy.spidermiddlewares.httperror import HttpError

    async def work(spider: FungiSpider) -> Any:
        [dossier] = await claimed(spider, "morel")
        cap = await spider.advance(dossier)
        assert isinstance(cap, Request)
        cap.meta["retry_times"] = 2
        error = HttpError(Response(cap.url, status=status, request=cap))
        return dossier, await first(spider.part_failed(failed(cap, error)))

    dossier, stem = during_a_run(spider, work)

    state = dossier.parts["cap"]
    assert (state.status, state.http_status) == (ends, status)
    assert state.reason == f"the site answered {status}"
    assert dossier.requests == 3  # the one that failed, and its two repeats before it
    assert stem.meta["part"] == "stem"


def test_a_part_that_a_stop_has_cut_off_is_not_settled(spider: FungiSpider) -> None:
    async def work(spider: FungiSpider) -> Any:
        [dossier] = await claimed(spider, "morel")
        cap = await spider.advance(dossier)
        assert isinstance(cap, Request)
        return dossier, await first(spider.part_failed(failed(cap, Stopped())))

    dossier, more = during_a_run(spider, work)

    assert more is None
    assert dossier.parts == {}
    assert lines_of(spider)["morel"][0] == "claimed"


def test_an_item_that_breaks_our_own_code_ends_alone_and_the_next_has_its_turn(
    spider: FungiSpider, caplog: pytest.LogCaptureFixture
) -> None:
    async def work(spider: FungiSpider) -> Any:
        poison = tuple(Answer(part, REAL, 200, b"poison", AT) for part in SOURCE.parts)
        await spider.plan([Planned("amanita", answers=poison), Planned("morel")])
        await spider.worker.discovery_is_over()
        start = spider.start()
        spider.worker.begin = done  # type: ignore[method-assign]  # it has begun
        return await first(start)

    async def done(*_: object) -> None:
        """Nothing more to do."""

    following = during_a_run(spider, work)

    assert following.url == "http://127.0.0.1:1/morel/cap"
    state, outcome, reason = lines_of(spider)["amanita"]
    assert (state, outcome) == ("failed", Outcome.FAILED)
    assert reason is not None
    assert reason.startswith("our own error: RuntimeError('it was eaten'")
    assert "it was eaten" in caplog.text


def test_the_inventory_goes_before_everything_and_is_no_witness(spider: FungiSpider) -> None:
    request = spider.discover()

    assert request.url == "http://127.0.0.1:1/all"
    assert request.priority == 100
    assert request.meta[NO_WITNESS]


def test_an_inventory_that_is_read_is_planned_and_discovery_is_over(spider: FungiSpider) -> None:
    async def work(spider: FungiSpider) -> None:
        await spider.parse_list(answered(spider.discover(), b"morel agaric"))

    during_a_run(spider, work)

    assert set(lines_of(spider)) == {"morel", "agaric"}
    assert spider.worker.run.inventory == Inventory(is_whole=True)


def test_an_inventory_that_lists_nothing_is_trouble(spider: FungiSpider) -> None:
    async def work(spider: FungiSpider) -> None:
        await spider.parse_list(answered(spider.discover(), b""))

    during_a_run(spider, work)

    assert (
        spider.worker.run.inventory.error
        == "The inventory of http://127.0.0.1:1 lists no fungus at all."
    )


@pytest.mark.parametrize(
    ("planned", "says"),
    [
        ((), "127.0.0.1:1 could not be reached (refused)."),
        (
            ("morel",),
            "The list of fungi is not whole: http://127.0.0.1:1/all could not be read (refused).",
        ),
    ],
)
def test_an_inventory_that_breaks_off_says_how_far_it_came(
    spider: FungiSpider, planned: tuple[str, ...], says: str
) -> None:
    async def work(spider: FungiSpider) -> None:
        await spider.plan(map(Planned, planned))
        await spider.inventory_failed(failed(spider.discover(), ConnectionRefusedError("refused")))

    during_a_run(spider, work)

    assert spider.worker.run.inventory.error == says


def test_an_inventory_that_a_stop_has_cut_off_is_no_trouble(spider: FungiSpider) -> None:
    async def work(spider: FungiSpider) -> None:
        await spider.inventory_failed(failed(spider.discover(), Stopped()))

    during_a_run(spider, work)

    assert spider.worker.discovers
    assert not spider.worker.run.inventory.is_over


def test_an_update_plans_only_when_it_knows_all_of_the_list(tmp_path: Path) -> None:
    async def work(spider: FungiSpider) -> set[str]:
        await spider.plan(map(Planned, ("morel", "agaric")))
        before = set(lines_of(spider))
        await spider.inventory_is_whole()
        return before

    with crawling(tmp_path, mode="update", limit="1") as spider:
        before = during_a_run(spider, work)

        assert spider.arguments.mode is CrawlMode.UPDATE
        assert before == set()
        assert len(lines_of(spider)) == 1
