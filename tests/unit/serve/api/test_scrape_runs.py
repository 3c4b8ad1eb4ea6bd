"""The contract of scrape runs, as programs elsewhere know it, over real HTTP."""

import secrets
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger import workers
from n8n_scraper.ledger.database import Database
from tests.serving import BEARER, WITH_TOKEN, served
from tests.unit.ledger.given import a_run, claim, close, process
from tests.unit.serve.api.conftest import Api, url_of

SPELLINGS = [
    ("_id", "id"),
    ("startTime", "start_time"),
    ("endTime", "end_time"),
    ("createdAt", "created_at"),
    ("updatedAt", "updated_at"),
]


def pending(run: Any) -> list[str]:
    """What a program that knows the flags only takes for pending."""
    return [
        one["url"] for one in run["items"] if not (one["done"] or one["failed"] or one["invalid"])
    ]


def test_a_run_goes_from_its_creation_to_its_end(api: Api) -> None:
    # Given a run of three items
    run = api.create("1", "2", "3", source="manual", metadata={"note": "by hand"})
    assert (run["domain"], run["source"], run["status"]) == ("n8n.io", "manual", "pending")
    assert pending(run) == [url_of(one) for one in ("1", "2", "3")]

    # When each ends in another way, and the run is finalised
    api.report(run, "1", done=True)
    api.report(run, "2", failed=True, failedReason="timed out")
    api.report(run, "3", invalid=True, failReason="no product")
    status, ended = api.finalise(run, status="finished", endTime="2027-01-01T00:00:00Z")

    # Then all of it is told
    assert (status, ended["status"]) == (200, "completed")
    assert ended["endTime"] is not None
    assert pending(ended) == []
    assert ended["statistics"] == {
        "total": 3,
        "pending": 0,
        "completed": 1,
        "failed": 1,
        "invalid": 1,
    }
    assert ended["metadata"]["note"] == "by hand"
    assert ended["metadata"]["failed_count"] == 1
    by_url = {one["url"]: one for one in ended["items"]}
    assert by_url[url_of("2")]["failedReason"] == "timed out"
    assert by_url[url_of("3")]["failReason"] == "no product"


@pytest.mark.parametrize(("one", "other"), SPELLINGS)
def test_both_spellings_say_the_same(api: Api, one: str, other: str) -> None:
    run = api.create("1")
    api.finalise(run)

    told = api.get(f"scrape-runs/{run['id']}")

    assert told[one] == told[other]
    assert told[one] is not None


@pytest.mark.parametrize(
    "body",
    [
        {"status": "finished", "endTime": "2027-01-01T00:00:00+02:00", "metadata": {"n": 1}},
        {"finalize": True},
        {"finalize": True, "metadata": {"n": 1}},
    ],
)
def test_both_words_for_the_end_end_it_and_twice_is_once(api: Api, body: dict[str, Any]) -> None:
    run = api.create("1", "2")

    first, second = api.finalise(run, **body), api.finalise(run, **body)

    assert first == second
    assert first[0] == 200
    assert first[1]["status"] == "completed"
    assert first[1]["statistics"]["pending"] == 2  # nothing is said of them that is not so


def test_an_end_is_told_in_utc(api: Api) -> None:
    _, run = api.finalise(api.create("1"), status="finished", endTime="2027-01-01T01:00:00+02:00")

    assert run["endTime"] == "2026-12-31T23:00:00.000Z"


def test_the_same_report_twice_is_one(api: Api) -> None:
    run = api.create("1", "2")

    first = api.report(run, "1", failed=True, failedReason="x")
    again = api.report(run, "1", failed=True, failedReason="x")

    assert first == again
    assert first[1]["item"]["attempts"] == 1


def test_an_item_is_named_by_any_of_its_addresses_or_by_its_id(api: Api) -> None:
    run = api.create("1", "2")
    here = f"scrape-runs/{run['id']}"

    flat = {"updateItem": {"url": "https://n8n.io/workflows/1", "done": True}}
    by_id = {"updateItem": {"item": "2", "done": True}}
    answers = [api.ask("PATCH", here, body) for body in (flat, by_id)]

    assert [status for status, _ in answers] == [200, 200]
    # It is told as it was named when the run was created.
    assert [told["item"]["url"] for _, told in answers] == [url_of("1"), url_of("2")]


