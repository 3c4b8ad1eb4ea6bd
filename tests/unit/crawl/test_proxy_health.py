"""How the proxies of a crawl do is noted for others."""

from pathlib import Path

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.crawl.proxy_health import ProxyHealth, note_health, read_health
from n8n_scraper.policies.proxies.fault import Fault
from n8n_scraper.policies.proxies.pool import ProxyPool
from n8n_scraper.policies.proxies.proxy import Proxy

PROXY = Proxy("a.example", 1, "me", "s3cret")


def test_what_a_crawl_notes_is_what_others_read_without_the_credentials(tmp_path: Path) -> None:
    file, pool = tmp_path / "folder" / "proxies.json", ProxyPool([PROXY])
    pool.choose(0)
    for _ in range(3):
        pool.blamed(PROXY, 0, Fault.ABSENT)

    note_health(str(file), pool, now=20)

    note = read_health(str(file))
    assert note is not None
    assert note.proxies == (ProxyHealth("a.example:1", 1, 0, 3, 3, 40.0, "absent"),)
    assert "s3cret" not in file.read_text()
    assert [one.name for one in file.parent.iterdir()] == ["proxies.json"]


def test_without_a_crawl_there_is_no_note(tmp_path: Path) -> None:
    assert read_health(str(tmp_path / "none.json")) is None


@pytest.mark.parametrize("content", ["", "[]", '{"at": "now"}', '{"at": "", "proxies": [{}]}'])
def test_a_file_that_is_no_note_is_told(content: str, tmp_path: Path) -> None:
    file = tmp_path / "proxies.json"
    file.write_text(content)

    with pytest.raises(BadInput, match="is no note of a crawl"):
        read_health(str(file))


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read: Is a directory"):
        read_health(str(tmp_path))
