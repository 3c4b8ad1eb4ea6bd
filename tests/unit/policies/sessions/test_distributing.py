"""Which session visits which page."""

from collections import Counter
from copy import deepcopy
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.sessions.distributing import (
    Distribution,
    Options,
    Strategy,
    Why,
    distribute,
    items_to_sessions,
)
from n8n_scraper.policies.sessions.session import (
    Item,
    ProxyStrategy,
    ProxyType,
    Session,
    Site,
    fits,
)

DOMAINS = ("a.example", "b.example", "c.example")
BLOCKED = st.sets(st.sampled_from(DOMAINS), max_size=2).map(frozenset)

items = st.lists(
    st.builds(
        Item,
        url=st.builds(
            "https://{}{}/{}".format,
            st.sampled_from(["", "www."]),
            st.sampled_from(DOMAINS),
            st.integers(0, 20),
        ),
        done=st.booleans(),
        failed=st.booleans(),
        invalid=st.booleans(),
        retry_at=st.none() | st.floats(0, 20),
        identity=st.sampled_from(["", "", "one"]),
    ),
    max_size=40,
)
plain_sessions = st.lists(st.integers(0, 5), max_size=6).map(
    lambda loads: [Session(f"s{number}", load=load) for number, load in enumerate(loads)]
)
odd_sessions = st.lists(
    st.builds(
        Session,
        id=st.just(""),
        load=st.integers(0, 5),
        room=st.none() | st.integers(0, 5),
        identity=st.sampled_from(["", "one", "two"]),
        proxy_type=st.sampled_from(ProxyType),
        geo=st.sampled_from(["", "DE"]),
        blocked_for=BLOCKED,
        domains=BLOCKED,
    ),
    max_size=6,
).map(lambda many: [replace(one, id=f"s{number}") for number, one in enumerate(many)])
sites = st.dictionaries(
    st.sampled_from(DOMAINS),
    st.builds(
        Site,
        strategy=st.sampled_from(ProxyStrategy),
        geo=st.sampled_from(["", "DE"]),
        session_limit=st.integers(1, 3),
    ),
)
options = st.builds(
    Options,
    strategy=st.sampled_from(Strategy),
    max_items_per_session=st.none() | st.integers(1, 8),
    prioritize_domains=st.permutations(DOMAINS).map(lambda some: tuple(some[:2])),
    sites=sites,
    now=st.floats(0, 20),
)


def pending(many: list[Item], now: float = 0.0) -> list[Item]:
    first = {item.url: item for item in reversed(many)}
    return [item for item in first.values() if item.is_pending(now)]


def given_out(found: Distribution) -> list[Item]:
    return [item for entry in found.entries for item in entry.items]


@given(items, odd_sessions, options)
def test_each_session_has_one_entry_and_each_pending_item_one_place(
    many: list[Item], sessions: list[Session], asked: Options
) -> None:
    before = deepcopy((many, sessions, asked))

    found = distribute(many, sessions, asked)

    assert [entry.session for entry in found.entries] == sessions
    everywhere = [*given_out(found), *(one.item for one in found.unmatched)]
    assert Counter(everywhere) == Counter(pending(many, asked.now))
    assert found == distribute(many, sessions, asked)
    assert items_to_sessions(many, sessions, asked) == list(found.entries)
    assert (many, sessions, asked) == before


@given(items, odd_sessions, options)
def test_a_session_gets_no_more_than_it_may_and_nothing_that_does_not_fit(
    many: list[Item], sessions: list[Session], asked: Options
) -> None:
    found = distribute(many, sessions, asked)

    for entry in found.entries:
        caps = (asked.max_items_per_session, entry.session.room)
        assert all(len(entry.items) <= cap for cap in caps if cap is not None)
        for item in entry.items:
            assert fits(entry.session, item, asked.sites.get(item.domain))
            assert item.domain not in entry.session.blocked_for
    for left in found.unmatched:
        fitting = [
            one for one in sessions if fits(one, left.item, asked.sites.get(left.item.domain))
        ]
        assert bool(fitting) == (left.why in (Why.FULL, Why.SITE_AT_LIMIT))


@given(items, odd_sessions, options)
def test_a_site_is_visited_by_no_more_sessions_than_it_allows(
    many: list[Item], sessions: list[Session], asked: Options
) -> None:
    found = distribute(many, sessions, asked)

    for domain, site in asked.sites.items():
        new = [
            entry.session.id
            for entry in found.entries
            if any(item.domain == domain for item in entry.items)
            and domain not in entry.session.domains
        ]
        before = sum(domain in one.domains for one in sessions)
        assert len(new) <= max(0, site.session_limit - before)


@given(items, st.integers(1, 6))
def test_round_robin_is_even(many: list[Item], number: int) -> None:
    sessions = [Session(f"s{place}") for place in range(number)]

    entries = items_to_sessions(pending(many), sessions)

    plain = [item for item in pending(many) if not item.identity]
    even = items_to_sessions(plain, sessions)
    sizes = [len(entry.items) for entry in even]
    assert max(sizes) - min(sizes) <= 1
    assert len(entries) == number


