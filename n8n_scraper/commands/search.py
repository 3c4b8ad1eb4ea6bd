"""`scrapy search WORDS`: find stored items by their words."""

from __future__ import annotations

import argparse
import json
import re
import time
from collections.abc import Iterator
from difflib import get_close_matches
from itertools import islice

from scrapy.settings import BaseSettings

from n8n_scraper.commands.asking import Asking
from n8n_scraper.commands.source_meant import source_meant
from n8n_scraper.core.console import say, warn
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.searched import REMOVED
from n8n_scraper.core.source import Source
from n8n_scraper.core.wording import printable
from n8n_scraper.ledger.database import Database
from n8n_scraper.records.indexing import catch_up, number_not_indexed, rebuild
from n8n_scraper.search.facets import all_facets, facet_of
from n8n_scraper.search.found import Found, Hit, Order, Question
from n8n_scraper.search.searching import MOST_AT_ONCE, find
from n8n_scraper.search.snippets import without_marks

_A_NUMBER = re.compile(r"[0-9]{1,6}")
_SHOWN_OF_A_FACET = 8
_INDENT = " " * 9


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> None:
    """Find, and say; or make the index anew."""
    with Asking(settings) as database:
        source = source_meant(database, opts.source)
        if opts.rebuild:
            if args:
                raise BadInput("--rebuild makes the whole index anew; write it without words.")
            _rebuild(database, source)
            return
        question = _question(source, " ".join(args), opts)
        _index_what_is_not(database, source)
        found = find(database, source, question)
        unknown = [] if found.total or opts.json else list(_unknown(database, source, question))
    if opts.json:
        say(json.dumps(found.as_json()))
        return
    for line in unknown:
        say(line)
    if opts.list:
        most = None if opts.limit is None else question.limit
        for line in islice(_values(found, opts.list), most):
            say(line)
        return
    for line in _lines(source, found, question):
        say(line)


def _question(source: Source, words: str, opts: argparse.Namespace) -> Question:
    given = vars(opts)
    filters = {
        facet_of(source, facet.name).name: tuple(given[facet.name])
        for facet in all_facets()
        if given.get(facet.name) and facet is not REMOVED
    }
    if opts.removed and opts.present:
        raise BadInput("--present and --removed leave nothing; write one of them, or neither.")
    if opts.removed or opts.present:
        filters["removed"] = ("yes" if opts.removed else "no",)
    if opts.list:
        facet_of(source, opts.list)
    return Question(
        words=words,
        filters=filters,
        order=_order(opts.order),
        limit=_number("--limit", opts.limit, 10),
        offset=_number("--offset", opts.offset, 0),
        with_facets=bool(opts.facets or opts.list),
    )


def _order(text: str | None) -> Order:
    if text is None:
        return Order.RELEVANCE
    if text not in tuple(Order):
        raise BadInput(f"--order is {text!r}; write one of {', '.join(Order)}.")
    return Order(text)


def _number(option: str, text: str | None, default: int) -> int:
    if text is None:
        return default
    if not _A_NUMBER.fullmatch(text):
        words = f" up to {MOST_AT_ONCE}" if option == "--limit" else ""
        raise BadInput(f"{option} is {text!r}; write a whole number{words}.")
    return int(text)


def _index_what_is_not(database: Database, source: Source) -> None:
    """Index what an earlier version or a killed crawl has left, where this process may write."""
    missing = database.look(lambda session: number_not_indexed(session, source))
    if missing:
        if not database.may_be_written:
            raise BadInput(
                f"{source.noun.so_many(missing)} of this archive are not indexed, and it may not "
                "be written here: run `scrapy search --rebuild` where it may."
            )
        warn(f"{source.noun.so_many(missing)} are not indexed yet; that is done now, once.")
        catch_up(database, source)


def _rebuild(database: Database, source: Source) -> None:
    began = time.monotonic()
    number = rebuild(database, source)
    say(f"{source.noun.so_many(number)} indexed in {time.monotonic() - began:.1f} s.")


def _unknown(database: Database, source: Source, question: Question) -> Iterator[str]:
    """Name what no item has, and what may have been meant: nothing can be found by it."""
    if not question.filters:
        return
    everything = find(database, source, Question(limit=1, with_facets=True)).facets
    for name, values in question.filters.items():
        facet = facet_of(source, name)
        there = {facet.spelling(value): value for value, _ in everything.get(name, ())}
        for value in values:
            if facet is REMOVED or facet.spelling(value) in there:
                continue
            near = get_close_matches(facet.spelling(value), there, cutoff=0.6)
            meant = f"; is it {' or '.join(printable(there[one]) for one in near)}?" if near else ""
            yield f"--{name} {printable(value)!r}: no {source.noun} has it{meant or '.'}"


def _lines(source: Source, found: Found, question: Question) -> Iterator[str]:
    for typed, meant in found.corrected.items():
        yield f"No {source.noun} has {printable(typed)!r}; looked for {meant!r}."
    if found.missing and found.total:
        yield f"No {source.noun} has all of these words; these lack up to {found.missing} of them."
    shown = f", {question.offset + 1} to {question.offset + len(found.hits)}" if found.hits else ""
    yield f"{source.noun.so_many(found.total)} found{shown}"
    for hit in found.hits:
        yield from _hit_lines(hit)
    for name, values in found.facets.items():
        counted = ", ".join(
            f"{printable(value)} {number}" for value, number in values[:_SHOWN_OF_A_FACET]
        )
        more = len(values) - _SHOWN_OF_A_FACET
        yield f"{name}: {counted}{f' and {more} more' if more > 0 else ''}"


def _hit_lines(hit: Hit) -> Iterator[str]:
    views = "" if hit.popularity is None else f" · {hit.popularity} views"
    created = f" · {hit.created_at[:10]}" if hit.created_at else ""
    gone = " · removed" if hit.removed else ""
    yield f"{hit.item_id:>7}  {printable(without_marks(hit.title))}{created}{views}{gone}"
    if snippet := without_marks(hit.snippet):
        yield f"{_INDENT}{printable(snippet)}"


def _values(found: Found, name: str) -> Iterator[str]:
    for value, number in found.facets.get(name, ()):
        yield f"{number:>7}  {printable(value)}"
