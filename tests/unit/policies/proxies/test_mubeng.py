"""The command that starts mubeng."""

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.policies.proxies.mubeng import is_page_of_mubeng, mubeng_command
from n8n_scraper.policies.proxies.proxy import Proxy

HERE = Proxy("127.0.0.1", 8089, rotates=True)
LIST = "# ours\nhttp://1.2.3.4:80\n\nhttp://me:s3cret@5.6.7.8:80\n"


def options(command: list[str]) -> dict[str, str]:
    return dict(zip(command[1::2], command[2::2], strict=True))


def test_it_serves_the_file_at_the_address() -> None:
    command = mubeng_command(HERE, "live.txt", LIST)

    assert command[0] == "mubeng"
    assert options(command).items() >= {"-f": "live.txt", "-a": "127.0.0.1:8089"}.items()


def test_each_request_gets_a_proxy_of_its_own() -> None:
    assert options(mubeng_command(HERE, "live.txt", LIST))["-r"] == "1"


def test_it_never_asks_again_by_itself_nor_follows_redirects() -> None:
    told = options(mubeng_command(HERE, "live.txt", LIST))

    assert [told[name] for name in ("--max-errors", "--max-retries", "--max-redirs")] == ["0"] * 3
    assert "--rotate-on-error" not in told


def test_it_removes_no_proxy_because_it_ends_without_any() -> None:
    assert "--remove-on-error" not in mubeng_command(HERE, "live.txt", LIST)


def test_no_password_stands_in_the_list_of_processes() -> None:
    command = mubeng_command(HERE, "live.txt", LIST)

    assert "-A" not in command
    assert "s3cret" not in " ".join(command)


@pytest.mark.parametrize(
    "rotator",
    [Proxy("192.0.2.1", 8089), Proxy("10.0.0.7", 8089), Proxy("127.0.0.1", 8089, "me", "p")],
)
def test_it_listens_on_this_machine_alone(rotator: Proxy) -> None:
    with pytest.raises(BadInput, match="has to be an address of this machine without credentials"):
        mubeng_command(rotator, "live.txt", LIST)


@pytest.mark.parametrize("text", ["1.2.3.4:80", '["http://1.2.3.4:80"]'])
def test_a_list_that_it_would_not_read_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="lines without http://"):
        mubeng_command(HERE, "live.txt", text)


def test_what_it_says_when_it_failed_is_no_answer_of_the_site() -> None:
    assert is_page_of_mubeng(502, b"Proxy server error")
    assert not is_page_of_mubeng(502, b"<html>Bad gateway</html>")
    assert not is_page_of_mubeng(200, b"Proxy server error")
