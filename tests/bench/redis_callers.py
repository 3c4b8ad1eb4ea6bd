"""One process with several callers that ask a domain by way of a Redis; says when it asked.

Arguments: the Redis, the domain, rate, burst and callers. It says that it is ready, and is told
in a line when to begin and when to stop.
"""

import sys
import time
from concurrent.futures import ThreadPoolExecutor

from n8n_scraper.core.redis_settings import RedisAddress
from n8n_scraper.ledger.redis_pace_store import RedisPaceStore
from n8n_scraper.policies.pace.domain_state import MOST_AHEAD_SECONDS, DomainState, Wish
from n8n_scraper.policies.pace.token_bucket import BucketLimits, Tempo


def connected(url: str, domain: str) -> tuple[RedisPaceStore, int]:
    """Connect, and learn the domain's epoch, as a crawl has long before it waits for a token."""
    store = RedisPaceStore(RedisAddress.parse(url, "REDIS_URL"), answer_seconds=10)
    return store, store.change(domain, DomainState.met).state.epoch


def call(
    store: RedisPaceStore, epoch: int, domain: str, tempo: Tempo, begin: float, until: float
) -> tuple[list[float], int]:
    """Ask whenever a token is due; give when that was, and how often the store was asked."""
    asked, times = 0, list[float]()
    time.sleep(begin - time.time())
    while time.time() < until:
        seen = store.reserve(domain, Wish(1, tempo, epoch))
        asked += 1
        if seen.reservation is None:
            time.sleep(max(0.0, seen.state.next_at - seen.now - MOST_AHEAD_SECONDS))
            continue
        time.sleep(max(0.0, seen.reservation.due_at(0) - seen.now))
        now = time.time()
        if now < until and now <= seen.reservation.good_until(0):
            times.append(now)
    return times, asked


def main() -> None:
    """Call, and print the times, and how often the store was asked."""
    url, domain, rate, burst, callers = sys.argv[1:]
    tempo = Tempo.of(BucketLimits(float(rate), int(burst)))
    known = [connected(url, domain) for _ in range(int(callers))]
    print("ready", flush=True)
    begin, until = map(float, input().split())
    with ThreadPoolExecutor(len(known)) as threads:
        calls = [
            threads.submit(call, store, epoch, domain, tempo, begin, until)
            for store, epoch in known
        ]
        results = [one.result() for one in calls]
    print(sum(asked for _, asked in results), *(one for times, _ in results for one in times))


if __name__ == "__main__":
    main()
