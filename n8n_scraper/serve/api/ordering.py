"""Make an order for a run of what a program has sent: whose domain it is, which items are meant."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.metadata import version

import msgspec

from n8n_scraper import __version__
from n8n_scraper.core.dossier import Planned
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.source import FOREIGN, Source
from n8n_scraper.core.typed_settings import Given, value
from n8n_scraper.core.web_address import host_of
from n8n_scraper.ledger.ledger import NewRun
from n8n_scraper.ledger.orchestrated import Order
from n8n_scraper.policies.run.addressed import address_of, item_at, source_meant
from n8n_scraper.policies.run.command_line import crawl_command
from n8n_scraper.reports.scrape_runs import ScrapeItem
from n8n_scraper.serve.api.models.scrape_runs import NewScrapeRun
from n8n_scraper.sources import all_sources, known


@dataclass(frozen=True, slots=True)
class Sources:
    """All sources, where the settings say that they are."""

    told: Given
    """The project's settings."""
    kept: tuple[str, ...] = ()
    """Which of them a run keeps."""

    def order(self, wanted: NewScrapeRun, key: str | None) -> Order:
        """Make the order for a run."""
        given = wanted.idempotency_key
        if key is not None and given is not None and key != given:
            raise BadInput("the header and the body give different idempotency keys.")
        source = self._source(wanted)
        new = self._crawled(source) if source else _reported(wanted.domain)
        return Order(
            new=new,
            domain=host_of(new.site),
            planned=[self.item(new.source, one.url) for one in wanted.items],
            source=wanted.source,
            metadata=wanted.metadata or {},
            key=given or key,
            fingerprint=_fingerprint(wanted),
        )

    def domain(self, text: str) -> str:
        """Give a domain as it stands with the runs of its source, or of none."""
        try:
            source = source_meant(text, all_sources(), self.told)
        except BadInput:  # several are there: they have it in common
            source = None
        return host_of(source.places(self.told)[0]) if source else host_of(text)

    def item(self, source: str, url: str) -> Planned:
        """Give the item of a source that an address stands for; of no source, itself."""
        here = known(source)
        if here is None:
            return Planned(url, url=url)
        planned = item_at(url, here, self.told)
        if planned is not None:
            return planned
        usual = address_of("…", here, self.told)
        raise BadInput(f"{url} is no {here.noun}: write {usual}.")

    def url_of(self, source: str, item: ScrapeItem) -> str:
        """Give the address of an item: as it was given, else as its source writes it."""
        here = known(source)
        written = address_of(item.item_id, here, self.told) if here else None
        return item.url or written or item.item_id

    def _source(self, wanted: NewScrapeRun) -> Source | None:
        if not host_of(wanted.domain):
            raise BadInput(f"{wanted.domain!r} is no domain: write a host, as in site.example.")
        if wanted.worked_by == "orchestrator":
            return None
        source = source_meant(wanted.domain, all_sources(), self.told, named=wanted.source)
        if source is None:
            raise BadInput(
                f"no source here is at {wanted.domain}: a run that only a program elsewhere works "
                'on says so, with "workedBy": "orchestrator".'
            )
        return source

    def _crawled(self, source: Source) -> NewRun:
        names = (*source.bases, *(name for name in self.kept if name != "JOBDIR"))
        return NewRun(
            spider=source.spider,
            source=source.name,
            site=source.places(self.told)[0],
            arguments={},
            settings={name: value(self.told, name) for name in names},
            versions={"n8n-scraper": __version__, "scrapy": version("scrapy")},
            command=crawl_command(source.spider, {}, {}),
        )


def _reported(domain: str) -> NewRun:
    versions = {"n8n-scraper": __version__}
    return NewRun(FOREIGN, FOREIGN, f"https://{host_of(domain)}", {}, {}, versions, "")


def _fingerprint(wanted: NewScrapeRun) -> str:
    """Tell what was ordered, whatever the key is and wherever it stood."""
    content = msgspec.to_builtins(msgspec.structs.replace(wanted, idempotency_key=None))
    return hashlib.sha256(msgspec.json.encode(content, order="sorted")).hexdigest()
