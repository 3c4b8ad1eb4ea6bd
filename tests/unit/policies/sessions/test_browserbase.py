"""What Browserbase is asked, and what its answers mean."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.sessions import browserbase
from n8n_scraper.policies.sessions.browserbase import Created, Refused, Unclear
from n8n_scraper.policies.sessions.session import Need, ProxyType

SESSION = {"id": "s1", "connectUrl": "wss://connect.example/?key", "status": "RUNNING"}
JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "connectUrl", "status", "message"]), inner)
    ),
    max_leaves=6,
)


@given(st.integers(100, 599), JSON)
def test_whatever_it_says_is_one_of_three_things(status: int, said: object) -> None:
    found = browserbase.answer(status, {}, said)

    assert isinstance(found, Created | Refused | Unclear)
    # and only what names a session that lives is one
    if isinstance(found, Created):
        assert isinstance(said, dict)
        assert status < 300
        assert said["status"] in browserbase.LIVING
    # and what may have been created is never taken for refused
    if status >= 500 or status == 408:
        assert isinstance(found, Unclear)


@pytest.mark.parametrize("status", ["PENDING", "RUNNING"])
def test_a_session_that_lives_or_begins_to_was_created(status: str) -> None:
    found = browserbase.answer(201, {}, {**SESSION, "status": status})

    assert found == Created("s1", "wss://connect.example/?key")


def test_one_that_could_not_start_is_released_by_its_name() -> None:
    assert browserbase.answer(200, {}, {**SESSION, "status": "ERROR"}) == Unclear(
        "the session is ERROR at once", "s1"
    )


def test_a_limit_is_waited_for_as_long_as_it_says() -> None:
    told = browserbase.answer(429, {"retry-after": "7"}, {"message": "too many"})
    untold = browserbase.answer(429, {}, None)

    assert told == Refused("status 429: too many", 7.0)
    assert isinstance(untold, Refused)
    assert untold.wait_seconds == 30.0


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 422])
def test_what_a_person_has_to_mend_is_refused_for_good(status: int) -> None:
    found = browserbase.answer(status, {}, {"message": "no"})

    assert isinstance(found, Refused)
    assert found.for_good


def test_a_proxy_is_asked_for_where_one_is_needed() -> None:
    rotating = ProxyType.RESIDENTIAL_ROTATING

    plain = browserbase.question(Need(), 900.4, "", {})
    any_country = browserbase.question(Need(rotating), 900.4, "p1", {"lease": "l1"})

    assert not {"proxies", "projectId"} & set(plain)
    assert (any_country["proxies"], any_country["projectId"]) == (True, "p1")
    assert (any_country["timeout"], any_country["userMetadata"]) == (900, {"lease": "l1"})


def test_only_what_carries_our_tag_is_ours() -> None:
    said = [
        {"id": "a", "userMetadata": {"book": "b1", "lease": "l1"}},
        {"id": "b", "userMetadata": {"other": "x"}},
        {"id": "c", "userMetadata": None},
        {"id": 4, "userMetadata": {"book": "b1"}},
        "odd",
    ]

    assert browserbase.tagged(said, "book") == {"a": {"book": "b1", "lease": "l1"}}
    assert browserbase.tagged({"error": "no"}, "book") is None