def test_several_items_are_reported_at_once_and_each_stands_for_itself(api: Api) -> None:
    # Given a run of three items, one of them done
    run = api.create("1", "2", "3")
    api.report(run, "1", done=True)

    # When all are reported, and one that it does not have
    updates = [{"url": url_of(one), "changes": {"failed": True}} for one in ("1", "2", "3", "4")]
    status, told = api.ask("PATCH", f"scrape-runs/{run['id']}", {"updateItems": updates})

    # Then it is told of each what has become of it
    assert status == 200
    assert [(one["item"], one["failed"]) for one in told["items"]] == [
        ("1", False),
        ("2", True),
        ("3", True),
    ]
    assert [one["item"] for one in told["refused"]] == ["1", "4"]


def test_the_same_creation_under_the_same_key_is_one_run(api: Api) -> None:
    body = {"domain": "n8n.io", "items": [{"url": url_of("1")}]}

    first = api.ask("POST", "scrape-runs", body, Idempotency_Key="a-key")
    again = api.ask("POST", "scrape-runs", {**body, "idempotencyKey": "a-key"})
    other = api.ask("POST", "scrape-runs", {"domain": "n8n.io"}, Idempotency_Key="a-key")

    assert (first[0], again[0], other[0]) == (201, 200, 422)
    assert first[1]["id"] == again[1]["id"]


class TestFaultsOfOthers:
    """What went wrong elsewhere with this contract does not go wrong here."""

    def test_what_failed_is_not_pending_for_ever(self, api: Api) -> None:
        run = api.create("1")

        for attempt in (1, 2):
            _, told = api.report(run, "1", failed=True)
            assert told["item"]["attempts"] == attempt
            status, problem = api.report(run, "1", failed=False)

        assert (status, problem["detail"]) == (
            409,
            f"{url_of('1')}: it was tried 2 times, and that is all.",
        )
        assert api.get(f"scrape-runs/{run['id']}")["statistics"]["pending"] == 0

    def test_a_run_without_items_is_not_over_at_once(self, api: Api) -> None:
        run = api.create()

        assert (run["status"], run["endTime"]) == ("pending", None)
        assert api.report(run, "7", done=True)[0] == 200
        assert api.get(f"scrape-runs/{run['id']}")["status"] == "processing"

    def test_the_pending_ones_are_told_though_there_is_no_room_for_all(self, api: Api) -> None:
        run = api.create("1", "2", "3", "4")
        for one in ("1", "2"):
            api.report(run, one, done=True)

        told = api.get(f"scrape-runs/{run['id']}?itemsLimit=3")

        assert pending(told) == [url_of("3"), url_of("4")]
        assert (len(told["items"]), told["itemsLeftOut"]) == (3, 1)
        failed = api.get(f"scrape-runs/{run['id']}?items=failed")
        assert (failed["items"], failed["itemsLeftOut"]) == ([], 0)

    def test_two_who_work_on_one_item_are_told_apart(self, api: Api) -> None:
        # Given an item that a crawl has in hand
        run = api.create("1", "2")
        me = process()
        api.database.do(lambda session: workers.enter(session, run["id"], me))
        claim(api.database, run["id"], 1, me.name)

        # When an orchestrator reports on it, and finalises the run
        report, end = api.report(run, "1", done=True), api.finalise(run)

        # Then it is told whose it is, and may report on the other
        assert (report[0], end[0]) == (409, 409)
        assert "a crawl has it in hand" in report[1]["detail"]
        assert api.report(run, "2", done=True)[0] == 200

    def test_one_address_in_two_runs_is_an_item_of_each(self, api: Api) -> None:
        one, other = api.create("1"), api.create("1")

        api.report(one, "1", done=True)

        assert pending(api.get(f"scrape-runs/{other['id']}")) == [url_of("1")]

    def test_an_address_that_is_there_twice_is_one_item(self, api: Api) -> None:
        assert api.create("1", "1")["statistics"]["total"] == 1

    def test_an_unknown_run_is_not_an_empty_one(self, api: Api) -> None:
        status, problem = api.ask("GET", "scrape-runs/none")

        assert (status, problem["detail"]) == (404, "There is no run 'none'.")

    def test_an_item_that_a_run_does_not_have_is_not_taken_for_done(self, api: Api) -> None:
        assert api.report(api.create("1"), "2", done=True)[0] == 422


