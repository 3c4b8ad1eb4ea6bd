"""Mutated answers go through the pages without any exception but our own, and without delay.

750 of them in every run of the suite; `make fuzz` tries 100,000 (`FUZZ=100000`).
"""

import json
import os
import random
import time
from functools import cache
from typing import Any, NamedTuple

import pytest

from n8n_scraper.core.dossier import Answer, Dossier, Planned
from n8n_scraper.core.errors import UnreadableAnswer
from n8n_scraper.core.item import PartStatus
from n8n_scraper.core.source import Provenance
from n8n_scraper.sources.n8n.item import Template, broken_promises
from n8n_scraper.sources.n8n.pages.layers import read_into
from n8n_scraper.sources.n8n.pages.template import assemble
from n8n_scraper.sources.n8n.parts import Layer
from n8n_scraper.sources.n8n.replica.catalogue import Catalogue
from n8n_scraper.sources.n8n.replica.pages import template_page
from n8n_scraper.sources.n8n.rules.quality import score
from tests.conftest import SAMPLES
from tests.fuzz.mutations import mutated_json, mutated_page

SHARE = 750
MANY = int(os.environ.get("FUZZ", "100000"))
# No answer of a usual size may hold up the crawl that long, however it is broken.
LONGEST_SECONDS = 10.0
_USUAL_BYTES = 80_000
_MOST_RECORDED = 300
_AT = "2026-10-01T00:00:00Z"


class Original(NamedTuple):
    """An answer before anybody broke it."""

    layer: Layer
    workflow_id: str
    content: Any


@cache
def originals() -> list[Original]:
    """Answers of the stand-in, with all oddities, and recorded ones where somebody has them."""
    catalogue = Catalogue(templates=120)
    found = []
    for number in catalogue.ids:
        template = catalogue[number]
        found += [
            Original(Layer.METADATA, str(number), template.detail()),
            Original(Layer.JSON, str(number), template.import_answer()),
            Original(
                Layer.EXPLAINER, str(number), template_page(catalogue, number, "https://n8n.io")
            ),
        ]
    for folder, layer in (("api-detail", Layer.METADATA), ("api-import", Layer.JSON)):
        for file in sorted((SAMPLES / folder).glob("[0-9]*.json"))[:_MOST_RECORDED]:
            found.append(Original(layer, file.stem, json.loads(file.read_bytes())))
    return [one for one in found if len(json.dumps(one.content)) <= _USUAL_BYTES]


@cache
def by_layer(layer: Layer) -> list[Original]:
    return [one for one in originals() if one.layer is layer]


def broken(original: Original, chance: random.Random) -> bytes:
    donor = chance.choice(by_layer(original.layer)).content
    if original.layer is Layer.EXPLAINER:
        return mutated_page(original.content, donor, chance)
    return mutated_json(original.content, donor, chance)


def read(dossier: Dossier, layer: Layer, body: bytes) -> None:
    try:
        read_into(dossier, Answer(layer, "https://n8n.io/", 200, body, _AT))
    except UnreadableAnswer as error:
        dossier.settle(layer, PartStatus.FAILED, str(error), "bad_content", 200)
    else:
        dossier.settle(layer, PartStatus.OK, http_status=200)


def through_the_pages(seed: int) -> Template:
    """Break one answer, or all three of a template, and make of them what a crawl makes."""
    chance = random.Random(seed)
    first = chance.choice(originals())
    dossier = Dossier(Planned(first.workflow_id), started=0.0)
    asked = [first]
    if seed % 4 == 0:
        asked = [one for one in originals() if one.workflow_id == first.workflow_id]
    for original in asked:
        read(dossier, original.layer, broken(original, chance))
    for layer in Layer:
        if layer not in dossier.parts:
            dossier.settle(layer, PartStatus.SKIPPED, "not part of this test")
    return assemble(dossier, Provenance("https://n8n.io", "run", _AT, 0.0))


def survive(seeds: range) -> None:
    for seed in seeds:
        began = time.perf_counter()
        template = through_the_pages(seed)
        quality = score(template)

        assert broken_promises(template) == [], f"seed {seed}"
        assert 0.0 <= quality.score <= 100.0, f"seed {seed}"
        assert json.dumps(template.model_dump(mode="json")).encode(), f"seed {seed}"
        assert time.perf_counter() - began < LONGEST_SECONDS, f"seed {seed}"


@pytest.mark.parametrize("tenth", range(10))
def test_broken_answers_are_read_or_refused(tenth: int) -> None:
    size = SHARE // 10

    survive(range(tenth * size, (tenth + 1) * size))


@pytest.mark.long
@pytest.mark.timeout(7_200)
def test_very_many_broken_answers_are_read_or_refused() -> None:
    began = time.perf_counter()

    survive(range(SHARE, SHARE + MANY))

    took = time.perf_counter() - began
    print(f"\n{MANY} broken answers in {took:.0f} s, {1000 * took / MANY:.1f} ms each")
