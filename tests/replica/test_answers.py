import gzip
import re

import pytest

from n8n_scraper.sources.n8n.replica.answers import Answers
from n8n_scraper.sources.n8n.replica.catalogue import Catalogue
from n8n_scraper.sources.n8n.replica.switches import Switches
from tests.replica.client import detail, get

LOC = re.compile(r"<loc>(.*?)</loc>")


def locs(body):
    return LOC.findall(body.decode())


@pytest.mark.parametrize(
    ("path", "shape"),
    [
        ("/api/templates/workflows/13", "detail"),
        ("/templates/workflows/13", "detail"),  # the alias without /api
        ("/api/workflows/templates/13", "import_answer"),
        ("/workflows/templates/13", "import_answer"),
        ("/api/workflows/13", "strapi"),
        ("/api/workflows/by-id/13", "by_id"),
    ],
)
def test_a_template_is_answered_in_every_shape(replica, path, shape):
    got = get(replica.url, path)

    assert got.json == getattr(replica.catalogue[13], shape)()
    assert got.headers["Content-Type"] == "application/json; charset=utf-8"


def test_answers_look_as_if_they_came_through_cloudflare(replica):
    headers = get(replica.url, detail(1)).headers

    assert headers["Server"] == "cloudflare"
    assert re.fullmatch(r"[0-9a-f]{16}-FRA", headers["CF-Ray"])


def test_an_unknown_template_is_a_404_in_json(replica):
    got = get(replica.url, detail(3))

    assert got.status == 404
    assert list(got.json) == ["error", "url", "statusCode", "statusMessage", "message"]
    assert got.json["url"] == f"{replica.url}{detail(3)}"


def test_the_site_says_204_by_id_when_there_is_no_template(replica):
    got = get(replica.url, "/api/workflows/by-id/3")

    assert (got.status, got.body) == (204, b"")


def test_without_user_agent_everything_is_forbidden(replica):
    wire = get(replica.url, detail(1), **{"User-Agent": ""})

    assert wire.status == 403


def test_the_index_leads_to_all_pages(replica):
    robots = get(replica.url, "/robots.txt").text
    children = locs(get(replica.url, "/sitemap_index.xml").body)
    listed = locs(get(replica.url, "/sitemap-workflows.xml").body)

    assert f"Sitemap: {replica.url}/sitemap_index.xml" in robots
    assert f"{replica.url}/sitemap-workflows.xml" in children
    assert listed == [replica.url + replica.catalogue[number].path for number in replica.ids]
    assert get(replica.url, listed[7].removeprefix(replica.url)).status == 200


def test_the_sitemap_comes_in_other_forms(replica):
    listed = locs(get(replica.url, "/sitemap-workflows.xml").body)

    replica.control(sitemap="flat")
    assert locs(get(replica.url, "/sitemap_index.xml").body) == listed

    replica.control(sitemap="gzip")
    assert locs(gzip.decompress(get(replica.url, "/sitemap-workflows.xml.gz").body)) == listed

    replica.control(sitemap="split")
    children = [one for one in locs(get(replica.url, "/sitemap_index.xml").body) if "workf" in one]
    parts = [get(replica.url, child.removeprefix(replica.url)).body for child in children]
    assert len(parts) == 3
    assert [loc for part in parts for loc in locs(part)] == listed


def test_a_million_addresses_are_split_in_children_of_at_most_50_000():
    answers = Answers(Catalogue(1_000_000), Switches())
    children = locs(answers.answer("http://x", "/sitemap_index.xml").body)[1:]

    last = locs(answers.answer("http://x", children[-1].removeprefix("http://x")).body)

    assert len(children) == 20
    assert len(last) == 50_000
    assert last[-1].startswith(f"http://x/workflows/{answers.catalogue.ids[-1]}-")


def test_a_missing_slash_is_added_by_a_relative_redirect(replica):
    path = replica.truth(13).path

    got = get(replica.url, path.rstrip("/"))

    assert (got.status, got.headers["Location"]) == (301, path)


def test_an_address_without_slug_renders_the_page(replica):
    assert get(replica.url, "/workflows/13").headers["Location"] == "/workflows/13/"
    assert replica.truth(13).slug in get(replica.url, "/workflows/13/").text


