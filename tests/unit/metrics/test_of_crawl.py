"""What a crawl under way tells Prometheus."""

from dataclasses import replace

from n8n_scraper.metrics.domains import MOST_DOMAINS
from n8n_scraper.metrics.of_crawl import CrawlSeen, DomainSeen, crawl_samples
from n8n_scraper.policies.run.counts import Counts
from tests.unit.metrics.given import told

DOMAIN = DomainSeen("n8n.io", 70, 9, 4.5, 0.3, 2.0, left_alone=False)
SEEN = CrawlSeen(
    source="n8n",
    spider="workflows",
    version="1",
    run_id="20261119T000000-ab12",
    started=1_800_000_000.0,
    counts=Counts({"complete": 38, "failed": 1}, unsettled=1, left=60),
    domains=(DOMAIN,),
)
STATS = {
    "downloader/response_bytes": 4_000,
    "downloader/response_status_count/200": 69,
    "downloader/response_status_count/429": 1,
    "downloader/exception_type_count/twisted.internet.error.TimeoutError": 2,
    "log_count/WARNING": 3,
    "rate_limit/n8n.io/retry_after": 1,
    "circuit_breaker/n8n.io/opened": 1,
    "retry/count/timeout": 2,
    "retry/given_up/timeout": 1,
    "retry/reason_count/twisted.internet.error.TimeoutError": 8,
    "tools/devtools/requests": 4,
    "tools/devtools/failures": 1,
    "tools/firecrawl/cost": 2.5,
    "tools/firecrawl/seconds": 1.5,
    "tools/escalations": 3,
    "start_time": "a moment",
}


def test_what_a_stat_has_in_its_name_is_a_label() -> None:
    seen = told(crawl_samples(SEEN, STATS))

    assert seen["crawl_responses_total", "n8n", "429"] == 1
    assert seen["crawl_exceptions_total", "n8n", "twisted.internet.error.TimeoutError"] == 2
    assert seen["crawl_log_lines_total", "n8n", "WARNING"] == 3
    assert seen["crawl_retry_after_total", "n8n", "n8n.io"] == 1
    assert seen["crawl_circuit_opened_total", "n8n", "n8n.io"] == 1
    assert seen["crawl_response_bytes_total", "n8n"] == 4_000


def test_what_a_tool_did_is_told_by_tool() -> None:
    seen = told(crawl_samples(SEEN, STATS))

    assert {key: value for key, value in seen.items() if "_tool_" in key[0]} == {
        ("crawl_tool_requests_total", "n8n", "devtools"): 4,
        ("crawl_tool_failures_total", "n8n", "devtools"): 1,
        ("crawl_tool_cost_total", "n8n", "firecrawl"): 2.5,
        ("crawl_tool_seconds_total", "n8n", "firecrawl"): 1.5,
    }


def test_retries_are_told_by_category_and_by_what_became_of_them() -> None:
    seen = told(crawl_samples(SEEN, STATS))

    assert {key: value for key, value in seen.items() if key[0] == "crawl_retries_total"} == {
        ("crawl_retries_total", "n8n", "timeout", "count"): 2,
        ("crawl_retries_total", "n8n", "timeout", "given_up"): 1,
    }


def test_it_tells_how_far_its_run_is_and_what_its_pace_has_cost() -> None:
    seen = told(crawl_samples(SEEN, STATS))

    assert seen["crawl_info", "n8n", "workflows", "20261119T000000-ab12", "1"] == 1
    assert (seen["crawl_items", "n8n", "complete"], seen["crawl_items_left", "n8n"]) == (38, 60)
    assert seen["crawl_requests_total", "n8n", "n8n.io"] == 70
    assert seen["crawl_wait_seconds_total", "n8n", "n8n.io"] == 4.5
    assert seen["crawl_bucket_tokens", "n8n", "n8n.io"] == 0.3
    assert seen["crawl_domain_left_alone", "n8n", "n8n.io"] == 0


def test_a_counter_is_there_before_anything_was_counted() -> None:
    seen = told(crawl_samples(SEEN, {}))

    assert seen["crawl_items_lost_total", "n8n"] == seen["crawl_request_bytes_total", "n8n"] == 0


def test_a_spider_that_keeps_no_archive_has_no_run() -> None:
    seen = told(crawl_samples(replace(SEEN, run_id=None, counts=None), STATS))

    assert seen["crawl_info", "n8n", "workflows", "", "1"] == 1
    assert not [key for key in seen if key[0].startswith("crawl_items_l") and "lost" not in key[0]]


def test_of_very_many_domains_the_first_that_were_met_keep_being_told() -> None:
    many = tuple(replace(DOMAIN, domain=f"{number}.example") for number in range(200))

    seen = told(crawl_samples(replace(SEEN, domains=many), {}))

    named = [key[2] for key in seen if key[0] == "crawl_requests_total"]
    assert named == [f"{number}.example" for number in range(MOST_DOMAINS)]
