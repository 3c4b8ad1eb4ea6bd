"""Every metric that there is: docs/reference/metrics.md is this table in words.

How many series there can be is bounded: sources, fields, outcomes and categories are few, domains
are cut off (`domains.py`), and a run is named only as long as it is worked on.
"""

from __future__ import annotations

from n8n_scraper.metrics.metric import Metric, counter, gauge

# --- the archive, of `scrapy serve` ---------------------------------------------------------
ARCHIVE_COUNTED = gauge(
    "archive_counted_timestamp_seconds", "When its figures were counted; they are kept a while."
)
ARCHIVE_BYTES = gauge("archive_size_bytes", "Size of the database.")
RUNS = gauge("runs", "Runs in the archive.")
ITEMS = gauge("items", "Items in the archive, by how they ended last.", "source", "outcome")
ITEMS_REMOVED = gauge("items_removed", "Items that their source does not have any more.", "source")
ITEMS_WITH_FIELD = gauge(
    "items_with_field", "Items that have a value in a field that may lack one.", "source", "field"
)
OLDEST_ITEM = gauge(
    "oldest_item_timestamp_seconds", "When the item was read that was not read longest.", "source"
)
NEWEST_ITEM = gauge("newest_item_timestamp_seconds", "When an item was read last.", "source")
RAW_ANSWERS = gauge("raw_answers", "Answers that are kept as they came.", "source")
RAW_ANSWER_BYTES = gauge("raw_answers_bytes", "Their size before compression.", "source")
VERSIONS = gauge("item_versions", "Versions of items that are kept.", "source")
EVENTS = gauge("item_events", "Events of items that are kept: new, changed, removed.", "source")

# --- the newest run of each source ----------------------------------------------------------
LIVE_RUN_INFO = gauge(
    "live_run_info", "Is 1 for the newest run as long as it is worked on.", "source", "run_id"
)
RUN_STANDING = gauge(
    "run_standing", "Is 1 for how the newest run stands, else 0.", "source", "standing"
)
RUN_START = gauge("run_start_timestamp_seconds", "When the newest run began.", "source")
RUN_END = gauge("run_end_timestamp_seconds", "When the newest run ended, if it has.", "source")
RUN_EXIT_STATUS = gauge("run_exit_status", "How it ended, as the shell was told.", "source")
RUN_SECONDS = gauge("run_duration_seconds", "For how long it has been worked on.", "source")
RUN_ITEMS = gauge("run_items", "Items of the newest run that ended so.", "source", "outcome")
RUN_LEFT = gauge("run_items_left", "Items of it that have not ended.", "source")
RUN_UNSETTLED = gauge("run_items_unsettled", "Items of it that ended, but not for good.", "source")
RUN_FAILURES = gauge(
    "run_items_failed", "The same by what kind of failure it was.", "source", "category"
)
RUN_RATE = gauge("run_items_per_second", "Items that end a second, of the last minutes.", "source")
RUN_TIME_LEFT = gauge("run_left_seconds", "Seconds until it ends, as far as is known.", "source")
RUN_WORKERS = gauge("run_workers", "Its workers, by whether they are there.", "source", "presence")

# --- domains --------------------------------------------------------------------------------
DOMAINS = gauge("domains", "Domains that crawls have met; the first fifty are told one by one.")
DOMAIN_CIRCUIT = gauge(
    "domain_circuit", "Is 1 for how its circuit stands, else 0.", "domain", "circuit"
)
DOMAIN_FAILURES = gauge("domain_failures", "Failures in a row.", "domain")
DOMAIN_OPENED = gauge(
    "domain_opened_timestamp_seconds", "Since when its circuit is not closed.", "domain"
)
DOMAIN_OPEN_FOR = gauge(
    "domain_open_left_seconds", "How long it is left alone still by its circuit.", "domain"
)
DOMAIN_HELD_FOR = gauge(
    "domain_held_left_seconds", "How long its server asked to be left alone still.", "domain"
)
DOMAIN_RATE = gauge(
    "domain_learned_requests_per_second", "The rate that its complaints have taught.", "domain"
)

