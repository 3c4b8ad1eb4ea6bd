"""Whatever a site sends, a crawl of it stays below 400 MB."""

import base64
import gzip
import json
import random
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from n8n_scraper.testing.hostile_site import Says, hostile_site
from tests.crawling import scrapy

pytestmark = pytest.mark.long
MOST_MB = 400
GZIP = {"Content-Type": "application/gzip"}
PACKED = {"Content-Encoding": "gzip"}
TEMPLATES = range(1, 9)


def listing() -> Says:
    entries = "".join(f"<url><loc>/workflows/{number}-a/</loc></url>" for number in TEMPLATES)
    return Says(f"<urlset>{entries}</urlset>".encode())


def everywhere(answer: Says) -> dict[str, Says]:
    """The same answer as metadata and JSON of every template."""
    paths = ("/api/templates/workflows", "/api/workflows/templates")
    return {f"{path}/{number}": answer for path in paths for number in TEMPLATES}


def layers_of(number: int, data: str) -> dict[str, object]:
    """Metadata and JSON of a template whose workflow has so much of example data."""
    workflow = {
        "nodes": [{"type": "n8n-nodes-base.set", "name": "A"}],
        "connections": {},
        "pinData": {"A": [{"json": {"data": data}}]},
    }
    whole = {"id": number, "name": "A", "description": "It sets.", "workflow": workflow}
    return {
        f"/api/templates/workflows/{number}": {"workflow": {**whole, "workflow": whole}},
        f"/api/workflows/templates/{number}": {"id": number, "name": "A", "workflow": workflow},
    }


def noise(seed: int) -> str:
    """As much example data as an answer may have, and no two pieces of it the same."""
    return base64.b64encode(random.Random(seed).randbytes(5_900_000)).decode()


# Made only when they are sent: together they are half a gigabyte.
CASES: dict[str, Callable[[], Mapping[str, Says]]] = {
    "a sitemap of 178 MB of empty elements, as a file of 178 kB": lambda: {
        "/sitemap_index.xml": Says(
            gzip.compress(b"<urlset>" + b"<a/>" * 44_500_000 + b"</urlset>"), headers=GZIP
        )
    },
    "the same, packed for the way": lambda: {
        "/sitemap_index.xml": Says(
            gzip.compress(b"<urlset>" + b"<a/>" * 44_500_000 + b"</urlset>"), headers=PACKED
        )
    },
    "a sitemap of 60 MB of empty elements, packed for the way": lambda: {
        "/sitemap_index.xml": Says(
            gzip.compress(b"<urlset>" + b"<a/>" * 15_000_000 + b"</urlset>"), headers=PACKED
        )
    },
    "a sitemap of 60 MB, nested": lambda: {"/sitemap_index.xml": Says(b"<a>" * 20_000_000)},
    "a sitemap of one tag of 60 MB": lambda: {
        "/sitemap_index.xml": Says(b"<urlset " + b"a='' " * 12_000_000)
    },
    "60 MB of empty lists from every template": lambda: everywhere(
        Says(b"[" + b"[]," * 20_000_000 + b"[]]")
    ),
    "8 MB of empty lists from every template": lambda: everywhere(
        Says(b"[" + b"[]," * 2_700_000 + b"[]]")
    ),
    "as many empty lists as are parsed, from every template": lambda: everywhere(
        Says(b'{"id": 1, "a": [' + b"[]," * 240_000 + b"[]]}")
    ),
    "8 MB of example data on two layers of every template": lambda: {
        path: Says(json.dumps(body).encode())
        for number in TEMPLATES
        for path, body in layers_of(number, "x" * 7_900_000).items()
    },
    "8 MB of example data that no packing makes smaller": lambda: {
        path: Says(json.dumps(body).encode())
        for number in TEMPLATES
        for path, body in layers_of(number, noise(number)).items()
    },
    "a description of 55 MB": lambda: everywhere(
        Says(json.dumps({"workflow": {"id": 1, "description": "word " * 11_000_000}}).encode())
    ),
}


@pytest.mark.timeout(900)
@pytest.mark.parametrize("case", CASES)
def test_memory_stays_within_its_bound(case: str, tmp_path: Path) -> None:
    with hostile_site({"/sitemap_index.xml": listing(), **CASES[case]()}) as site:
        environment = {
            "N8N_SITE_URL": site.url,
            "N8N_API_URL": site.url,
            "DATABASE_URL": f"sqlite:///{tmp_path}/a.db",
            "RATE_LIMIT_RATE": "0",
        }
        ran = scrapy("crawl", "workflows", environment=environment, tell_memory=True, seconds=800)

    peak_mb = int(ran.out.split()[-1]) / 1024
    print(f"\n{case}: at most {peak_mb:.0f} MB, exit status {ran.status}")
    assert ran.status in (0, 3, 7)
    assert "Traceback" not in ran.err
    assert peak_mb < MOST_MB
