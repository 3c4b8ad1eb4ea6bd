"""What only Redis does: it forgets scripts, keys and everything, and is away."""

from collections.abc import Iterator
from contextlib import closing
from functools import partial
from typing import Any

import pytest

from n8n_scraper.core.errors import StoreUnfit
from n8n_scraper.core.redis_settings import RedisAddress
from n8n_scraper.ledger.redis_pace_store import REMEMBERED_SECONDS, RedisPaceStore
from n8n_scraper.policies.pace.domain_state import DomainState, Wish
from n8n_scraper.policies.pace.pace_store import PaceAway
from n8n_scraper.policies.pace.token_bucket import BucketLimits, Tempo
from n8n_scraper.testing.redis import OwnRedis

library = pytest.importorskip("redis")
SITE = "n8n.io"
TEMPO = Tempo.of(BucketLimits(7.0, 5))


@pytest.fixture
def store(redis: OwnRedis) -> Iterator[RedisPaceStore]:
    with closing(RedisPaceStore(RedisAddress.parse(redis.url, "REDIS_URL"), 10)) as opened:
        yield opened


@pytest.fixture
def inside(redis: OwnRedis) -> Iterator[Any]:
    with library.Redis.from_url(redis.url, decode_responses=True) as client:
        yield client


def test_scripts_that_redis_has_forgotten_are_given_to_it_again(
    store: RedisPaceStore, inside: Any
) -> None:
    store.change(SITE, DomainState.met)
    inside.script_flush()

    assert store.reserve(SITE, Wish(1, TEMPO, 0)).reservation is not None
    inside.script_flush()
    assert store.change(SITE, partial(DomainState.held, seconds=1)).state.epoch == 1


def test_each_domain_has_two_keys_that_outlive_what_they_wait_for(
    store: RedisPaceStore, inside: Any
) -> None:
    ten_days = 10 * 24 * 3600
    store.reserve("met.example", Wish(1, TEMPO, 0))
    store.change("held.example", partial(DomainState.held, seconds=ten_days))

    left = {key: inside.ttl(key) for key in inside.scan_iter()}

    assert set(left) == {
        f"{kind}:{name}.example" for kind in ("ratelimit", "circuit") for name in ("met", "held")
    }
    for key, seconds in left.items():
        least = REMEMBERED_SECONDS + (ten_days if "held" in key else 0)
        assert least - 60 < seconds <= least + 1


def test_a_reservation_makes_a_domain_be_remembered_as_long_as_a_new_one(
    store: RedisPaceStore, inside: Any
) -> None:
    store.change(SITE, DomainState.met)
    for key in inside.scan_iter():
        inside.expire(key, 100)

    store.reserve(SITE, Wish(1, TEMPO, 0))

    assert all(inside.ttl(key) > REMEMBERED_SECONDS - 60 for key in inside.scan_iter())


def test_times_are_the_same_to_the_last_bit_in_both_languages(store: RedisPaceStore) -> None:
    for _ in range(20):
        before = store.look(SITE).state
        seen = store.reserve(SITE, Wish(3, TEMPO, 0, lead=0.1))
        expected, _ = before.reserved(seen.now, Wish(3, TEMPO, 0, lead=0.1))
        if seen.reservation:
            assert seen.state == expected


def test_a_revision_rises_also_over_a_redis_that_has_come_back_empty(
    store: RedisPaceStore, inside: Any
) -> None:
    before = store.change(SITE, DomainState.met)
    for _ in range(50):
        before = store.reserve(SITE, Wish(1, Tempo(0.001), 0))

    inside.flushall()

    assert store.change(SITE, DomainState.met).revision > before.revision


def test_domains_are_listed_by_name_and_what_is_not_ours_is_left_out(
    store: RedisPaceStore, inside: Any
) -> None:
    inside.hset("ratelimit:other", "tokens", "3")
    inside.set("ratelimit:another", "3")
    store.change("b.example", partial(DomainState.held, seconds=1))
    store.change("a.example", DomainState.met)

    known = store.domains()

    assert list(known) == ["a.example", "b.example"]
    assert known["b.example"].epoch == 1


def test_a_redis_that_is_away_is_told_by_its_place(redis: OwnRedis) -> None:
    url = f"redis://:secret@127.0.0.1:{redis.port}/0"
    redis.stop()
    with closing(RedisPaceStore(RedisAddress.parse(url, "REDIS_URL"))) as store:
        for ask in (store.look, partial(store.reserve, wish=Wish(1, TEMPO, 0))):
            with pytest.raises(PaceAway, match=f"Redis at 127.0.0.1:{redis.port}") as raised:
                ask(SITE)
            assert "secret" not in str(raised.value)


def test_a_redis_that_is_full_counts_as_away(store: RedisPaceStore, inside: Any) -> None:
    inside.config_set("maxmemory", "1")

    with pytest.raises(PaceAway, match="maxmemory"):
        store.change(SITE, DomainState.met)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("ratelimit:n8n.io", "3", "WRONGTYPE"),  # another program's
        ("ratelimit:n8n.io", {"epoch": "0", "noted_at": "1", "next_at": "x"}, "user_script:.*nil"),
    ],
)
def test_what_makes_no_sense_to_a_script_is_no_absence_and_is_told_with_its_line(
    store: RedisPaceStore, inside: Any, name: str, value: Any, said: str
) -> None:
    if isinstance(value, str):
        inside.set(name, value)
    else:
        inside.hset(name, mapping=value)

    with pytest.raises(StoreUnfit, match=f"Redis at 127.0.0.1.* cannot keep a pace: .*{said}"):
        store.reserve(SITE, Wish(1, TEMPO, 0))