# --- what is wrong, and who is to be told ---------------------------------------------------
ALERTS_FIRING = gauge("alerts_firing", "Alerts that fire, by their rule.", "rule")
OUTBOX_WAITING = gauge(
    "outbox_waiting_messages", "Messages to the outside that are not sent yet.", "channel"
)
OUTBOX_OLDEST = gauge(
    "outbox_oldest_timestamp_seconds", "When the oldest of them was written.", "channel"
)
OUTBOX_GIVEN_UP = gauge(
    "outbox_given_up_messages", "Messages that are not sent any more.", "channel"
)

# --- one crawl, on its own port -------------------------------------------------------------
CRAWL_INFO = gauge(
    "crawl_info", "Is 1 for the crawl that tells.", "source", "spider", "run_id", "version"
)
CRAWL_START = gauge("crawl_start_timestamp_seconds", "When this process began to crawl.", "source")
CRAWL_ITEMS = gauge(
    "crawl_items", "Items of its run that ended so, as far as it knows.", "source", "outcome"
)
CRAWL_LEFT = gauge("crawl_items_left", "Items of its run that have not ended.", "source")
CRAWL_ITEMS_LOST = counter("crawl_items_lost", "Items that another process has taken.", "source")
CRAWL_REQUESTS = counter("crawl_requests", "Requests that took a token.", "source", "domain")
CRAWL_WAITS = counter("crawl_waits", "Requests that waited for the pace.", "source", "domain")
CRAWL_WAIT_SECONDS = counter(
    "crawl_wait_seconds", "Seconds for which requests waited for the pace.", "source", "domain"
)
CRAWL_RETRY_AFTER = counter(
    "crawl_retry_after", "Answers that asked to be left alone.", "source", "domain"
)
CRAWL_OPENED = counter(
    "crawl_circuit_opened", "How often a circuit has opened meanwhile.", "source", "domain"
)
CRAWL_TOKENS = gauge("crawl_bucket_tokens", "Tokens that are free now.", "source", "domain")
CRAWL_RATE = gauge(
    "crawl_allowed_requests_per_second", "Requests a second; 0 is no limit.", "source", "domain"
)
CRAWL_LEFT_ALONE = gauge(
    "crawl_domain_left_alone", "Is 1 while its circuit is not closed.", "source", "domain"
)
CRAWL_RETRIES = counter(
    "crawl_retries",
    "What became of failed requests: count and parked are asked again, the others are over.",
    *("source", "category", "became"),
)
CRAWL_RESPONSES = counter("crawl_responses", "Answers, by status.", "source", "status")
CRAWL_EXCEPTIONS = counter(
    "crawl_exceptions", "Requests that brought no answer, by error.", "source", "exception"
)
CRAWL_RESPONSE_BYTES = counter("crawl_response_bytes", "Bytes of answers.", "source")
CRAWL_REQUEST_BYTES = counter("crawl_request_bytes", "Bytes of requests.", "source")
CRAWL_TOOL_REQUESTS = counter(
    "crawl_tool_requests", "Requests that a tool was given.", "source", "tool"
)
CRAWL_TOOL_FAILURES = counter(
    "crawl_tool_failures", "Of these, what the tool failed by its own fault.", "source", "tool"
)
CRAWL_TOOL_SECONDS = counter("crawl_tool_seconds", "For how long it worked.", "source", "tool")
CRAWL_TOOL_COST = counter(
    "crawl_tool_cost", "What that has cost, in the unit of its own price.", "source", "tool"
)
CRAWL_LOG_LINES = counter("crawl_log_lines", "Lines of its log.", "source", "level")

CATALOGUE: tuple[Metric, ...] = tuple(one for one in vars().values() if isinstance(one, Metric))
"""All of them, in this order."""