def test_a_wrong_slug_is_the_404_page(replica):
    got = get(replica.url, "/workflows/13-another-title/")

    assert got.status == 404
    assert "Ooops..." in got.text
    assert "Strictly necessary" in got.text


def test_the_404_page_can_pretend_that_all_is_well(replica):
    replica.control(not_found_status=200)

    assert get(replica.url, "/workflows/3-nothing/").status == 200


def test_a_search_page_has_totals_items_and_facets(replica):
    found = get(replica.url, "/api/templates/search?rows=100&page=2").json

    assert found["totalWorkflows"] == 203
    assert len(found["workflows"]) == 100
    assert [facet["field_name"] for facet in found["filters"]] == ["categories", "apps", "nodes"]
    assert all(len(facet["counts"]) <= 10 for facet in found["filters"])


def test_walking_the_search_brings_every_template_and_a_few_that_are_gone(replica):
    pages = [
        get(replica.url, f"/api/templates/search?rows=100&page={n}&sort=createdAt:asc").json
        for n in (1, 2, 3)
    ]
    ids = [item["id"] for page in pages for item in page["workflows"]]
    gone = sorted(set(ids) - set(replica.ids))

    assert set(replica.ids) < set(ids)
    assert len(gone) == 3
    assert [get(replica.url, detail(number)).status for number in gone] == [404, 404, 404]


def test_more_than_100_rows_are_refused(replica):
    assert get(replica.url, "/api/templates/search?rows=101").status == 400
    assert get(replica.url, "/api/templates/search?page=none").status == 400


@pytest.mark.parametrize("query", ["category=ai", "category=AI%20RAG,devops"])
def test_categories_are_asked_by_name_and_a_parent_brings_its_children(replica, query):
    wanted = {"ai": {"AI", "AI Chatbot", "AI RAG", "AI Summarization", "Multimodal AI"}}.get(
        query.removeprefix("category="), {"AI RAG", "DevOps"}
    )

    found = get(replica.url, f"/api/templates/search?rows=100&{query}").json["workflows"]

    real = [item["id"] for item in found if item["id"] in replica.ids]
    assert real
    assert all(wanted.intersection(replica.truth(number).categories) for number in real)


def test_what_matches_nothing_is_an_empty_answer(replica):
    for query in ("category=it-ops", "search=zzzz"):
        found = get(replica.url, f"/api/templates/search?{query}").json
        assert (found["totalWorkflows"], found["workflows"]) == (0, [])


def test_lists_beside_the_templates_are_served(replica):
    author = replica.truth(1).author

    assert len(get(replica.url, "/api/templates/categories").json["categories"]) == 31
    assert len(get(replica.url, "/api/templates/search/filters").json["categories"]) == 31
    assert len(get(replica.url, "/api/templates/collections").json["collections"]) == 8
    assert get(replica.url, "/api/templates/collections/1").json["collection"]["workflows"]
    assert get(replica.url, "/api/templates/collections/99").status == 404
    told = get(replica.url, f"/api/creators/{author['username']}").json["data"]
    assert told["workflowsCount"] >= 1
    assert get(replica.url, "/api/creators/nobody").status == 404
    assert get(replica.url, "/health").json == {"status": "OK"}


def test_dead_ids_stay_in_the_sitemap_and_answer_404(replica):
    path = replica.truth(13).path
    replica.control(dead_ids=[13])

    assert replica.url + path in locs(get(replica.url, "/sitemap-workflows.xml").body)
    assert get(replica.url, detail(13)).status == 404
    assert get(replica.url, path).status == 404


@pytest.mark.parametrize("status", [401, 403, 410])
def test_single_templates_can_be_locked(replica, status):
    replica.control(auth_ids={13: status})

    assert get(replica.url, detail(13)).status == status
    assert get(replica.url, replica.truth(13).path).status == status
    assert get(replica.url, detail(15)).status == 200


def test_robots_can_ask_for_a_delay(replica):
    replica.control(robots_crawl_delay=2.5)

    assert "Crawl-delay: 2.5\n" in get(replica.url, "/robots.txt").text


def test_robots_can_forbid_paths(replica):
    replica.control(robots_disallow=["/api/"])

    assert "Disallow: /cdn-cgi/\nDisallow: /api/\n" in get(replica.url, "/robots.txt").text
