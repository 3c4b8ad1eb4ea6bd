"""The requests of n8n 2.41, line by line as it sends them, over real HTTP."""

import re
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import requests

from n8n_scraper.ledger.database import Database
from n8n_scraper.records import history, pictures
from n8n_scraper.search import index
from n8n_scraper.serve.guard.tokens import key_of
from n8n_scraper.sources.n8n.source import SOURCE
from tests import templates
from tests.serving import TO_OTHERS, TOKEN, WITH_TOKEN, Served, served
from tests.unit.making import WORKFLOW, dossier, template

N8N = {"n8n-version": "2.41.1", "Origin": "http://127.0.0.1:5678"}
AVATAR = "https://pictures.example/ada.png"


def fill(database: Database) -> None:
    """Three templates, the last of which n8n.io has taken away."""
    user = {"name": "Ada", "username": "ada", "avatar": AVATAR}
    given: list[dict[str, Any]] = [
        {"name": "Post to Slack", "totalViews": 5, "categories": [{"id": 1, "name": "AI"}]},
        {"name": "Read a sheet", "totalViews": 50, "categories": [{"id": 2, "name": "Sales"}]},
        {"name": "Gone from Slack", "totalViews": 500, "categories": []},
    ]
    for number, fields in enumerate(given, start=1):
        answers = list(dossier(str(number), user=user, **fields).answers.values())
        made = template(str(number), user=user, **fields)
        database.do(partial(templates.save, template=made, answers=answers))
    database.do(lambda session: history.note_gone(session, SOURCE, "run", "3"))
    empty = dict.fromkeys(("bytes", "width", "height", "text", "reason"))
    row = {"url": AVATAR, "sha256": "f00", "path": "f0/f00.png", "media_type": "image/png"}
    database.do(lambda session: pictures.save(session, [empty | row | {"fetched_at": "2026"}]))


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> str:
    url = f"sqlite:///{tmp_path_factory.mktemp('host')}/archive.db"
    with closing(Database(url)) as database:
        fill(database)
    return url


@pytest.fixture(scope="module")
def host(archive: str) -> Iterator[Served]:
    with served(archive) as server:
        yield server


def ask(host: Served, path: str, base: str = "/api.n8n.io") -> requests.Response:
    return host.ask("GET", base + path, headers=N8N)


def names(answer: requests.Response) -> list[str]:
    return [one["name"] for one in answer.json()["workflows"]]


def test_the_templates_page_lists_what_n8n_io_has_those_most_viewed_first(host: Served) -> None:
    answer = ask(host, "/templates/search?search=&page=1&limit=20&category=")

    assert names(answer) == ["Read a sheet", "Post to Slack"]
    assert answer.json()["totalWorkflows"] == 2
    assert answer.json()["filters"] == []


def test_what_is_typed_is_looked_for(host: Served) -> None:
    assert names(ask(host, "/templates/search?search=slack&page=1&limit=20&category=")) == [
        "Post to Slack"
    ]


def test_a_category_is_asked_for_by_its_name(host: Served) -> None:
    path = "/templates/search?search=&page=1&limit=20&category=Sales"

    assert names(ask(host, path)) == ["Read a sheet"]


def test_the_categories_are_there_to_choose_from(host: Served) -> None:
    found = ask(host, "/templates/categories").json()["categories"]

    assert [one["name"] for one in found] == ["AI", "Sales"]
    assert all(isinstance(one["id"], int) for one in found)


def test_the_collections_are_our_own_and_their_empty_first_parameter_is_borne(
    host: Served,
) -> None:
    found = ask(host, "/templates/collections?&search=").json()["collections"]

    by_name = {one["name"]: one for one in found}
    assert {one["id"] for one in by_name["What is new"]["workflows"]} == {1, 2}
    assert by_name["No longer on n8n.io"]["workflows"] == [{"id": 3}]
    whole = ask(host, f"/templates/collections/{by_name['No longer on n8n.io']['id']}").json()
    assert [one["name"] for one in whole["collection"]["workflows"]] == ["Gone from Slack"]


def test_collections_are_asked_for_by_the_numbers_of_categories(host: Served) -> None:
    sales = next(
        one["id"]
        for one in ask(host, "/templates/categories").json()["categories"]
        if one["name"] == "Sales"
    )

    answer = ask(host, f"/templates/collections?category[]={sales}&search=")

    assert [one["name"] for one in answer.json()["collections"]] == ["What is new"]


def test_a_number_of_no_category_that_there_could_be_is_passed_over(host: Served) -> None:
    answer = ask(host, f"/templates/collections?category[]={'9' * 5000}")

    assert answer.status_code == 200


