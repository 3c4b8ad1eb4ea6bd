"""Runs, their items and workers, failures and domains, to programs that watch."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta

from n8n_scraper.ledger.ledger import State
from n8n_scraper.serve.api.models.archive import PageQuery
from n8n_scraper.serve.api.models.places import Place
from n8n_scraper.serve.api.models.shared import Answer, Sent, Unset, Word


class RunPath(Sent):
    """Which run."""

    run: Annotated[Word, Meta(description="The run's id.")]


class RunsQuery(PageQuery):
    """Which runs are wanted."""

    source: Word | Unset = UNSET


class RunItemsQuery(PageQuery):
    """Which items of a run are wanted."""

    state: State | Unset = UNSET


class FailuresQuery(PageQuery):
    """Which failures are wanted."""

    run: Word | Unset = UNSET
    source: Word | Unset = UNSET
    category: Word | Unset = UNSET


class WorkersQuery(Sent):
    """How many workers are wanted."""

    limit: Annotated[int, Meta(ge=1, le=200)] = 50


class CountsAnswer(Answer):
    """How many items of a run ended, and how, and how many have not."""

    outcomes: dict[str, int]
    total: int
    done: int
    left: int
    settled: int
    unsettled: int
    success_percent: float | None


class BucketAnswer(Answer):
    """What is in a domain's bucket; rate 0 is no limit."""

    tokens: float
    burst: int
    rate: float
    learned: bool


class LeftAloneAnswer(Answer):
    """A domain whose circuit is not closed, and the seconds until it is tried again."""

    domain: str
    seconds: float


class WorkerAnswer(Answer):
    """A process that works, or has worked, on a run."""

    worker: str
    host: str
    pid: int | None
    presence: str
    since: str
    ended_at: str | None
    end_reason: str | None
    jobdir: str | None
    held: int
    outcomes: dict[str, int]
    items_lost: int


class RunAnswer(Answer):
    """A run as it stands at this moment."""

    run_id: str
    spider: str
    source: str
    site: str
    arguments: dict[str, Any]
    status: str
    standing: str
    started_at: str
    ended_at: str | None
    end_reason: str | None
    exit_status: int | None
    command: str
    can_go_on: bool
    still_planning: bool
    is_planned: bool
    counts: CountsAnswer
    elapsed_seconds: float
    templates_per_second: Annotated[
        float | None, Meta(description="Items of whatever source, in the last while.")
    ]
    seconds_left: float | None
    bucket: BucketAnswer | None
    left_alone: list[LeftAloneAnswer]
    workers: list[WorkerAnswer]


class RunsAnswer(Answer):
    """A page of runs, the newest first."""

    data: list[RunAnswer]
    next: Place | None


class RunItemAnswer(Answer):
    """An item of a run: how it stands, and why."""

    item_id: str
    state: str
    outcome: str | None
    category: str | None
    reason: str | None
    http_status: int | None
    requests: int | None
    attempts: int
    in_inventory: bool
    position: int
    listing: dict[str, Any] | None
    claimed_at: str | None
    closed_at: str | None
    duration: float | None
    worker: str | None


class RunItemsAnswer(Answer):
    """A page of a run's items."""

    data: list[RunItemAnswer]
    next: Place | None


class WorkersAnswer(Answer):
    """The workers of a run, in the order in which they came."""

    data: list[WorkerAnswer]


class WorkerOfRunAnswer(Answer):
    """A worker, and the run that it works or has worked on."""

    run_id: str
    worker: WorkerAnswer


class NewestWorkersAnswer(Answer):
    """The workers that came last."""

    data: list[WorkerOfRunAnswer]


class FailureAnswer(Answer):
    """An item that was not had in full in a run."""

    run_id: str
    source: str
    item_id: str
    state: str
    outcome: str | None
    category: str | None
    reason: str | None
    http_status: int | None
    closed_at: str


class FailuresAnswer(Answer):
    """A page of failures, the latest first."""

    data: list[FailureAnswer]
    next: Place | None


class DomainAnswer(Answer):
    """A domain as the crawls that share its pace see it at this moment."""

    domain: str
    circuit: str
    failures: int
    opened_at: str | None
    open_for_seconds: float
    reason: str
    tripped_by: str
    held_for_seconds: float
    learned_rate: float | None
    next_token_at: str
    reset_at: str | None
    noted_at: str


class DomainsAnswer(Answer):
    """The domains that a crawl has met, by name."""

    data: list[DomainAnswer]
