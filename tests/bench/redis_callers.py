"""One process with several callers that ask a domain by way of a Redis; says when it asked.

Arguments: the Redis, the domain, rate, burst, callers, when to begin and when to stop.
"""

import sys
import time
from concurrent.futures import ThreadPoolExecutor

from n8n_scraper.core.redis_settings import RedisAddress
from n8n_scraper.ledger.redis_pace_store import RedisPaceStore
from n8n_scraper.policies.pace.domain_state import DomainState, Wish
from n8n_scraper.policies.pace.token_bucket import BucketLimits, Tempo


def call(url: str, domain: str, tempo: Tempo, until: float) -> tuple[list[float], int]:
    """Ask whenever a token is due; give when that was, and how often the store was asked."""
    store = RedisPaceStore(RedisAddress.parse(url, "REDIS_URL"), answer_seconds=10)
    epoch, asked, times = store.change(domain, DomainState.met).state.epoch, 1, list[float]()
    while time.time() < until:
        seen = store.reserve(domain, Wish(1, tempo, epoch))
        asked += 1
        if seen.reservation is None:
            time.sleep(seen.state.next_at - seen.now - 1)
            continue
        time.sleep(max(0.0, seen.reservation.due_at(0) - seen.now))
        now = time.time()
        if now < until and now <= seen.reservation.good_until(0):
            times.append(now)
    return times, asked


def main() -> None:
    """Call, and print the times, and how often the store was asked."""
    url, domain, rate, burst, callers, begin, until = sys.argv[1:]
    tempo = Tempo.of(BucketLimits(float(rate), int(burst)))
    time.sleep(float(begin) - time.time())
    with ThreadPoolExecutor(int(callers)) as threads:
        calls = [
            threads.submit(call, url, domain, tempo, float(until)) for _ in range(int(callers))
        ]
        results = [one.result() for one in calls]
    print(sum(asked for _, asked in results), *(one for times, _ in results for one in times))


if __name__ == "__main__":
    main()
