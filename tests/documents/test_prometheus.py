"""The dashboard and the rules are whole, and ask for nothing but what is told."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger.database import Database
from n8n_scraper.metrics.catalogue import CATALOGUE
from n8n_scraper.metrics.exposition import exposition
from n8n_scraper.metrics.of_archive import of_domains, of_run
from n8n_scraper.metrics.of_crawl import crawl_samples
from tests.documents.promql import NotPromQL, named_in
from tests.documents.reading import PROJECT
from tests.unit.ledger.given import close
from tests.unit.metrics.given import archive_samples
from tests.unit.metrics.test_of_archive import OPEN
from tests.unit.metrics.test_of_crawl import SEEN, STATS
from tests.unit.reports.made import LIVE, STOPPED
from tests.unit.reports.test_archive import two_templates
from tests.unit.reports.test_outside import write

RULES = PROJECT / "deploy/prometheus/n8n-scraper.rules.yml"
RULE_TESTS = PROJECT / "deploy/prometheus/n8n-scraper.rules.test.yml"
CONFIGURATION = PROJECT / "deploy/prometheus/prometheus.yml"
DASHBOARD = json.loads((PROJECT / "deploy/grafana/n8n-scraper.json").read_text())
LABELS = {metric.name: set(metric.labels) for metric in CATALOGUE}
OF_EVERY_TARGET = {"job", "instance"}
NOT_OURS = {"up", "ALERTS", "process_resident_memory_bytes"}
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]


def rules() -> list[dict[str, Any]]:
    groups = yaml.safe_load(RULES.read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def expressions() -> Iterator[tuple[str, str]]:
    for rule in rules():
        yield rule["alert"], rule["expr"]
    for panel in PANELS:
        for target in panel["targets"]:
            yield f"{panel['title']} {target['refId']}", target["expr"]


ASKED = dict(expressions())


@pytest.mark.parametrize("where", ASKED)
def test_an_expression_is_whole_and_names_what_is_told(where: str) -> None:
    named = named_in(ASKED[where])

    for metric, looked_at in named.metrics.items():
        assert metric in LABELS or metric in NOT_OURS
        assert looked_at <= LABELS.get(metric, set()) | OF_EVERY_TARGET
    known = set().union(*(LABELS.get(metric, set()) for metric in named.metrics))
    assert named.labels <= known


def test_every_metric_is_told_by_an_archive_or_a_crawl(database: Database) -> None:
    run_id = two_templates(database)
    close(database, run_id, "7", Outcome.FAILED, category="timeout")
    write(database, "a message")
    samples = [
        *archive_samples(database),
        *of_run(LIVE),
        *of_run(STOPPED),
        *of_domains([replace(OPEN, learned_rate=1.4)]),
        *crawl_samples(SEEN, STATS),
    ]

    assert {sample.metric.name for sample in samples} == set(LABELS)


def test_each_rule_says_what_is_wrong_and_has_a_test_of_its_own() -> None:
    tested = set(re.findall(r"alertname: (\w+)", RULE_TESTS.read_text()))

    assert {rule["alert"] for rule in rules()} == tested
    for rule in rules():
        assert rule["annotations"]["summary"]
        assert rule["labels"]["severity"] in ("warning", "critical")


def test_no_two_panels_of_the_dashboard_lie_on_one_another() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        place = panel["gridPos"]
        cells = {
            (place["x"] + column, place["y"] + line)
            for column in range(place["w"])
            for line in range(place["h"])
        }
        assert not taken & cells, panel["title"]
        assert place["x"] + place["w"] <= 24
        taken |= cells
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])


def test_the_dashboard_asks_the_prometheus_that_is_chosen() -> None:
    (chosen,) = (one for one in DASHBOARD["templating"]["list"] if one["type"] == "datasource")

    for panel in PANELS:
        assert panel["datasource"]["uid"] == f"${{{chosen['name']}}}"
        assert panel["description"]


def test_prometheus_asks_each_of_the_ports_that_the_how_to_names() -> None:
    jobs = yaml.safe_load(CONFIGURATION.read_text())["scrape_configs"]
    words = (PROJECT / "docs/how-to/watch-with-prometheus.md").read_text()
    first, last = map(int, re.findall(r"METRICS_PORT=(\d+)-(\d+)", words)[0])

    targets = {target for job in jobs for one in job["static_configs"] for target in one["targets"]}

    assert {f"127.0.0.1:{port}" for port in range(first, last + 1)} < targets


@pytest.mark.parametrize(
    "broken",
    [
        "sum by (source (n8n_scraper_runs)",
        "n8n_scraper_items{source=n8n}",
        'n8n_scraper_items{source="n8n"',
        "rate",
        "1 > 0",
        "n8n_scraper_items)",
        "n8n_scraper_items §",
    ],
)
def test_what_is_no_expression_is_noticed(broken: str) -> None:
    with pytest.raises(NotPromQL):
        named_in(broken)


@pytest.fixture
def promtool() -> str:
    """Prometheus's own checker; Debian has it in the package `prometheus`."""
    found = shutil.which("promtool")
    if found is None:
        pytest.skip("SKIPPED WITHOUT PROMTOOL: apt install prometheus")
    return found


@pytest.mark.parametrize(
    ("words", "file"),
    [
        (("check", "config"), CONFIGURATION),
        (("check", "rules"), RULES),
        (("test", "rules"), RULE_TESTS),
    ],
)
def test_prometheus_itself_takes_it(promtool: str, words: tuple[str, str], file: Path) -> None:
    ran = subprocess.run([promtool, *words, file], capture_output=True, text=True, check=False)

    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_prometheus_itself_finds_no_fault_with_what_is_told(
    promtool: str, database: Database
) -> None:
    two_templates(database)
    samples = [*archive_samples(database), *crawl_samples(SEEN, STATS)]
    text, _ = exposition(samples)

    ran = subprocess.run(
        [promtool, "check", "metrics"], input=text, capture_output=True, check=False
    )

    assert ran.returncode == 0, ran.stderr
