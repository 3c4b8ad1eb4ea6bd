"""Whatever a site answers, a crawl ends, says what was so, and asks nobody else.

`docs/reference/bad-input.md` has these cases as a table.
"""

from pathlib import Path

from n8n_scraper.testing.hostile_site import HostileSite, Says, hostile_site
from tests.crawling import Ran, scrapy


def crawl(site: HostileSite, folder: Path, *arguments: str, **settings: str) -> Ran:
    environment = {
        "N8N_SITE_URL": site.url,
        "N8N_API_URL": site.url,
        "DATABASE_URL": f"sqlite:///{folder}/a.db",
        "RATE_LIMIT_RATE": "0",
        **settings,
    }
    return scrapy("crawl", "workflows", *arguments, environment=environment)


def index(*addresses: str) -> Says:
    entries = "".join(f"<sitemap><loc>{address}</loc></sitemap>" for address in addresses)
    return Says(f"<sitemapindex>{entries}</sitemapindex>".encode())


def sitemap(*addresses: str) -> Says:
    entries = "".join(f"<url><loc>{address}</loc></url>" for address in addresses)
    return Says(f"<urlset>{entries}</urlset>".encode())


def test_an_inventory_that_names_itself_and_others_is_read_once_and_here(tmp_path: Path) -> None:
    with hostile_site() as site:
        # Given sitemaps that name themselves, and addresses that only begin like the site's
        site.answers["/sitemap_index.xml"] = index(
            f"{site.url}/sitemap-workflows.xml",
            f"{site.url}.evil.example/sitemap-workflows.xml",
            ".evil.example/sitemap-workflows.xml",
            ":99999/sitemap-workflows.xml",
        )
        site.answers["/sitemap-workflows.xml"] = index(
            f"{site.url}/sitemap-workflows.xml", f"{site.url}/sitemap-workflows-2.xml"
        )
        site.answers["/sitemap-workflows-2.xml"] = sitemap()
        for path in ("/.evil.example/sitemap-workflows.xml", "/:99999/sitemap-workflows.xml"):
            site.answers[path] = sitemap()

        # When it is crawled
        ran = crawl(site, tmp_path)

    # Then each is asked for once, of the site itself, and the words blame nobody else
    assert len(site.paths) == len(set(site.paths)) == 5
    assert {host for host, _ in site.asked} == {f"127.0.0.1:{site.port}"}
    assert ran.status == 7
    assert "lists no template at all" in ran.err
    assert "our own error" not in ran.err
    assert "arguments" not in ran.err
    assert "Traceback" not in ran.err
