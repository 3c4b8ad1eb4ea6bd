"""The paces of a crawl: their settings, and a store of theirs that takes its time."""

import asyncio
from functools import partial

import pytest
from scrapy import Request
from scrapy.settings import Settings

from n8n_scraper.core.errors import StoreLost
from n8n_scraper.crawl.pacing import Paces
from n8n_scraper.policies.pace.circuit import Mode
from n8n_scraper.policies.pace.domain_state import DomainState
from n8n_scraper.policies.pace.pace import LOOK_SECONDS, Pace
from n8n_scraper.policies.pace.pace_store import MemoryPaceStore, PaceStore, Seen
from n8n_scraper.testing.clock import MovableClock


def settings(**values: object) -> Settings:
    breaker = {"CIRCUIT_BREAKER_FAILURES": "10", "CIRCUIT_BREAKER_HOLD": "60"}
    return Settings(
        {
            **breaker,
            "RATE_LIMIT_RATE": "2.0",
            "RATE_LIMIT_BURST": "5",
            "RATE_LIMITS": "{}",
            **values,
        }
    )


def test_a_domain_has_its_own_limits_or_the_default_ones() -> None:
    paces = Paces.from_settings(settings(RATE_LIMITS='{"n8n.io": {"rate": 4.0, "burst": 2}}'))

    assert paces.of(Request("https://api.n8n.io/x")).rules.limits.rate == 4.0
    assert paces.of(Request("https://n8n.io/y")) is paces.of(Request("https://api.n8n.io/x"))
    assert paces.of(Request("https://other.example/")).rules.limits.rate == 2.0
    assert [pace.domain for pace in paces.all()] == ["n8n.io", "other.example"]


# --- a store that takes its time --------------------------------------------------------------

DOMAIN = "site.example"


class SlowStore(MemoryPaceStore):
    """One that is asked on a thread, and may be lost."""

    blocks = True

    def __init__(self) -> None:
        super().__init__()
        self.failure: Exception | None = None
        self.is_closed = False

    def look(self, domain: str) -> Seen:
        """Say how a domain stands, or fail."""
        if self.failure:
            raise self.failure
        return super().look(domain)

    def close(self) -> None:
        """Note it."""
        self.is_closed = True


def sharing(store: PaceStore, **given: object) -> tuple[Paces, Pace]:
    paces = Paces.from_settings(settings(**given))
    paces.share(store)
    return paces, paces.of_domain(DOMAIN)


async def until_known(paces: Paces, pace: Pace) -> float:
    """Ask as a scheduler does: again whenever there is something new."""
    while (wait := paces.wait(pace)) is None:
        await paces.news(10)
    return wait


def test_until_the_store_has_answered_nothing_leaves_and_then_the_engine_is_told() -> None:
    async def crawl() -> None:
        paces, pace = sharing(SlowStore())
        told: list[bool] = []
        paces.on_news = lambda: told.append(True)

        assert paces.wait(pace) is None
        assert await until_known(paces, pace) == 0
        assert told
        assert pace.take(paces.clock())
        await paces.close()

    asyncio.run(crawl())


def test_what_is_told_is_known_when_the_telling_is_over() -> None:
    async def crawl() -> None:
        paces, pace = sharing(SlowStore())
        await until_known(paces, pace)

        telling = asyncio.ensure_future(paces.tell(pace, pace.retry_after(30), as_complaint=True))
        await asyncio.sleep(0)
        assert paces.wait(pace) is None  # not even with the token that it has
        await telling

        assert paces.wait(pace) == pytest.approx(30, abs=5)
        await paces.close()

    asyncio.run(crawl())


@pytest.mark.parametrize("failure", [StoreLost("it is away"), ValueError("a mistake of ours")])
def test_a_store_that_fails_is_told_once_and_nothing_leaves_any_more(failure: Exception) -> None:
    async def crawl() -> list[Exception]:
        store = SlowStore()
        paces, pace = sharing(store)
        lost: list[Exception] = []
        paces.on_loss = lost.append
        store.failure = failure

        paces.wait(pace)
        await paces.news(10)
        await paces.tell(pace, pace.retry_after(30))
        assert paces.wait(pace) is None
        await paces.close()
        return lost

    assert asyncio.run(crawl()) == [failure]


def test_a_probe_that_was_taken_and_is_not_sent_is_given_back_at_the_end() -> None:
    async def crawl() -> Mode:
        store = SlowStore()
        paces, pace = sharing(store, RATE_LIMIT_RATE="0", CIRCUIT_BREAKER_HOLD="0.01")
        opened = partial(DomainState.left_alone, rules=pace.rules, reason="timeout", evidence="/")
        await paces.tell(pace, opened)
        while await until_known(paces, pace):
            await paces.news(0.01)
        assert pace.probe

        await paces.close()

        assert store.is_closed
        return store.look(DOMAIN).state.circuit.mode

    assert asyncio.run(crawl()) is Mode.OPEN


def test_what_others_have_found_out_is_looked_for_while_a_request_waits() -> None:
    async def crawl() -> None:
        store, clock = SlowStore(), MovableClock()
        paces, pace = sharing(store, RATE_LIMIT_RATE="0")
        paces.clock = clock
        await until_known(paces, pace)
        store.change(DOMAIN, pace.retry_after(30))

        paces.look()
        assert paces.wait(pace) == 0  # what it knows is new enough
        clock.move(LOOK_SECONDS)
        paces.look()
        await paces.news(10)

        assert paces.wait(pace) == pytest.approx(30, abs=5)
        await paces.close()

    asyncio.run(crawl())
