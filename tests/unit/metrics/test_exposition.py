"""Samples as Prometheus reads them."""

import pytest
from prometheus_client.openmetrics.parser import (
    text_string_to_metric_families as read_openmetrics,
)
from prometheus_client.parser import text_string_to_metric_families as read

from n8n_scraper.metrics import catalogue as of
from n8n_scraper.metrics.exposition import exposition

SAMPLES = (
    of.CRAWL_REQUESTS.of(7, "n8n", "n8n.io"),
    of.RUNS.of(2),
    of.CRAWL_REQUESTS.of(1, "n8n", 'a"\n\\b'),
)


def test_each_metric_stands_in_one_piece_with_its_words_and_its_kind() -> None:
    text, content_type = exposition(SAMPLES)

    lines = text.decode().splitlines()
    at = lines.index("# TYPE n8n_scraper_crawl_requests_total counter")
    assert lines[at - 1] == f"# HELP n8n_scraper_crawl_requests_total {of.CRAWL_REQUESTS.says}"
    assert [line.rpartition("}")[2] for line in lines[at + 1 : at + 3]] == [" 7.0", " 1.0"]
    assert "n8n_scraper_runs 2.0" in lines
    assert content_type.startswith("text/plain; version=0.0.4")


def test_a_label_with_signs_of_the_format_comes_back_as_it_was() -> None:
    text, _ = exposition(SAMPLES)

    domains = [
        sample.labels["domain"]
        for family in read(text.decode())
        for sample in family.samples
        if "domain" in sample.labels
    ]
    assert domains == ["n8n.io", 'a"\n\\b']


def test_who_prefers_openmetrics_gets_it() -> None:
    text, content_type = exposition(SAMPLES, "application/openmetrics-text; version=1.0.0")

    names = {family.name for family in read_openmetrics(text.decode())}
    assert "n8n_scraper_crawl_requests" in names
    assert content_type.startswith("application/openmetrics-text")


def test_the_process_tells_what_it_takes() -> None:
    text, _ = exposition(())

    assert b"\nprocess_resident_memory_bytes " in text


def test_a_value_needs_all_its_labels() -> None:
    with pytest.raises(AssertionError):
        of.CRAWL_REQUESTS.of(7, "n8n")