def test_a_domain_that_no_source_knows_is_refused_unless_others_work_on_it(api: Api) -> None:
    item = "https://shop.example/p/1?colour=red"
    body = {"domain": "www.shop.example", "items": [{"url": item}]}

    refused = api.ask("POST", "scrape-runs", body)
    status, run = api.ask("POST", "scrape-runs", {**body, "workedBy": "orchestrator"})

    assert refused[0] == 422
    assert "no source here is at www.shop.example" in refused[1]["detail"].lower()
    assert (status, run["domain"], pending(run)) == (201, "shop.example", [item])
    update = {"updateItem": {"url": item, "changes": {"done": True}}}
    assert api.ask("PATCH", f"scrape-runs/{run['id']}", update)[0] == 200
    assert api.get(f"scrape-runs/{run['id']}")["status"] == "completed"


def test_an_archive_of_one_site_takes_no_run_of_another(sqlite_url: str) -> None:
    # Given an archive that has templates of n8n.io, and a server that is told of a stand-in
    with closing(Database(sqlite_url)) as database:
        close(database, a_run(database, "1"), "1", Outcome.COMPLETE)
    here = {"N8N_SITE_URL": "http://127.0.0.1:9", "N8N_API_URL": "http://127.0.0.1:9"}

    # When a run of the stand-in is created
    with served(sqlite_url, replace(WITH_TOKEN, told=here)) as server:
        body = {"domain": "127.0.0.1:9"}
        answer = server.ask("POST", "/api/scrape-runs", json=body, headers=BEARER)

    # Then it is refused as the crawl would be
    assert answer.status_code == 422
    assert "is of https://n8n.io" in answer.json()["detail"]


@pytest.mark.parametrize("url", ["http://[", "https://a b", "ftp://x.example", "http://", "7"])
def test_what_no_client_could_ask_for_is_no_address(api: Api, url: str) -> None:
    body = {"domain": "shop.example", "workedBy": "orchestrator", "items": [{"url": url}]}

    assert api.ask("POST", "scrape-runs", body)[0] == 400


def test_an_address_that_is_no_item_is_named(api: Api) -> None:
    status, problem = api.ask(
        "POST", "scrape-runs", {"domain": "n8n.io", "items": [{"url": "https://n8n.io/pricing"}]}
    )

    assert status == 422
    assert problem["detail"] == (
        "https://n8n.io/pricing is no template: write https://n8n.io/workflows/…/."
    )


def test_runs_are_listed_by_page_and_by_what_they_are(api: Api) -> None:
    # Given three runs of a domain of their own
    made = []
    for number in range(3):
        body = {"domain": "list.example", "workedBy": "orchestrator"}
        made.append(api.ask("POST", "scrape-runs", {**body, "metadata": {"n": number}})[1])
    api.finalise(made[0])

    # When they are asked for
    newest = api.get("scrape-runs?domain=list.example&limit=2")
    second = api.get("scrape-runs?domain=www.list.example&limit=2&page=2")
    by_offset = api.get("scrape-runs?domain=list.example&limit=2&offset=2")
    oldest = api.get("scrape-runs?domain=list.example&limit=1&sortBy=createdAt&sortOrder=asc")
    ended = api.get("scrape-runs?domain=list.example&status=finished")
    waiting = api.get("scrape-runs?domain=list.example&status=pending")
    after = api.get(f"scrape-runs?domain=list.example&startTimeAfter={made[0]['startTime']}")
    until = api.get(f"scrape-runs?domain=list.example&until={made[0]['startTime']}")

    # Then each page has its own
    ids = [one["id"] for one in made]
    assert [one["id"] for one in newest["data"]] == ids[:0:-1]
    assert newest["pagination"] == {
        "currentPage": 1,
        "totalPages": 2,
        "totalItems": 3,
        "limit": 2,
    }
    assert second == by_offset
    assert [one["id"] for one in second["data"]] == ids[:1]
    assert [one["id"] for one in oldest["data"]] == ids[:1]
    assert [one["id"] for one in ended["data"]] == ids[:1]
    assert [one["id"] for one in waiting["data"]] == ids[:0:-1]
    assert [one["id"] for one in after["data"]] == ids[:0:-1]
    assert [one["id"] for one in until["data"]] == ids[:1]


