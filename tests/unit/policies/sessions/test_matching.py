"""Which sessions are not needed, and which are lacking."""

from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.sessions.distributing import Options, Strategy, Why, distribute
from n8n_scraper.policies.sessions.matching import match
from n8n_scraper.policies.sessions.session import (
    Item,
    Need,
    ProxyStrategy,
    ProxyType,
    Session,
    Site,
)
from tests.unit.policies.sessions.test_distributing import items, odd_sessions, options

SITES = {
    "a.example": Site(ProxyStrategy.RESIDENTIAL_STABLE, geo="DE"),
    "b.example": Site(ProxyStrategy.DATACENTER_TO_RESIDENTIAL),
}


@given(items, odd_sessions, options, st.integers(0, 5))
def test_what_was_lacking_has_a_session_at_the_second_pass(
    many: list[Item], sessions: list[Session], asked: Options, may_open: int
) -> None:
    first = match(many, sessions, asked, may_open=may_open)
    opened = [
        Session(f"new{number}", 0, None, need.identity, need.proxy_type, need.geo)
        for number, need in enumerate(first.needs)
    ]

    second = distribute(many, [*sessions, *opened], asked)

    # Then each that was opened has brought something
    assert len(first.needs) <= may_open
    left, before = len(second.unmatched), len(first.distribution.unmatched)
    assert left <= before - len(opened)
    # and none is closed that has something to do
    assert not {one.id for one in first.unused if one.load}
    # and what is left over then is over the number that may be opened, or the site's own limit
    if len(opened) < may_open:
        again = match(many, [*sessions, *opened], asked, may_open=1)
        assert not again.needs


def test_exactly_what_the_unmatched_need_is_asked_for() -> None:
    wanted = [
        Item("https://a.example/1"),
        Item("https://a.example/2"),
        Item("https://b.example/"),
        Item("https://c.example/", identity="tor"),
    ]

    found = match(wanted, [Session("direct")], Options(sites=SITES), may_open=9)

    assert [one.id for one in found.unused] == ["direct"]
    assert found.needs == (
        Need(ProxyType.RESIDENTIAL_STABLE, "DE"),
        Need(ProxyType.DATACENTER),
        Need(identity="tor"),
    )


def test_where_a_datacenter_is_blocked_a_residential_one_is_asked_for() -> None:
    blocked = Session(
        "cheap", proxy_type=ProxyType.DATACENTER, blocked_for=frozenset({"b.example"})
    )

    found = match([Item("https://b.example/")], [blocked], Options(sites=SITES), may_open=1)

    assert found.needs == (Need(ProxyType.RESIDENTIAL_ROTATING),)


def test_no_session_is_opened_for_a_site_that_has_as_many_as_it_may() -> None:
    busy = Session("busy", load=1, room=0, domains=frozenset({"c.example"}))
    options = Options(sites={"c.example": Site(session_limit=1)})

    found = match([Item("https://c.example/")], [busy], options, may_open=3)
    together = match(
        [Item("https://d.example/")],
        [Session("busy", load=1, room=0, domains=frozenset({"d.example"}))],
        Options(Strategy.DOMAIN_AFFINITY),
        may_open=3,
    )

    assert (found.needs, found.distribution.unmatched[0].why) == ((), Why.SITE_AT_LIMIT)
    assert (together.needs, together.distribution.unmatched[0].why) == ((), Why.SITE_AT_LIMIT)
