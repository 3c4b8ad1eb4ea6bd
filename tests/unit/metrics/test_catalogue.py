"""The table of all metrics: its names are as Prometheus wants them, and the reference is it."""

import re
from pathlib import Path

import pytest

from n8n_scraper.metrics.catalogue import CATALOGUE
from n8n_scraper.metrics.metric import Kind, Metric

REFERENCE = (Path(__file__).parents[3] / "docs/reference/metrics.md").read_text()
FEW = {
    *("source", "outcome", "field", "standing", "presence", "category", "became", "circuit"),
    *("domain", "status", "exception", "level", "spider", "version", "tool"),
    *("rule", "channel"),
}


@pytest.mark.parametrize("metric", CATALOGUE, ids=lambda metric: metric.name)
def test_a_name_follows_the_conventions(metric: Metric) -> None:
    assert re.fullmatch(r"n8n_scraper_[a-z]+(_[a-z]+)*", metric.name)
    assert metric.name.endswith("_total") == (metric.kind is Kind.COUNTER)
    assert not re.search(r"_(ms|milliseconds|kilobytes|percent|min|secs)(_|$)", metric.name)
    assert metric.says.endswith(".")


def test_no_two_have_the_same_name() -> None:
    assert len({metric.name for metric in CATALOGUE}) == len(CATALOGUE)


@pytest.mark.parametrize("metric", CATALOGUE, ids=lambda metric: metric.name)
def test_no_label_has_more_values_than_a_person_could_read(metric: Metric) -> None:
    allowed = FEW | ({"run_id"} if metric.name.endswith("_info") else set())

    assert set(metric.labels) <= allowed


@pytest.mark.parametrize("metric", CATALOGUE, ids=lambda metric: metric.name)
def test_the_reference_says_the_same(metric: Metric) -> None:
    labels = ", ".join(f"`{label}`" for label in metric.labels) or "–"

    assert f"| `{metric.name}` | {metric.kind} | {labels} | {metric.says} |" in REFERENCE


def test_the_reference_names_no_other() -> None:
    named = set(re.findall(r"^\| `(n8n_scraper_\w+)` \|", REFERENCE, re.MULTILINE))

    assert named == {metric.name for metric in CATALOGUE}