@given(st.integers(1, 5), st.integers(0, 3), st.integers(1, 3))
@settings(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_pages_up_to_a_moment_put_together_are_the_runs_until_then(
    api: Api, number: int, meanwhile: int, limit: int
) -> None:
    # Given runs of a domain, and the first page of them
    domain = f"{secrets.token_hex(4)}.example"
    body = {"domain": domain, "workedBy": "orchestrator"}
    made = [api.ask("POST", "scrape-runs", body)[1] for _ in range(number)]
    query = f"scrape-runs?domain={domain}&limit={limit}&until={made[-1]['startTime']}"
    first = api.get(query)

    # When more come before the other pages are asked for
    for _ in range(meanwhile):
        api.ask("POST", "scrape-runs", body)
    pages = first["pagination"]["totalPages"]
    rest = [api.get(f"{query}&page={page}") for page in range(2, pages + 1)]

    # Then each is told once, and only those
    told = [one["id"] for page in (first, *rest) for one in page["data"]]
    assert sorted(told) == sorted(one["id"] for one in made)


def test_before_the_first_run_there_are_none(tmp_path: Path) -> None:
    with served(f"sqlite:///{tmp_path}/none.db") as server:
        answer = server.get("/api/scrape-runs")

    assert (answer.status_code, answer.json()["data"]) == (200, [])
    assert not (tmp_path / "none.db").exists()


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        ({"updateItem": {"done": True}}, 422, "needs the `url` of an item"),
        ({"updateItem": {"item": "1"}}, 422, "says nothing of the item"),
        (
            {"updateItem": {"item": "1", "done": True, "changes": {"done": True}}},
            422,
            "not in both",
        ),
        ({"updateItem": {"item": "1", "done": 1}}, 400, "Expected `bool | null`, got `int`"),
        ({"finalize": False}, 422, "false says nothing"),
        (
            {"finalise": True},
            400,
            "The body needs `updateItem` or `updateItems` or `status` or `finalize`.",
        ),
        ({"status": "paused"}, 400, "Invalid enum value 'paused'"),
        ({"status": "finished", "endTime": "yesterday"}, 400, "Expected `str` matching regex"),
        ({"status": "finished", "endTime": "0001-01-01T00:00:00+09:00"}, 422, "is no moment"),
        ({"status": "finished", "endTime": "2026-02-30"}, 422, "2026-02-30 is no moment"),
        ({"finalize": True, "metadata": {"a\0b": 1}}, 400, "a text has a NUL in it"),
        ([], 400, "has to be a JSON object"),
    ],
)
def test_what_cannot_be_meant_is_answered_in_one_sentence(
    api: Api, body: object, status: int, says: str
) -> None:
    run = api.create("1")

    answered, problem = api.ask("PATCH", f"scrape-runs/{run['id']}", body)

    assert answered == status, problem
    assert says in problem["detail"]
    assert problem["status"] == status
    assert pending(api.get(f"scrape-runs/{run['id']}")) == [url_of("1")]


def test_nothing_is_changed_without_the_token(api: Api) -> None:
    wrong = {"Authorization": "Bearer not the token"}

    without = api.server.ask("POST", "/api/scrape-runs", json={"domain": "n8n.io"})
    with_wrong = api.server.ask("POST", "/api/scrape-runs", json={}, headers=wrong)

    assert (without.status_code, with_wrong.status_code) == (401, 401)
    assert without.headers["Content-Type"].startswith("application/problem+json")


def test_what_is_no_json_is_told_so(api: Api) -> None:
    def post(data: bytes, kind: str) -> int:
        headers = {**BEARER, "Content-Type": kind}
        return api.server.ask("POST", "/api/scrape-runs", data=data, headers=headers).status_code

    assert post(b"domain=n8n.io", "application/x-www-form-urlencoded") == 415
    assert post(b'{"domain": "\\ud800"}', "application/json") == 400
    assert post(b"\xff", "application/json") == 400
    assert post(b"[" * 100_000, "application/json") == 400
    assert post(b" " * 9_000_000, "application/json") == 413
