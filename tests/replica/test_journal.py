import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest

from n8n_scraper.sources.n8n.replica.script import PATH_KINDS
from n8n_scraper.testing.replica.journal import path_kind
from n8n_scraper.testing.stand_in import StandInError
from tests.replica.client import USER_AGENT, detail, get


def test_every_request_is_recorded_exactly_once(replica):
    paths = [detail(number) for number in replica.ids]
    with ThreadPoolExecutor(8) as clients:
        list(clients.map(lambda path: get(replica.url, path), paths))

    log = replica.log()

    assert sorted(record["path"] for record in log) == sorted(paths)
    assert [record["seq"] for record in log] == sorted({record["seq"] for record in log})
    assert [record["t"] for record in log] == sorted(record["t"] for record in log)


def test_a_record_tells_all(replica):
    body = get(replica.url, "/api/templates/search?rows=2").body

    (record,) = replica.log()

    assert record["method"] == "GET"
    assert record["path"] == "/api/templates/search?rows=2"
    assert f"http://{record['host']}" == replica.url
    assert record["user_agent"] == USER_AGENT
    assert (record["status"], record["fault"], record["bytes"]) == (200, None, len(body))
    assert record["t"] < record["ended"]


def test_the_log_can_be_read_on_from_a_number(replica):
    get(replica.url, detail(1))
    seen = replica.log()[-1]["seq"]
    get(replica.url, detail(2))

    assert [record["path"] for record in replica.log(since=seen)] == [detail(2)]
    assert replica.log(since=seen + 1) == []
    assert len(replica.log(since=0)) == 2


def test_stats_count_by_status_kind_and_fault(replica):
    replica.control(faults=[{"kind": "503", "path": "/templates/workflows/2$"}])
    for path in (detail(1), detail(2), detail(3), replica.truth(1).path):
        get(replica.url, path)

    stats = replica.stats()

    assert stats["requests"] == 4
    assert stats["by_status"] == {"200": 2, "503": 1, "404": 1}
    assert stats["by_kind"] == {"detail": 3, "page": 1}
    assert stats["by_fault"] == {"503": 1}
    assert stats["max_in_1_s"] == 4
    assert stats["open"] == 0
    assert stats["rate_last_10_s"] == 0.4
    assert stats["first_t"] < stats["last_t"]


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/sitemap_index.xml", "sitemap"),
        ("/robots.txt", "robots"),
        ("/api/templates/search?rows=100", "search"),
        ("/api/templates/workflows/7", "detail"),
        ("/api/workflows/templates/7", "import"),
        ("/api/workflows/by-id/7", "by_id"),
        ("/api/workflows/7", "strapi"),
        ("/workflows/7-x/", "page"),
        ("/api/templates/categories", "list"),
        ("/favicon.ico", "other"),
    ],
)
def test_paths_have_kinds(path, kind):
    assert path_kind(path, PATH_KINDS) == kind


@pytest.mark.parametrize(
    ("switches", "complaint"),
    [
        ({"latency_ms": -1}, "latency_ms: Input should be greater than or equal to 0"),
        ({"no_such_switch": 1}, "no_such_switch: Extra inputs are not permitted"),
        ({"faults": [{"kind": "500", "path": "("}]}, "is not a regular expression"),
        ({"faults": [{"kind": "gremlins"}]}, "Input should be '401'"),
        ({"outage": "maybe"}, "outage"),
    ],
)
def test_a_bad_switch_is_refused_and_changes_nothing(replica, switches, complaint):
    before = replica.control()

    with pytest.raises(StandInError, match=complaint.replace("(", r"\(")):
        replica.control(latency_jitter_ms=5, **switches)

    assert replica.control() == before


def test_controls_merge(replica):
    replica.control(latency_ms=3)
    told = replica.control(hang_s=9)

    assert (told["latency_ms"], told["hang_s"]) == (3, 9)


def test_an_unknown_control_is_a_404(replica):
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(f"{replica.url}/__nothing", timeout=5)

    with caught.value as answer:
        assert answer.code == 404
