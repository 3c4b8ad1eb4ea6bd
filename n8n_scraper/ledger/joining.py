"""Find the run that a process wants to work on beside others, and refuse what does not fit it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.source import FOREIGN
from n8n_scraper.ledger.admission import places_of
from n8n_scraper.ledger.finding import find
from n8n_scraper.ledger.ledger import NewRun, RunStatus
from n8n_scraper.ledger.tables import RunRow


@dataclass(frozen=True, slots=True)
class ToJoin:
    """A run that can be joined, and what it was asked for."""

    run_id: str
    arguments: Mapping[str, Any]


def run_to_join(session: Session, name: str, asked: NewRun) -> ToJoin:
    """Give the run that is named in full, by its beginning, or as `last` of this spider's source.

    Raise BadInput when this process would do something else than the run is for.
    """
    run = find(session, name, asked.source)
    _check(run, asked)
    return ToJoin(run.run_id, run.arguments)


def is_over(run_id: str) -> str:
    """Say that a run is not to be worked on any more."""
    return (
        f"run {run_id} is finished, and nothing is left to do in it; "
        f"`scrapy runs show {run_id}` tells how it ended."
    )


def _check(run: RunRow, asked: NewRun) -> None:
    if run.source == FOREIGN:
        raise BadInput(
            f"run {run.run_id} is of {run.domain}, which no source here knows how to ask."
        )
    if run.spider != asked.spider:
        raise BadInput(
            f"run {run.run_id} is one of the spider {run.spider}: "
            f"scrapy crawl {run.spider} -a run={run.run_id}"
        )
    if run.status == RunStatus.FINISHED:
        raise BadInput(is_over(run.run_id))
    if asked.site and (its := places_of(run)) != (here := places_of(asked)):
        raise BadInput(f"run {run.run_id} is of {its}, and this crawl is of {here}.")
    for name, value in asked.arguments.items():
        if run.arguments.get(name) != value:
            was = f"{name}={run.arguments[name]}" if name in run.arguments else f"no {name}"
            raise BadInput(
                f"-a {name}={value}: run {run.run_id} was asked for {was}, and a process that "
                "joins it takes its arguments from there: leave it out."
            )
