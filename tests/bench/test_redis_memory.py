"""What a thousand dispatched runs take in Redis, and that nothing of it stays for ever."""

from functools import partial

import pytest

from n8n_scraper.core.redis_settings import RedisAddress
from n8n_scraper.ledger.redis_pace_store import RedisPaceStore
from n8n_scraper.policies.pace.domain_state import DomainState, Wish
from n8n_scraper.policies.pace.token_bucket import BucketLimits, Tempo
from n8n_scraper.testing.redis import OwnRedis

library = pytest.importorskip("redis")

RUNS, DOMAINS = 1_000, 100
MOST_KB_A_RUN = 2.0
MOST_KB_A_DOMAIN = 4.0


def test_a_thousand_runs_and_a_hundred_domains_are_small_and_forgotten_one_day(
    redis: OwnRedis,
) -> None:
    from n8n_scraper.workers.jobs import Job, JobStatus, jobs_at

    job = Job(JobStatus.COMPLETE, 260, 260, 12_987, "2026-11-19T05:17:31.000Z")
    tempo = Tempo.of(BucketLimits(2.0, 5))
    with library.Redis.from_url(redis.url) as inside, jobs_at(redis.url) as jobs:
        empty = inside.info("memory")["used_memory"]
        for number in range(RUNS):
            jobs.note(f"20261119T{number:06}-2e34", job)
        with_runs = inside.info("memory")["used_memory"]

        store = RedisPaceStore(RedisAddress.parse(redis.url, "REDIS_URL"))
        for number in range(DOMAINS):
            name = f"site{number}.example"
            store.change(name, partial(DomainState.held, seconds=1))
            store.reserve(name, Wish(1, tempo, 1))
        store.close()
        with_domains = inside.info("memory")["used_memory"]
        names = list(inside.scan_iter(count=1000))
        mortal = sum(inside.ttl(name) > 0 for name in names)

    of_run, of_domain = (with_runs - empty) / RUNS, (with_domains - with_runs) / DOMAINS
    print(f"\n{RUNS} runs: {(with_runs - empty) / 1000:.0f} kB, {of_run:.0f} bytes each", end="; ")
    print(f"a domain {of_domain:.0f} bytes; {len(names)} keys, {mortal} with a lifetime")
    assert len(names) == mortal == 5 * RUNS + 2 * DOMAINS
    assert of_run <= 1000 * MOST_KB_A_RUN
    assert of_domain <= 1000 * MOST_KB_A_DOMAIN
