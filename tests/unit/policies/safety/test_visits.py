"""Who is let in."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.safety.visits import (
    Credential,
    House,
    Openness,
    Verdict,
    Visit,
    is_loopback,
    verdict_on,
)

AT_HOME = House.at("127.0.0.1", [], has_token=False)
AT_HOME_WITH_TOKEN = House.at("127.0.0.1", [], has_token=True)
OUTSIDE = House.at("0.0.0.0", ["archive.example"], has_token=True)  # noqa: S104 - only its rule
READS = Visit(Openness.PAGES, changes=False, host="127.0.0.1:8809")
CHANGES = replace(READS, changes=True)

HOUSES = st.sampled_from([AT_HOME, AT_HOME_WITH_TOKEN, OUTSIDE])
HOSTS = st.sampled_from([None, "", "127.0.0.1:8809", "[::1]:8809", "evil.example", "localhost"])
ORIGINS = st.sampled_from([None, "null", "http://127.0.0.1:8809", "https://evil.example", "x"])
VISITS = st.builds(
    Visit,
    openness=st.sampled_from(Openness),
    changes=st.booleans(),
    host=HOSTS,
    origin=ORIGINS,
    fetch_site=st.sampled_from([None, "none", "same-origin", "same-site", "cross-site"]),
    navigates=st.booleans(),
    credential=st.sampled_from(Credential),
    token_in_query=st.booleans(),
)


@given(VISITS, HOUSES)
def test_nothing_is_changed_without_the_token(visit: Visit, house: House) -> None:
    if visit.changes and visit.openness is not Openness.EVERYBODY:
        is_in = verdict_on(visit, house) is Verdict.LET_IN
        assert not is_in or visit.credential is Credential.RIGHT


@given(VISITS)
def test_nothing_is_seen_from_outside_without_the_token(visit: Visit) -> None:
    if visit.openness is not Openness.EVERYBODY and verdict_on(visit, OUTSIDE) is Verdict.LET_IN:
        assert visit.credential is Credential.RIGHT


@given(VISITS, HOUSES)
def test_nothing_is_changed_for_a_page_of_another_site(visit: Visit, house: House) -> None:
    if visit.changes and visit.fetch_site in ("same-site", "cross-site"):
        assert verdict_on(visit, house) is not Verdict.LET_IN


@given(VISITS, HOUSES)
def test_a_name_that_is_not_ours_is_never_answered(visit: Visit, house: House) -> None:
    assert verdict_on(replace(visit, host="evil.example"), house) is Verdict.UNKNOWN_NAME


@given(VISITS, HOUSES)
def test_a_token_in_the_query_never_helps(visit: Visit, house: House) -> None:
    assert verdict_on(replace(visit, token_in_query=True), house) is not Verdict.LET_IN


@given(VISITS, HOUSES)
def test_the_token_shuts_nobody_out(visit: Visit, house: House) -> None:
    if verdict_on(visit, house) is Verdict.LET_IN:
        known = replace(visit, credential=Credential.RIGHT)
        assert verdict_on(known, house) is Verdict.LET_IN


@pytest.mark.parametrize(
    ("visit", "house", "verdict"),
    [
        (READS, AT_HOME, Verdict.LET_IN),
        (READS, OUTSIDE, Verdict.TOKEN_WANTED),
        (CHANGES, AT_HOME, Verdict.NOTHING_CHANGES),
        (CHANGES, AT_HOME_WITH_TOKEN, Verdict.TOKEN_WANTED),
        (replace(READS, credential=Credential.WRONG), AT_HOME, Verdict.WRONG_TOKEN),
        (replace(READS, fetch_site="cross-site"), AT_HOME, Verdict.FROM_ANOTHER_SITE),
        (replace(READS, fetch_site="cross-site", navigates=True), AT_HOME, Verdict.LET_IN),
        (replace(READS, origin="http://127.0.0.1:8809"), AT_HOME, Verdict.LET_IN),
        (replace(READS, origin="http://127.0.0.1:3000"), AT_HOME, Verdict.FROM_ANOTHER_SITE),
        (replace(READS, origin="null"), AT_HOME, Verdict.FROM_ANOTHER_SITE),
        (replace(READS, origin="null", fetch_site="same-origin"), AT_HOME, Verdict.LET_IN),
        (
            replace(READS, openness=Openness.OTHER_SITES, origin="http://localhost:5678"),
            AT_HOME,
            Verdict.LET_IN,
        ),
        (
            replace(CHANGES, openness=Openness.OTHER_SITES, origin="http://localhost:5678"),
            AT_HOME_WITH_TOKEN,
            Verdict.FROM_ANOTHER_SITE,
        ),
    ],
)
def test_a_visit_is_judged(visit: Visit, house: House, verdict: Verdict) -> None:
    assert verdict_on(visit, house) is verdict


@pytest.mark.parametrize(
    ("host", "is_ours"),
    [
        ("archive.example", True),
        ("ARCHIVE.example:80", True),
        ("archive.example.", True),
        ("10.1.2.3:8809", True),
        ("[fe80::1]:8809", True),
        ("[::1]", True),
        ("localhost:8809", True),
        ("evil.example", False),
        ("archive.example.evil.example", False),
        ("127.0.0.1.evil.example:8809", False),
        ("", False),
        (None, False),
    ],
)
def test_a_host_header_means_us_by_a_known_name_or_by_digits(
    host: str | None, is_ours: bool
) -> None:
    visit = replace(READS, host=host, credential=Credential.RIGHT)

    assert (verdict_on(visit, OUTSIDE) is Verdict.LET_IN) == is_ours


@pytest.mark.parametrize(
    ("host", "is_here"),
    [
        *((host, True) for host in ("127.0.0.1", "127.8.8.8", "::1", "[::1]", "localhost")),
        *((host, False) for host in ("0.0.0.0", "::", "10.0.0.1", "", "box")),  # noqa: S104
    ],
)
def test_loopback_is_told_from_what_others_reach(host: str, is_here: bool) -> None:
    assert is_loopback(host) == is_here
