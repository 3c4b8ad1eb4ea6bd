"""A source as small as can be: its fungi have two parts, and a list of them stands in one file."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from scrapy import Request
from scrapy.http import Response
from sqlalchemy import Boolean, Column, MetaData, Table, Text

from n8n_scraper.core.dossier import Answer, Dossier, Planned
from n8n_scraper.core.item import Item, Outcome
from n8n_scraper.core.outcomes import PartStatus
from n8n_scraper.core.source import (
    Authored,
    Ids,
    ItemKind,
    Noun,
    Provenance,
    Record,
    Rereading,
    Source,
)
from n8n_scraper.policies.run.outcome import outcome_of
from n8n_scraper.spiders.planned import PlannedSpider

REAL = "https://fungi.example.org"
PARTS = ("cap", "stem")
SOURCE = Source(
    name="fungi",
    spider="fungi",
    noun=Noun("fungus", "fungi"),
    key="name",
    ids=Ids(r"[a-z]+", "names", "agaric,morel"),
    parts=PARTS,
    bases=("FUNGI_URL", "SPORES_URL"),
    inventory_requests=1,
    settings={"FUNGI_URL": REAL, "SPORES_URL": REAL},
    home=__name__,
    stand_in=__name__,
)
TABLE = Table(
    "fungi",
    MetaData(),
    Column("name", Text, primary_key=True),
    Column("scraped_at", Text),
    Column("removed_at", Text),
    Column("in_inventory", Boolean),
)


class Fungus(Item):
    """What is known of one."""

    name: str
    said: dict[str, str]
    outcome: Outcome
    in_inventory: bool
    removed_at: str | None = None
    unobserved: dict[str, str]
    sources: dict[str, str]
    content_hash: str | None = None
    run_id: str
    scraped_at: str
    processing_time: float


def _read(dossier: Dossier, answer: Answer) -> None:
    """Take down what the answer says; one that says `poison` breaks whoever reads it."""
    if answer.body == b"poison":
        raise RuntimeError("it was eaten")
    dossier.read[answer.part] = answer.body.decode()
    dossier.settle(answer.part, PartStatus.OK, http_status=answer.http_status)


def _assemble(dossier: Dossier, provenance: Provenance) -> Fungus:
    return Fungus(
        name=dossier.item_id,
        said={part: str(said) for part, said in dossier.read.items()},
        outcome=outcome_of(dossier.parts),
        in_inventory=dossier.planned.listed,
        unobserved={},
        sources={},
        run_id=provenance.run_id,
        scraped_at=provenance.scraped_at,
        processing_time=provenance.processing_time,
    )


def _row(fungus: Fungus) -> dict[str, Any]:
    names = ("name", "scraped_at", "removed_at", "in_inventory")
    return {name: getattr(fungus, name) for name in names}


def _reopen(record: Record) -> tuple[Dossier, Provenance]:
    raise NotImplementedError


KIND = ItemKind(
    item=Fungus,
    read=_read,
    assemble=_assemble,
    computed=(),
    promises=lambda _fungus: [],
    table=lambda: TABLE,
    row=_row,
    authored=Authored(
        ("name",), dict, dict, lambda _old, _new, _elsewhere: {}, lambda _old, _new: {}
    ),
    carry_over=lambda _before, fungus: fungus,
    rereading=Rereading(_reopen),
)


class FungiSpider(PlannedSpider):
    """Asks for the list, then for cap and stem of each."""

    name = SOURCE.spider
    source = SOURCE

    def discover(self) -> Request:
        """Ask for the list."""
        return self.inventory_request(f"{self.site}/all", self.parse_list, expects="any")

    async def parse_list(self, response: Response) -> None:
        """Plan each line."""
        await self.plan(Planned(name) for name in response.body.decode().split())
        await self.inventory_is_whole()

    async def next_request(self, dossier: Dossier) -> Request | None:
        """Ask for the first part that is not settled."""
        for part in PARTS:
            if part not in dossier.parts:
                url = f"{self.site}/{dossier.item_id}/{part}"
                return self.part_request(part, dossier, url, self.parse_part, expects="any")
        return None

    async def parse_part(self, response: Response, dossier: Dossier) -> AsyncIterator[Any]:
        """Keep it, and go on."""
        assert response.request is not None
        self.take(response.request.meta["part"], response, dossier)
        yield await self.advance(dossier)