@given(items, plain_sessions.filter(bool))
def test_affinity_keeps_the_items_of_a_domain_together(
    many: list[Item], sessions: list[Session]
) -> None:
    plain = [replace(item, identity="") for item in pending(many)]

    found = distribute(plain, sessions, Options(Strategy.DOMAIN_AFFINITY))

    places: dict[str, set[str]] = {}
    for entry in found.entries:
        for item in entry.items:
            places.setdefault(item.domain, set()).add(entry.session.id)
    assert all(len(ids) == 1 for ids in places.values())
    assert not found.unmatched


@given(items, plain_sessions.filter(bool))
def test_least_loaded_evens_out_what_sessions_have_to_do(
    many: list[Item], sessions: list[Session]
) -> None:
    plain = [replace(item, identity="") for item in pending(many)]

    entries = items_to_sessions(plain, sessions, Options(Strategy.LEAST_LOADED))

    # Then nobody was given an item who had more to do than somebody else has now
    fewest = min(entry.session.load + len(entry.items) for entry in entries)
    for entry in entries:
        assert not entry.items or entry.session.load + len(entry.items) <= fewest + 1


@given(items, plain_sessions, st.integers(1, 5), st.sampled_from(DOMAINS))
def test_a_domain_that_comes_first_is_left_over_last(
    many: list[Item], sessions: list[Session], cap: int, first: str
) -> None:
    plain = [replace(item, identity="") for item in pending(many)]

    found = distribute(
        plain, sessions, Options(max_items_per_session=cap, prioritize_domains=(first,))
    )

    if any(left.item.domain == first for left in found.unmatched):
        assert {item.domain for item in given_out(found)} <= {first}
    for entry in found.entries:
        order = [item.domain != first for item in entry.items]
        assert order == sorted(order)


def test_www_makes_no_other_domain() -> None:
    two = [Item("https://www.a.example/1"), Item("https://a.example/2"), Item("https://b.example/")]

    entries = items_to_sessions(
        two, [Session("one"), Session("two")], Options(Strategy.DOMAIN_AFFINITY)
    )

    assert [len(entry.items) for entry in entries] == [2, 1]


def test_what_is_done_given_up_or_failed_a_moment_ago_is_left_out() -> None:
    page = "https://a.example/{}".format
    many = [
        Item(page(1), done=True),
        Item(page(2), invalid=True),
        Item(page(3), failed=True, failed_reason="it was away"),
        Item(page(4), failed=True, retry_at=101.0),
        Item(page(5), failed=True, retry_at=100.0),
        Item(page(6)),
        Item(page(6)),
    ]

    (entry,) = items_to_sessions(many, [Session("one")], Options(now=100.0))

    assert [item.url for item in entry.items] == [page(5), page(6)]


def test_without_sessions_there_is_no_capacity_which_is_not_the_same_as_done() -> None:
    nobody = distribute([Item("https://a.example/")], [])
    nothing = distribute([], [])

    assert (nobody.entries, [one.why for one in nobody.unmatched]) == ((), [Why.NO_SESSION])
    assert (nobody.lacks_capacity, nobody.is_done) == (True, False)
    assert (nothing.lacks_capacity, nothing.is_done) == (False, True)
    assert items_to_sessions([], [Session("one")])[0].items == ()


def test_the_same_address_in_two_runs_is_two_items() -> None:
    two = [Item("https://a.example/", run="one"), Item("https://a.example/", run="two")]

    (entry,) = items_to_sessions(two, [Session("s")])

    assert [item.run for item in entry.items] == ["one", "two"]


@pytest.mark.parametrize(
    ("strategy", "suits"),
    [
        (ProxyStrategy.NONE, {ProxyType.NONE}),
        (ProxyStrategy.DATACENTER, {ProxyType.DATACENTER}),
        (ProxyStrategy.RESIDENTIAL_STABLE, {ProxyType.RESIDENTIAL_STABLE}),
        (ProxyStrategy.RESIDENTIAL_ROTATING, {ProxyType.RESIDENTIAL_ROTATING}),
        (ProxyStrategy.DATACENTER_TO_RESIDENTIAL, set(ProxyType) - {ProxyType.NONE}),
    ],
)
def test_a_session_fits_by_the_kind_of_its_proxy_by_its_country_and_where_it_is_not_blocked(
    strategy: ProxyStrategy, suits: set[ProxyType]
) -> None:
    item, site = Item("https://www.a.example/"), Site(strategy, geo="DE")
    sessions = [Session(kind, proxy_type=kind, geo="DE") for kind in ProxyType]

    assert {one.proxy_type for one in sessions if fits(one, item, site)} == suits
    assert not any(fits(replace(one, geo="FR"), item, site) for one in sessions)
    blocked = [replace(one, blocked_for=frozenset({"a.example"})) for one in sessions]
    assert not any(fits(one, item, site) for one in blocked)
    assert all(fits(one, item, None) for one in sessions)
