"""Many processes at one site by way of a Redis: all that is allowed, and no more."""

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from functools import partial

import pytest

from n8n_scraper.core.redis_settings import RedisAddress
from n8n_scraper.ledger.redis_pace_store import RedisPaceStore
from n8n_scraper.policies.pace.circuit import CircuitLimits, CircuitState
from n8n_scraper.policies.pace.domain_state import DomainState, Rules
from n8n_scraper.policies.pace.token_bucket import BucketLimits
from n8n_scraper.testing.redis import OwnRedis

pytest.importorskip("redis")
RATE, BURST, CALLERS = 50, 5, 4
SOON_SECONDS = 0.5
"""In which all hear when to begin, and the bucket is full again."""


def callers(redis: OwnRedis, processes: int, seconds: float) -> tuple[list[float], int]:
    """Let so many processes ask a site whose bucket is full; give when, and calls of the store."""
    store = RedisPaceStore(RedisAddress.parse(redis.url, "REDIS_URL"))
    store.change("site.example", lambda state, now: replace(state, next_at=now, noted_at=now))
    arguments = (redis.url, "site.example", RATE, BURST, CALLERS)
    command = [sys.executable, "-m", "tests.bench.redis_callers", *map(str, arguments)]
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with ExitStack() as stack:
        running = [
            stack.enter_context(subprocess.Popen(command, **streams)) for _ in range(processes)
        ]
        assert [process.stdout.readline() for process in running] == ["ready\n"] * processes
        begin = time.time() + SOON_SECONDS
        for process in running:
            print(begin, begin + seconds, file=process.stdin, flush=True)
        told = [process.communicate(timeout=60)[0].split() for process in running]
    times = sorted(float(moment) for _, *moments in told for moment in moments)
    return times, sum(int(number) for number, *_ in told)


def most_within(times: list[float], seconds: float) -> int:
    """How many came within the busiest such span."""
    return max(
        sum(begin <= one < begin + seconds for one in times[place : place + 2 * RATE])
        for place, begin in enumerate(times)
    )


@pytest.mark.timed
@pytest.mark.parametrize(
    ("processes", "seconds", "least"),
    [
        # Beside other tests, half of what is allowed is enough: no more may be asked of them.
        pytest.param(2, 3.0, 75, id="suite"),
        pytest.param(8, 12.0, 600, id="bench", marks=pytest.mark.long),
    ],
)
def test_processes_that_share_a_redis_use_what_is_allowed_and_no_more(
    redis: OwnRedis, processes: int, seconds: float, least: int
) -> None:
    times, asked = callers(redis, processes, seconds)

    print(
        f"\n{processes} processes: {len(times)} of {BURST + RATE * seconds:g}, "
        f"most in a second {most_within(times, 1.0)}, {asked / len(times):.2f} calls a grant"
    )
    assert most_within(times, 1.0) <= RATE + BURST
    assert len(times) >= least


def test_of_many_callers_one_sends_the_probe_in_each_window(redis: OwnRedis) -> None:
    # Given a site that stays down, and a hold that is over again and again
    rules = Rules(BucketLimits(RATE, BURST), CircuitLimits(hold_seconds=0.2, hold_cap_seconds=0.2))
    address = RedisAddress.parse(redis.url, "REDIS_URL")
    stores = [RedisPaceStore(address, answer_seconds=10) for _ in range(32)]
    down = partial(DomainState.left_alone, rules=rules, reason="timeout", evidence="/")
    stores[0].change("site.example", down)

    # When all want to send the probe whenever its time has come
    for window in range(5):
        time.sleep(0.25)
        names = [f"{window}:{number}" for number in range(len(stores))]
        holders = take_probes(stores, names, rules)

        # Then one may, and its failure begins the next hold
        assert len(holders) == 1
        stores[0].change("site.example", partial(reopened, rules=rules))


def take_probes(stores: list[RedisPaceStore], names: list[str], rules: Rules) -> set[str]:
    """Let each want the probe at the same time; give the names of those that got it."""

    def take(store: RedisPaceStore, name: str) -> bool:
        step = partial(DomainState.taken, rules=rules, name=name, witness=True)
        return store.change("site.example", step).state.circuit.probe == name

    with ThreadPoolExecutor(len(stores)) as threads:
        got = list(threads.map(take, stores, names))
    return {name for name, has in zip(names, got, strict=True) if has}


def reopened(state: DomainState, now: float, rules: Rules) -> DomainState:
    """The probe has failed."""
    circuit: CircuitState = state.circuit.opened(now, rules.circuit, "timeout", "/")
    return replace(state, circuit=circuit, noted_at=now)
