"""How a proxy is written down."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.core.errors import BadInput
from n8n_scraper.policies.proxies.proxy import Proxy, read_proxies, read_proxy

SECRET = "s3cret"
LATIN = st.text(st.characters(max_codepoint=255, blacklist_categories=["Cs"]), max_size=20)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("1.2.3.4:8080", Proxy("1.2.3.4", 8080)),
        (" http://Proxy.Example:3128/ ", Proxy("proxy.example", 3128)),
        ("http://me:s3cret@proxy.example:3128", Proxy("proxy.example", 3128, "me", SECRET)),
        ("me:s3cret@proxy.example:3128", Proxy("proxy.example", 3128, "me", SECRET)),
        ("proxy.example:3128:me:s3cret", Proxy("proxy.example", 3128, "me", SECRET)),
        ("proxy.example:3128:me-sid:a:b/c", Proxy("proxy.example", 3128, "me-sid", "a:b/c")),
        ("http://me:p%40ss@[::1]:3128", Proxy("::1", 3128, "me", "p@ss")),
        ("http://token@proxy.example:3128", Proxy("proxy.example", 3128, "token")),
    ],
)
def test_it_is_read_in_the_forms_that_people_and_providers_use(written: str, read: Proxy) -> None:
    assert read_proxy(written, "here") == read


@pytest.mark.parametrize(
    "written",
    [
        "",
        "proxy.example",
        "http://proxy.example",
        "proxy.example:0",
        "proxy.example:99999",
        "proxy.example:port",
        "http://proxy.example:3128/path",
        "ftp://me:s3cret@proxy.example:21",
        "http://[::1:3128",
        "http://me:s3cret@proxy.example",
    ],
)
def test_what_is_no_proxy_is_told_by_its_place_and_not_by_its_text(written: str) -> None:
    with pytest.raises(BadInput, match=r"^PROXIES, entry 3, is no address of a proxy") as told:
        read_proxy(written, "PROXIES, entry 3,")

    assert SECRET not in str(told.value)


@pytest.mark.parametrize("scheme", ["socks4", "socks5", "SOCKS5h"])
def test_a_socks_proxy_is_refused_in_one_line(scheme: str) -> None:
    with pytest.raises(BadInput, match="SOCKS proxy, which Scrapy cannot use") as told:
        read_proxy(f"{scheme}://me:{SECRET}@proxy.example:1080", "PROXIES, entry 1,")

    assert "\n" not in str(told.value)
    assert SECRET not in str(told.value)


def test_a_proxy_that_is_spoken_to_by_tls_is_refused_with_what_to_write() -> None:
    with pytest.raises(BadInput, match="write http://"):
        read_proxy("https://proxy.example:443", "PROXIES, entry 1,")


def test_credentials_that_cannot_be_sent_are_refused_without_being_shown() -> None:
    with pytest.raises(BadInput, match="signs that no proxy is sent") as told:
        read_proxy("http://me:пароль@proxy.example:3128", "PROXIES, entry 1,")

    assert "пароль" not in str(told.value)


@given(user=LATIN.filter(bool), password=LATIN)
def test_credentials_of_any_signs_survive_the_way_through_an_address(
    user: str, password: str
) -> None:
    proxy = Proxy("proxy.example", 3128, user, password)

    assert read_proxy(proxy.url, "here") == proxy


@given(user=LATIN.filter(bool), password=st.just(SECRET))
def test_its_name_never_holds_its_credentials(user: str, password: str) -> None:
    proxy = Proxy("proxy.example", 3128, user, password)

    assert proxy.name == str(proxy) == f"{proxy:}" == "proxy.example:3128"
    assert SECRET not in repr(proxy)


def test_a_file_has_a_proxy_a_line_with_comments_and_gaps() -> None:
    text = "# ours\n\nhttp://one.example:1\n  two.example:2   # the slow one\r\n#three.example:3\n"

    assert [proxy.name for proxy in read_proxies(text, "f.txt")] == [
        "one.example:1",
        "two.example:2",
    ]


@pytest.mark.parametrize(
    "given_as",
    [
        ["http://me:s3cret@a.example:1", "b.example:2"],
        {"proxies": ["http://me:s3cret@a.example:1", {"url": "b.example:2"}]},
        [
            {
                "protocol": "http",
                "host": "a.example",
                "port": 1,
                "username": "me",
                "password": SECRET,
            },
            {"scheme": None, "ip": "b.example", "port": "2", "username": None, "timeout": 0.4},
        ],
        [{"proxy": "me:s3cret@a.example:1"}, {"type": "HTTP", "host": "b.example", "port": 2}],
    ],
)
def test_the_json_of_other_programs_is_read(given_as: object) -> None:
    read = read_proxies(json.dumps(given_as), "live_proxies.json")

    assert read == (Proxy("a.example", 1, "me", SECRET), Proxy("b.example", 2))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "f holds no proxy"),
        ("# none\n", "f holds no proxy"),
        ("[]", "f holds no proxy"),
        ("[oops", "f begins like JSON and is none"),
        ('{"live": []}', "f is JSON without a list of proxies"),
        ("[7]", "f, entry 1, is neither a text nor an object"),
        ('["a.example:1", {"host": "b.example"}]', 'f, entry 2, needs "host" and "port"'),
        ('[{"host": "b.example", "port": 99999}]', 'f, entry 1, needs "host" and "port"'),
        ('[{"protocol": "socks5", "host": "b", "port": 1}]', "f, entry 1, is a SOCKS proxy"),
        ("a.example:1\nme:s3cret@nowhere\n", "f, line 2, is no address of a proxy"),
    ],
)
def test_a_list_that_cannot_be_read_is_told_by_the_place(text: str, told: str) -> None:
    with pytest.raises(BadInput, match=told) as refused:
        read_proxies(text, "f")

    assert SECRET not in str(refused.value)


def test_what_is_there_twice_counts_once() -> None:
    assert len(read_proxies("a.example:1\nhttp://A.example:1/\na.example:1:u:p", "f")) == 2


def test_those_that_only_their_credentials_tell_apart_are_numbered() -> None:
    read = read_proxies("gate.example:7:session-1:p\ngate.example:7:session-2:p\nb.example:7", "f")

    assert [proxy.name for proxy in read] == ["gate.example:7", "gate.example:7 (2)", "b.example:7"]