def test_a_template_is_opened(host: Served) -> None:
    opened = ask(host, "/templates/workflows/1").json()["workflow"]

    assert (opened["id"], opened["name"]) == (1, "Post to Slack")
    assert opened["workflow"]["nodes"] == WORKFLOW["nodes"]


def test_what_is_put_on_the_canvas_comes_flat(host: Served) -> None:
    given = {"id": 1, "name": "Post to Slack", "workflow": WORKFLOW}

    assert ask(host, "/workflows/templates/1").json() == given


def test_what_n8n_io_has_taken_away_is_opened_by_its_number(host: Served) -> None:
    assert ask(host, "/templates/workflows/3").status_code == 200


@pytest.mark.parametrize(
    "path", ["/templates/workflows/99", "/workflows/templates/99", "/templates/collections/99"]
)
def test_what_is_not_there_is_told_in_a_message(host: Served, path: str) -> None:
    answer = ask(host, path)

    assert answer.status_code == 404
    assert answer.json()["message"]
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


def test_health_is_answered(host: Served) -> None:
    assert ask(host, "/health").json() == {"status": "OK"}


def test_pictures_that_we_have_come_from_us(host: Served) -> None:
    opened = ask(host, "/templates/workflows/1").json()["workflow"]

    assert opened["user"]["avatar"] == f"{host.url}/api.n8n.io/pictures/f00.png"


def test_behind_a_proxy_that_speaks_tls_they_come_by_tls(host: Served) -> None:
    path = "/api.n8n.io/templates/workflows/1"

    answer = host.ask("GET", path, headers=N8N | {"X-Forwarded-Proto": "https"})

    avatar = answer.json()["workflow"]["user"]["avatar"]
    assert avatar == f"{host.url}/api.n8n.io/pictures/f00.png".replace("http:", "https:")


def test_it_is_the_same_out_of_either_database(database: Database, database_url: str) -> None:
    fill(database)

    with served(database_url) as host:
        answer = ask(host, "/templates/search?search=&page=1&limit=20&category=")

    assert names(answer) == ["Read a sheet", "Post to Slack"]


def test_before_it_asks_the_browser_asks_whether_it_may(host: Served) -> None:
    wanted = {**N8N, "Access-Control-Request-Headers": "n8n-version"}

    answer = host.ask("OPTIONS", "/api.n8n.io/templates/categories", headers=wanted)

    assert answer.status_code == 204
    assert "n8n-version" in answer.headers["Access-Control-Allow-Headers"]


def test_with_credentials_only_pages_that_are_known_may_read(host: Served) -> None:
    path, base = "/templates/categories", "/n8n-templates"

    known = host.ask("GET", base + path, headers=N8N)
    other = host.ask("GET", base + path, headers={"Origin": "https://evil.example"})

    assert known.headers["Access-Control-Allow-Origin"] == N8N["Origin"]
    assert known.headers["Access-Control-Allow-Credentials"] == "true"
    assert "Access-Control-Allow-Origin" not in other.headers
    assert other.headers["Vary"] == "Origin"


def test_where_others_reach_us_the_address_has_a_key(archive: str) -> None:
    with served(archive, TO_OTHERS) as host:
        path = "/templates/categories"

        without = ask(host, path)
        wrong = ask(host, path, base="/api.n8n.io/key/wrong")
        right = ask(host, path, base=f"/api.n8n.io/key/{key_of(TOKEN)}")
        token = ask(host, path, base=f"/api.n8n.io/key/{TOKEN}")

    statuses = [one.status_code for one in (without, wrong, right, token)]
    assert statuses == [401, 401, 200, 401]


def test_a_page_has_the_line_for_n8n_with_an_address_that_it_answers_at(archive: str) -> None:
    with served(archive, WITH_TOKEN) as host:
        page = host.get("/in-n8n").text
        address = re.search("N8N_TEMPLATES_HOST=([^<]*)", page)
        assert address is not None
        answer = ask(host, "/health", base=address[1].removeprefix(host.url))

    assert answer.status_code == 200
    assert address[1] == f"{host.url}/api.n8n.io/key/{key_of(TOKEN)}"


def test_templates_that_are_not_indexed_yet_are_not_passed_over_in_silence(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/archive.db"
    with closing(Database(url)) as database:
        fill(database)
        database.do(lambda session: index.empty(session, SOURCE))

    with served(url) as host:
        answer = ask(host, "/templates/search?search=&page=1&limit=20&category=")

    assert answer.status_code == 409
    assert "scrapy search --rebuild" in answer.json()["message"]


def test_without_an_archive_the_message_says_what_makes_one(tmp_path: Path) -> None:
    with served(f"sqlite:///{tmp_path}/none.db") as host:
        answer = ask(host, "/templates/search?search=&page=1&limit=20&category=")

    assert answer.status_code == 404
