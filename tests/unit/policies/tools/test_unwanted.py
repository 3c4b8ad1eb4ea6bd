"""What a page need not load."""

import pytest

from n8n_scraper.policies.tools.unwanted import is_unwanted


@pytest.mark.parametrize(
    ("url", "kind", "unwanted"),
    [
        ("https://site.example/a.png", "image", True),
        ("https://site.example/a.woff2", "font", True),
        ("https://www.google-analytics.com/collect", "fetch", True),
        ("https://stats.g.doubleclick.net/x", "script", True),
        ("https://site.example/data.json", "fetch", False),
        ("https://site.example/style.css", "stylesheet", False),
        ("https://doubleclick.net.site.example/app.js", "script", False),
    ],
)
def test_pictures_and_trackers_are_not_loaded(url: str, kind: str, *, unwanted: bool) -> None:
    assert is_unwanted(url, kind) == unwanted
