"""Whatever a site answers, a crawl ends, says what was so, and asks nobody else.

`docs/reference/bad-input.md` has these cases as a table.
"""

import gzip
from contextlib import closing
from pathlib import Path

import pytest

from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.retrying import retry_failed
from n8n_scraper.testing.hostile_site import HostileSite, Says, hostile_site
from tests.crawling import Ran, rows, scrapy
from tests.serving import served

pytestmark = pytest.mark.usefixtures("sqlite_url")


def crawl(site: HostileSite, folder: Path, *arguments: str, **settings: str) -> Ran:
    environment = {
        "N8N_SITE_URL": site.url,
        "N8N_API_URL": site.url,
        "DATABASE_URL": f"sqlite:///{folder}/archive.db",
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


def test_nothing_is_asked_of_a_site_to_which_redirects_lead(tmp_path: Path) -> None:
    with hostile_site() as site, hostile_site() as other:
        # Given a template and a robots.txt that lead to another host
        abroad = f"http://localhost:{other.port}"
        site.answers["/sitemap_index.xml"] = sitemap(f"{site.url}/workflows/1-a/")
        for path in ("/robots.txt", "/api/templates/workflows/1", "/workflows/1-a/"):
            site.answers[path] = Says(status=302, headers={"Location": f"{abroad}{path}"})
        refresh = f'<meta http-equiv="refresh" content="0;url={abroad}/x"></html>'
        headers = {"Content-Type": "text/html"}
        site.answers["/api/workflows/templates/1"] = Says(refresh.encode(), headers=headers)

        # When it is crawled
        ran = crawl(site, tmp_path)

    # Then nobody there is asked, and the template says why it could not be had
    assert other.asked == []
    assert ran.status == 3, ran.err
    database = f"sqlite:///{tmp_path}/archive.db"
    query = "SELECT outcome, category, reason FROM scrape_run_items"
    [(outcome, category, reason)] = rows(database, query)
    assert (outcome, category) == ("failed", "off_site")
    assert "leads to another site, http://localhost" in str(reason)
    assert rows(database, "SELECT count(*) FROM workflows") == [(0,)]
    assert "Traceback" not in ran.err


def test_an_inventory_on_another_site_is_none(tmp_path: Path) -> None:
    with hostile_site() as site, hostile_site() as other:
        there = f"http://localhost:{other.port}/sitemap_index.xml"
        site.answers["/sitemap_index.xml"] = Says(status=302, headers={"Location": there})

        ran = crawl(site, tmp_path)

    assert other.asked == []
    assert ran.status == 7
    assert f"leads to another site, {there}" in ran.err


def test_an_answer_beyond_its_bound_ends_as_that_templates_failure(tmp_path: Path) -> None:
    with hostile_site() as site:
        # Given a template that answers too many bytes, one that unpacks to as many, and one that
        # has few bytes and takes much memory
        bodies = {
            1: Says(b'{"a": "' + b"a" * 9_000_000 + b'"}'),
            2: Says(gzip.compress(b" " * 9_000_000), headers={"Content-Encoding": "gzip"}),
            3: Says(b"[" + b"[]," * 600_000 + b"[]]"),
        }
        addresses = [f"{site.url}/workflows/{number}-a/" for number in bodies]
        site.answers["/sitemap_index.xml"] = sitemap(*addresses)
        site.answers["/robots.txt"] = Says(b"# nothing\n" * 60_000)
        for number, body in bodies.items():
            site.answers[f"/api/templates/workflows/{number}"] = body

        # When they are crawled
        ran = crawl(site, tmp_path)

    # Then each of them has failed for that reason, in one line, and was asked for once
    assert ran.status == 3, ran.err
    database = f"sqlite:///{tmp_path}/archive.db"
    query = "SELECT DISTINCT outcome, category FROM scrape_run_items"
    assert rows(database, query) == [("failed", "too_large")]
    metadata = [path for path in site.paths if path.startswith("/api/templates/")]
    assert sorted(metadata) == [f"/api/templates/workflows/{number}" for number in bodies]
    assert "Traceback" not in ran.err


def test_a_proxy_of_the_operator_may_stand_on_a_private_address(tmp_path: Path) -> None:
    site = "http://n8n.example"
    with hostile_site({f"{site}/sitemap_index.xml": sitemap()}) as proxy:
        settings = {"N8N_SITE_URL": site, "N8N_API_URL": site, "http_proxy": proxy.url}

        ran = crawl(proxy, tmp_path, **settings)

    assert proxy.paths[-1] == f"{site}/sitemap_index.xml"
    assert "lists no template at all" in ran.err


def test_what_came_and_could_not_be_read_is_shown_until_it_is_asked_for_again(
    tmp_path: Path,
) -> None:
    """The evidence of a failure: an answer that is no template, and one that is not even JSON."""
    url = f"sqlite:///{tmp_path}/archive.db"
    odd, page = b'{"workflow": {"id": 1, "name": 7}}', b"<!DOCTYPE html><title>Odd</title>"
    with hostile_site() as site:
        site.answers["/sitemap_index.xml"] = index(f"{site.url}/sitemap-workflows.xml")
        addresses = [f"{site.url}/workflows/{number}-x" for number in (1, 2)]
        site.answers["/sitemap-workflows.xml"] = sitemap(*addresses)
        for number, body in ((1, odd), (2, page)):
            site.answers[f"/api/templates/workflows/{number}"] = Says(body)
        ran = crawl(site, tmp_path)
    assert ran.status == 3, ran.err
    [(run_id,)] = rows(url, "SELECT run_id FROM scrape_runs")

    with served(url) as server:
        for number, body in ((1, odd), (2, page)):
            item = f"/runs/{run_id}/items/{number}"
            assert "metadata, as it came" in server.get(item).text
            assert server.get(f"{item}/answers/metadata").content == body

    # And it is forgotten when the items are to be asked for once more
    with closing(Database(url)) as database:
        database.do(lambda session: retry_failed(session, run_id))
    assert rows(url, "SELECT count(*) FROM scrape_run_answers") == [(0,)]
