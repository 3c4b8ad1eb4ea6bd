"""The list of a crawl's proxies is taken anew when its file has changed."""

from pathlib import Path

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.crawl.proxy_settings import ProxySettings
from n8n_scraper.crawl.proxying import Proxies


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A list of one proxy."""
    path = tmp_path / "live.txt"
    path.write_text("a.example:1\n")
    return path


def proxies(**values: str) -> Proxies:
    return Proxies(ProxySettings.from_settings(values))


def names(shared: Proxies) -> list[str]:
    return [proxy.name for proxy, _ in shared.pool.health()]


def test_a_file_that_has_changed_is_read_once(file: Path) -> None:
    shared = proxies(PROXIES=str(file))
    assert not shared.reread()

    file.write_text("a.example:1\nb.example:2\n")

    assert shared.reread()
    assert names(shared) == ["a.example:1", "b.example:2"]
    assert not shared.reread()


def test_a_file_that_cannot_be_read_leaves_the_list_as_it_was_and_is_told_once(file: Path) -> None:
    shared = proxies(PROXIES=str(file))

    file.write_text("socks5://a.example:1\n")
    with pytest.raises(BadInput, match="line 1, is a SOCKS proxy"):
        shared.reread()
    assert not shared.reread()
    file.unlink()
    with pytest.raises(BadInput, match="No such file"):
        shared.reread()
    assert not shared.reread()

    assert names(shared) == ["a.example:1"]


def test_a_list_in_the_setting_and_a_rotator_never_change(file: Path) -> None:
    listed = proxies(PROXIES="a.example:1")
    rotated = proxies(PROXIES=str(file), PROXY_ROTATOR_URL="http://127.0.0.1:8089")

    file.write_text("b.example:2\n")

    assert not listed.reread()
    assert not rotated.reread()
