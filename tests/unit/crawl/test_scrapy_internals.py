"""The names inside Scrapy that we lean on."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from n8n_scraper.core.errors import ScrapyHasChanged
from n8n_scraper.crawl import scrapy_internals
from n8n_scraper.crawl.scrapy_internals import INTERNALS, Internal, check_internals

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "n8n_scraper"
PAGE = (ROOT / "docs/reference/scrapy-internals.md").read_text()
PRIVATE = {one.name for one in INTERNALS if one.name.startswith("_")}


@pytest.mark.parametrize("internal", INTERNALS, ids=str)
def test_this_scrapy_has_it(internal: Internal) -> None:
    assert internal.is_there()


@pytest.mark.parametrize(
    "gone",
    [
        Internal("scrapy.core.engine.ExecutionEngine", "_renamed"),
        Internal("scrapy.core.engine._Renamed", "closing"),
        Internal("scrapy.renamed", "_schedule_coro"),
        Internal("scrapy.core.downloader.Slot", "last_seen"),
    ],
    ids=str,
)
def test_what_is_missing_is_named_in_one_line_before_a_crawl_begins(gone: Internal) -> None:
    with pytest.raises(ScrapyHasChanged, match=re.escape(f"has no {gone}, and a crawl")) as told:
        check_internals((*INTERNALS, gone))

    assert "\n" not in str(told.value)


def test_the_page_names_each_of_them_and_nothing_else() -> None:
    assert re.findall(r"^\| `([^`]+)` \|", PAGE, re.MULTILINE) == [str(one) for one in INTERNALS]


def test_no_other_module_uses_a_private_one() -> None:
    others = set(PACKAGE.rglob("*.py")) - {Path(scrapy_internals.__file__)}

    texts = {path: path.read_text() for path in others}
    # What is used is written: the others need not be parsed.
    suspects = [path for path, text in texts.items() if any(name in text for name in PRIVATE)]
    used = {path: PRIVATE & set(names_in(ast.parse(texts[path]))) for path in suspects}
    assert {path.name: names for path, names in used.items() if names} == {}


def test_a_use_is_found_however_it_is_written() -> None:
    code = """
from scrapy.utils.defer import _schedule_coro
class Ours:
    async def _close_slot(self):
        return self.engine._slot
"""

    assert set(names_in(ast.parse(code))) >= {"_schedule_coro", "_close_slot", "_slot"}


def names_in(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            yield node.attr
        if isinstance(node, ast.ImportFrom):
            yield from (one.name for one in node.names)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
