"""Plays the quotations on a local port: `python -m n8n_scraper.sources.quotes.stand_in`."""

import json
import re
import sys
from dataclasses import dataclass, field

from n8n_scraper.testing.replica import switches
from n8n_scraper.testing.replica.answer import JSON, TEXT, Answer
from n8n_scraper.testing.replica.cli import main
from n8n_scraper.testing.replica.script import Script


@dataclass(frozen=True)
class Changes:
    """What has happened since the stock was first seen."""

    removed: frozenset[str] = frozenset()
    edited: dict[str, int] = field(default_factory=dict)


class Switches(switches.Switches):
    """All that can be changed about it."""

    changes: Changes = Changes()


class Stock:
    """So many quotations; every third has no title."""

    def __init__(self, size, seed, changes):
        ids = [f"q{seed + number}" for number in range(size)]
        self.ids = [one for one in ids if one not in changes.removed]
        self.edited = changes.edited

    def quote(self, quote_id):
        number = int(quote_id[1:])
        edit = self.edited.get(quote_id, 0)
        words = f"So it is said for the {number}th time." + " Indeed." * edit
        title = None if number % 3 == 0 else f"Of {number}"
        return {"title": title, "words": words, "tags": ["odd" if number % 2 else "even"]}


class Site:
    """A list, and an answer for each."""

    def __init__(self, stock, _switches):
        self.stock = stock

    def answer(self, site_url, target):
        name = target.rpartition("/")[2]
        if name == "quotes.json":
            return Answer(json.dumps(self.stock.ids).encode(), JSON)
        if (quote_id := name.removesuffix(".json")) in self.stock.ids:
            return Answer(json.dumps(self.stock.quote(quote_id)).encode(), JSON)
        return Answer(b"", TEXT) if name == "robots.txt" else self.error(404, site_url + target)

    def error(self, status, url, message="Error"):
        return Answer(f'{{"error": "{message}"}}'.encode(), JSON, status)

    def instead(self, kind, answer):
        return None

    def elsewhere(self, target):
        return target

    def headers(self, seq):
        return {}


SCRIPT = Script(
    name="the quotations",
    noun="quotes",
    module="n8n_scraper.sources.quotes.stand_in",
    size=12,
    seed=1,
    switches=Switches,
    stock=lambda size, seed, switches: Stock(size, seed, switches.changes),
    site=Site,
    kinds=(("list", re.compile(r"/quotes\.json")), ("quote", re.compile(r"/quotes/"))),
)

if __name__ == "__main__":
    sys.exit(main(SCRIPT))
