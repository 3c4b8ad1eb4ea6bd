"""Who is let in, over real HTTP: the token, its cookie, its limits, and pages of other sites."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serving import BEARER, LOOPBACK, TO_OTHERS, TOKEN, WITH_TOKEN, Served, served


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/none.db"


@pytest.fixture
def to_others(url: str) -> Iterator[Served]:
    """A server whose rules are those of an address that other machines reach."""
    with served(url, TO_OTHERS) as server:
        yield server


@pytest.fixture
def at_home(url: str) -> Iterator[Served]:
    with served(url, LOOPBACK) as server:
        yield server


def test_where_others_reach_it_a_page_leads_to_the_form(to_others: Served) -> None:
    answer = to_others.get("/?a=b")

    assert answer.status_code == 303
    assert answer.headers["Location"] == "/login?next=/?a%3Db"


def test_the_form_gives_a_cookie_that_no_script_and_no_other_site_sees(to_others: Served) -> None:
    answer = to_others.ask("POST", "/login", data={"token": TOKEN, "next": "/?a=b"})

    assert (answer.status_code, answer.headers["Location"]) == (303, "/?a=b")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert TOKEN not in cookie
    assert to_others.get("/").status_code == 200


def test_behind_a_proxy_that_speaks_tls_the_cookie_is_for_tls_alone(to_others: Served) -> None:
    form = {"token": TOKEN}

    plain = to_others.ask("POST", "/login", data=form)
    behind = to_others.ask("POST", "/login", data=form, headers={"X-Forwarded-Proto": "https"})

    assert "Secure" not in plain.headers["Set-Cookie"]
    assert "Secure" in behind.headers["Set-Cookie"]


def test_the_way_out_takes_the_cookie_back(to_others: Served) -> None:
    to_others.ask("POST", "/login", data={"token": TOKEN})

    to_others.ask("POST", "/logout")

    assert to_others.get("/").status_code == 303


@pytest.mark.parametrize("token", ["", "x", TOKEN[:-1], TOKEN + "x", "é" * 9, "x" * 5000])
def test_a_wrong_token_gives_none(to_others: Served, token: str) -> None:
    answer = to_others.ask("POST", "/login", data={"token": token})

    assert answer.status_code == 401
    assert "Set-Cookie" not in answer.headers
    assert "This is not the token." in answer.text


@pytest.mark.parametrize(
    "place",
    [
        *("https://evil.example/", "//evil.example", "////evil.example", "/\\evil.example"),
        *("http:/evil.example", "javascript:x", "http:x"),
    ],
)
def test_the_form_leads_to_no_other_site(to_others: Served, place: str) -> None:
    answer = to_others.ask("POST", "/login", data={"token": TOKEN, "next": place})

    assert answer.headers["Location"] == "/"


def test_a_program_shows_the_token_in_a_header(to_others: Served) -> None:
    assert to_others.ask("GET", "/", headers=BEARER).status_code == 200
    assert to_others.get("/api/runs").status_code == 401
    assert to_others.get("/api/runs").headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("given", ["Bearer", "Bearer x", TOKEN, f"Basic {TOKEN}", "Bearer é"])
def test_a_wrong_header_is_turned_away(to_others: Served, given: str) -> None:
    answer = to_others.ask("GET", "/", headers={"Authorization": given.encode()})

    assert answer.status_code == 401


@pytest.mark.parametrize(
    ("headers", "status"),
    [({"Authorization": b"Bearer \xff"}, 401), ({"Cookie": b"n8n-scraper=\xff"}, 303)],
)
def test_what_is_no_text_is_not_the_token(
    to_others: Served, headers: dict[str, bytes], status: int
) -> None:
    assert to_others.ask("GET", "/", headers=headers).status_code == status


@pytest.mark.parametrize(
    "kind",
    [
        "application/x-www-form-urlencoded",
        "application/x-www-form-urlencoded; charset=none",
        "multipart/form-data",
    ],
)
def test_a_form_that_cannot_be_read_is_refused(to_others: Served, kind: str) -> None:
    answer = to_others.ask("POST", "/login", data=b"token=\xff", headers={"Content-Type": kind})

    assert (answer.status_code, "cannot be read" in answer.text) == (400, True)


@pytest.mark.parametrize("name", ["token", "access_token", "Token", "api_key"])
def test_a_token_in_the_query_is_refused(to_others: Served, name: str) -> None:
    answer = to_others.ask("GET", "/", params={name: TOKEN})

    assert answer.status_code == 400
    assert TOKEN not in answer.text


def test_after_ten_wrong_ones_no_further_token_is_looked_at(to_others: Served) -> None:
    for _ in range(10):
        assert to_others.get("/", Authorization="Bearer x").status_code == 401

    by_header = to_others.ask("GET", "/", headers=BEARER)
    by_form = to_others.ask("POST", "/login", data={"token": TOKEN})

    assert (by_header.status_code, by_form.status_code) == (429, 429)
    assert 0 < int(by_header.headers["Retry-After"]) <= 5


def test_a_page_that_sends_wrong_keys_shuts_nobody_out(to_others: Served) -> None:
    for _ in range(11):
        answer = to_others.get("/api.n8n.io/key/x/health", Sec_Fetch_Site="cross-site")
        assert answer.status_code == 401

    assert to_others.ask("GET", "/", headers=BEARER).status_code == 200


def test_a_token_that_is_guessed_where_other_sites_ask_is_counted_too(to_others: Served) -> None:
    for _ in range(10):
        assert to_others.get("/api.n8n.io/health", Authorization="Bearer x").status_code == 401

    assert to_others.ask("GET", "/", headers=BEARER).status_code == 429


def test_at_home_reading_is_open_and_changing_is_not(url: str, at_home: Served) -> None:
    assert at_home.get("/").status_code == 200
    assert at_home.ask("POST", "/").status_code == 403
    with served(url, WITH_TOKEN) as with_token:
        assert with_token.get("/").status_code == 200
        assert with_token.ask("POST", "/").status_code == 401
        assert with_token.ask("POST", "/", headers=BEARER).status_code == 405


def test_a_cookie_of_another_server_on_this_machine_shuts_nobody_out(at_home: Served) -> None:
    assert at_home.get("/", Cookie="n8n-scraper=of-another").status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example"]
)
def test_a_name_that_was_made_to_point_here_is_refused(at_home: Served, host: str) -> None:
    assert at_home.get("/", Host=host).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},  # another port of this machine
        {"Origin": "https://evil.example"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "null"},
    ],
)
def test_a_page_of_another_site_reads_and_changes_nothing(
    to_others: Served, headers: dict[str, str]
) -> None:
    assert to_others.ask("GET", "/", headers=BEARER | headers).status_code == 403
    assert to_others.ask("POST", "/", headers=BEARER | headers).status_code == 403
    assert (
        to_others.ask("POST", "/login", data={"token": TOKEN}, headers=headers).status_code == 403
    )


def test_a_link_of_another_site_leads_a_person_here(at_home: Served) -> None:
    answer = at_home.get(
        "/", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate", Sec_Fetch_Dest="document"
    )

    assert answer.status_code == 200
