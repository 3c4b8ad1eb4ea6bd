"""What reading and judging a template costs, on recorded answers and on those made to be slow."""

import json
from collections.abc import Callable
from contextlib import suppress
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import pytest

from n8n_scraper.core.dossier import Answer, Dossier, Planned
from n8n_scraper.core.errors import UnreadableAnswer
from n8n_scraper.core.item import PartStatus
from n8n_scraper.policies.failure.body import body_facts
from n8n_scraper.policies.safety.secrets import findings_in
from n8n_scraper.sources.n8n.pages import workflow as facts
from n8n_scraper.sources.n8n.pages.explainer import explain
from n8n_scraper.sources.n8n.pages.layers import read_into
from n8n_scraper.sources.n8n.pages.markdown import render
from n8n_scraper.sources.n8n.parts import Layer
from n8n_scraper.sources.n8n.rules.computed import judge_import
from n8n_scraper.sources.n8n.rules.import_check import check_import
from n8n_scraper.sources.n8n.rules.node_table import shipped_table
from n8n_scraper.sources.n8n.rules.quality import score
from n8n_scraper.sources.n8n.rules.secrets import find_secrets
from tests.samples.answers import AT, template_of
from tests.samples.conftest import recorded
from tests.unit.sources.n8n.pages.given import html_page
from tests.unit.sources.n8n.pages.test_growth import canvas, page, sentences, wired

pytestmark = pytest.mark.long  # under coverage a speed says nothing


def milliseconds(work: Callable[[dict[str, Any]], object], samples: Path) -> list[float]:
    """The best of five for each recorded workflow, the slowest last."""
    taken = []
    for file in sorted((samples / "workflow-json").glob("[0-9]*.json")):
        workflow = json.loads(file.read_bytes())
        rounds = []
        for _ in range(5):
            began = perf_counter()
            work(workflow)
            rounds.append(perf_counter() - began)
        taken.append(1000 * min(rounds))
    return sorted(taken)


def test_an_import_verdict_takes_two_milliseconds_at_most(samples: Path) -> None:
    table = shipped_table()

    taken = milliseconds(lambda one: check_import(one, name="A name", table=table), samples)

    print(f"\nimport verdict: median {taken[len(taken) // 2]:.2f} ms, worst {taken[-1]:.2f} ms")
    assert taken[-1] <= 2


def test_looking_for_secrets_takes_a_few_milliseconds(samples: Path) -> None:
    taken = milliseconds(findings_in, samples)

    print(f"\nsecrets: median {taken[len(taken) // 2]:.2f} ms, worst {taken[-1]:.0f} ms")
    assert taken[len(taken) // 2] <= 5
    assert taken[-1] <= 500


MOST_TIMES_A_YARDSTICK = 7
"""So much longer than the plainest reading may all of it take, on whatever machine."""

STAGES = ("judge the bodies", "read", "assemble", "import check", "secrets", "quality")


def worked_through(file: Path, shown: bytes, spent: dict[str, float]) -> None:
    """Do all the pure work of one template, and note the CPU seconds of each stage."""
    asked, body = file.stem, file.read_bytes()
    detail = json.loads(body)["workflow"]
    import_answer = {key: detail[key] for key in ("id", "name", "workflow")}
    bodies = {
        Layer.METADATA: body,
        Layer.JSON: json.dumps(import_answer).encode(),
        Layer.EXPLAINER: shown,
    }
    dossier = Dossier(Planned(asked), started=0.0)
    began = process_time()

    def done(stage: str) -> None:
        nonlocal began
        spent[stage] += process_time() - began
        began = process_time()

    for layer, answer in bodies.items():
        body_facts(answer, {}, expects="page" if layer is Layer.EXPLAINER else "json")
    done("judge the bodies")
    for layer, answer in bodies.items():
        read_into(dossier, Answer(layer, "https://n8n.io/", 200, answer, AT))
        dossier.settle(layer, PartStatus.OK, http_status=200)
    done("read")
    template = template_of(dossier)
    done("assemble")
    judge_import(template)
    done("import check")
    template.observe("secrets", find_secrets(template), "computed")
    done("secrets")
    template.observe("quality", score(template), "computed")
    done("quality")


def page_of(file: Path) -> bytes:
    """A page as the site would show the recorded description."""
    detail = json.loads(file.read_bytes())["workflow"]
    address = f"https://n8n.io/workflows/{file.stem}-recorded/"
    demo = f'<n8n-demo workflow="{escape(json.dumps(detail["workflow"]))}"></n8n-demo>'
    return html_page(
        render(detail["description"]), title=escape(detail["name"]), address=address, above=demo
    )


def yardstick(file: Path, shown: bytes) -> float:
    """The CPU seconds of a fixed work on the same answers: Python's own readers of both kinds."""
    began = process_time()
    json.loads(file.read_bytes())
    HTMLParser().feed(shown.decode())
    return process_time() - began


def test_the_pure_work_of_a_template(samples: Path) -> None:
    files = recorded("api-detail")
    pages = list(map(page_of, files))
    rounds, measures = [], []
    for _ in range(3):
        measures.append(1000 * sum(map(yardstick, files, pages)) / len(files))
        spent = dict.fromkeys(STAGES, 0.0)
        for file, shown in zip(files, pages, strict=True):
            worked_through(file, shown, spent)
        rounds.append({stage: 1000 * one / len(files) for stage, one in spent.items()})
    best = {stage: min(one[stage] for one in rounds) for stage in STAGES}

    told = ", ".join(f"{stage} {taken:.2f}" for stage, taken in best.items())
    together, measure = sum(best.values()), min(measures)
    print(f"\npure work of a template: {together:.2f} ms CPU ({told}), {samples.name};", end=" ")
    print(f"{together / measure:.2f} times what Python's own readers take ({measure:.2f} ms)")
    assert together <= MOST_TIMES_A_YARDSTICK * measure


# The sizes at which these took between ten seconds and more than a minute.
ATTACKS: dict[str, tuple[Callable[[], Any], Callable[[Any], object]]] = {
    "4,000 notes over 4,000 nodes": (lambda: canvas(4_000), facts.notes),
    "100,000 wires": (lambda: wired(100_000), facts.edges),
    "1.7 MB of sentences against as many others": (
        lambda: (sentences(56_000, "is"), sentences(56_000, "was")),
        lambda texts: explain(*texts),
    ),
    "a page of 4 MB of drawings": (lambda: "<svg></svg>tail " * 250_000, page),
    "a page of 4 MB of pictures in one another": (lambda: "<picture><img src=x>" * 200_000, page),
    "a page of 4 MB of lines that may not break": (lambda: "<nobr>a " * 500_000, page),
    "a page of 4 MB of attributes": (lambda: "<p a=1 b=2 c=3>x</p>" * 200_000, page),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_what_was_made_to_be_slow_takes_seconds_at_most(name: str) -> None:
    make, work = ATTACKS[name]
    given = make()

    began = process_time()
    with suppress(UnreadableAnswer):  # refused is as good as read
        work(given)
    took = process_time() - began

    print(f"\n{name}: {took:.2f} s CPU")
    assert took <= 10
