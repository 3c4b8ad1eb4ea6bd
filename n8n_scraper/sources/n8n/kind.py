"""What is done with n8n.io's templates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from n8n_scraper.core.source import ItemKind
from n8n_scraper.records.written import record_of
from n8n_scraper.sources.n8n.item import Template, broken_promises
from n8n_scraper.sources.n8n.pages.layers import settle
from n8n_scraper.sources.n8n.pages.template import assemble
from n8n_scraper.sources.n8n.rules.carry_over import carry_over
from n8n_scraper.sources.n8n.rules.change import AUTHORED
from n8n_scraper.sources.n8n.rules.computed import COMPUTED

if TYPE_CHECKING:
    from sqlalchemy import Table


def _table() -> Table:
    from n8n_scraper.ledger.tables import table_of  # reading an item needs no database
    from n8n_scraper.sources.n8n.tables import WorkflowRow

    return table_of(WorkflowRow)


KIND = ItemKind(
    item=Template,
    read=settle,
    assemble=assemble,
    computed=COMPUTED,
    promises=broken_promises,
    table=_table,
    row=record_of,
    authored=AUTHORED,
    carry_over=carry_over,
)
