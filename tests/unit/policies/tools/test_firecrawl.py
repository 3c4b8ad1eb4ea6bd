"""What Firecrawl is asked, and whose word its answers are."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.tools.firecrawl import Scraped, Trouble, Whose, answer, question

URL = "https://site.example/page"


def success(**metadata: Any) -> dict[str, Any]:
    about = {"sourceURL": URL, "url": URL, "statusCode": 200, "creditsUsed": 1, **metadata}
    return {"success": True, "data": {"rawHtml": "<html></html>", "metadata": about}}


def refusal(code: str = "", error: str = "", **more: Any) -> dict[str, Any]:
    return {"success": False, "code": code, "error": error, **more}


def test_it_is_asked_for_the_page_as_it_is_now_and_for_all_of_it() -> None:
    asked = question(URL, 81.0, {"User-Agent": "me"})

    assert asked == {
        "url": URL,
        "formats": ["rawHtml"],
        "onlyMainContent": False,
        "maxAge": 0,
        "storeInCache": False,
        "skipTlsVerification": False,
        "timeout": 81000,
        "headers": {"User-Agent": "me"},
    }


@pytest.mark.parametrize("status", [200, 403, 404, 503])
def test_success_has_the_status_of_the_site(status: int) -> None:
    said = answer(URL, 200, {}, success(statusCode=status))

    assert isinstance(said, Scraped)
    assert (said.status, said.html, said.cost) == (status, "<html></html>", 1.0)


def test_a_refusal_of_the_site_needs_no_page() -> None:
    whole = success(statusCode=404)
    del whole["data"]["rawHtml"]

    said = answer(URL, 200, {}, whole)

    assert isinstance(said, Scraped)
    assert (said.status, said.html) == (404, "")


@pytest.mark.parametrize("status", [None, "200", True, 0, 700])
def test_without_the_sites_status_it_is_no_page(status: Any) -> None:
    said = answer(URL, 200, {}, success(statusCode=status))

    assert said == Trouble(Whose.TOOL, "its answer does not say what the site answered")


@pytest.mark.parametrize(
    ("status", "code", "whose"),
    [
        (500, "SCRAPE_DNS_RESOLUTION_ERROR", Whose.SITE_NOT_FOUND),
        (500, "SCRAPE_SSL_ERROR", Whose.SITE_BROKEN),
        (500, "SCRAPE_SITE_ERROR", Whose.SITE_BROKEN),
        (500, "SCRAPE_ALL_ENGINES_FAILED", Whose.TOOL),
        (500, "SCRAPE_ACTION_ERROR", Whose.TOOL),
        (502, "", Whose.TOOL),
        (408, "SCRAPE_TIMEOUT", Whose.TOOL),
        (400, "", Whose.REFUSED),
        (401, "", Whose.REFUSED),
        (402, "", Whose.REFUSED),
        (403, "", Whose.REFUSED),
    ],
)
def test_a_failure_is_the_sites_only_where_its_code_says_so(
    status: int, code: str, whose: Whose
) -> None:
    said = answer(URL, status, {}, refusal(code))

    assert isinstance(said, Trouble)
    assert said.whose is whose


@pytest.mark.parametrize(("status", "everywhere"), [(401, True), (402, True), (403, False)])
def test_what_holds_for_any_site_is_told_apart(status: int, *, everywhere: bool) -> None:
    said = answer(URL, status, {}, refusal())

    assert isinstance(said, Trouble)
    assert said.everywhere == everywhere


def test_what_it_still_works_on_is_asked_for_again() -> None:
    details = {"state": "processing_continues", "retryAfterSeconds": 7}

    said = answer(URL, 408, {}, refusal("SCRAPE_TIMEOUT", details=details))

    assert said == Trouble(Whose.WORKING, "status 408: SCRAPE_TIMEOUT", 7.0)


@pytest.mark.parametrize(
    ("headers", "said", "seconds"),
    [
        ({"retry-after": "3"}, refusal(error="retry after 25s, resets at noon"), 3.0),
        ({}, refusal(error="Rate limit exceeded. Please retry after 25s, resets at noon"), 25.0),
        ({"retry-after": "soon"}, refusal(error="too many"), 10.0),
        ({}, None, 10.0),
        ({"retry-after": "999999"}, refusal(), 3600.0),
    ],
)
def test_its_limit_is_read_of_the_header_then_of_its_words(
    headers: dict[str, str], said: Any, seconds: float
) -> None:
    told = answer(URL, 429, headers, said)

    assert isinstance(told, Trouble)
    assert (told.whose, told.wait_seconds, told.everywhere) == (Whose.WAIT, seconds, True)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["success", "data", "metadata", "statusCode", "details", "error", "code"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.integers(100, 599), st.dictionaries(st.just("retry-after"), st.text()), JSON)
def test_whatever_it_says_is_a_page_or_a_trouble(
    status: int, headers: dict[str, str], said: Any
) -> None:
    told = answer(URL, status, headers, said)

    assert isinstance(told, Scraped | Trouble)
    assert not isinstance(told, Trouble) or 0 <= told.wait_seconds <= 3600
