"""Carry messages about our runs to the server, so that it has everything once.

Where it is in doubt whether the server has taken something, it is asked before that is repeated.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from n8n_scraper.core.errors import BadContent
from n8n_scraper.etl.answers import ForeignRun
from n8n_scraper.etl.client import EtlClient, EtlFailure
from n8n_scraper.etl.items import ItemCarrier
from n8n_scraper.etl.mapping import creation, domain_of
from n8n_scraper.etl.on_its_way import RunOnItsWay, Told, delivered
from n8n_scraper.etl.telling import CHANNEL, Stage
from n8n_scraper.outbox import outbox
from n8n_scraper.outbox.message import Message
from n8n_scraper.policies.outbox.delivery import Came
from n8n_scraper.reports.outgoing import OutgoingRun, outgoing_items, outgoing_run
from n8n_scraper.sources import known

_RUNS_LOOKED_THROUGH = 500
"""How many of a domain's newest runs are looked through for one that may be ours."""
_REQUESTS_EACH = 8


class EtlChannel:
    """The way to the server of the settings."""

    name = CHANNEL

    def __init__(self, client: EtlClient) -> None:
        self.client = client
        self.batch = client.settings.batch
        # Nothing is begun later than one time-out after the first; and each may take several.
        self.lease_seconds = _REQUESTS_EACH * client.settings.timeout_seconds
        self.items = ItemCarrier(client)

    def load(self, session: Any, messages: Sequence[Message]) -> EtlLoad:
        """Read what the messages leave out, because the ledger has it."""
        topics = dict.fromkeys(message.topic for message in messages)
        runs = {topic: self._run(session, topic, messages) for topic in topics}
        return EtlLoad(self, tuple(messages), runs)

    def _run(self, session: Any, run_id: str, messages: Sequence[Message]) -> RunOnItsWay:
        ours = outgoing_run(session, run_id)
        mine = [message for message in messages if message.topic == run_id]
        ids = [message.payload["item_id"] for message in mine if message.stage == Stage.ITEM]
        if any(message.stage == Stage.CREATION for message in mine):
            ids = outgoing_items(session, run_id)
        source = known(ours.source) if ours else None
        urls = {one: source.address_of(ours.site, one) if ours and source else one for one in ids}
        return RunOnItsWay(ours, outbox.theirs(session, CHANNEL, run_id), urls)


@dataclass
class EtlLoad:
    """Messages on their way to the server."""

    channel: EtlChannel
    messages: tuple[Message, ...]
    runs: Mapping[str, RunOnItsWay]
    _created: dict[str, str] = field(default_factory=dict)
    _began: float = field(default_factory=time.monotonic)

    @property
    def client(self) -> EtlClient:
        """What asks the server."""
        return self.channel.client

    def note(self, session: Any) -> None:
        """Note what the server calls the runs that it was told."""
        for run_id, theirs in self._created.items():
            outbox.note_theirs(session, CHANNEL, run_id, theirs)

    def carry(self) -> list[Told]:
        """Send the messages; when the server is away, leave what was not tried."""
        told: list[Told] = []
        for group in self._groups():
            told += group()
            if (told and told[-1][1].came is Came.AWAY) or self._is_late():
                break
        return told

    def _groups(self) -> Iterator[Callable[[], list[Told]]]:
        """Put together what may be sent together."""
        for run_id, run in self.runs.items():
            mine = [message for message in self.messages if message.topic == run_id]
            items = [message for message in mine if message.stage == Stage.ITEM]
            for message in mine:
                if message.stage != Stage.ITEM:
                    yield lambda message=message, run=run: [self._alone(message, run)]  # type: ignore[misc]
            if items:
                yield lambda items=items, run=run: self._items(items, run)  # type: ignore[misc]

    def _alone(self, message: Message, run: RunOnItsWay) -> Told:
        act = self._create if message.stage == Stage.CREATION else self._finalise
        return message, delivered(lambda: act(message, run))

    def _create(self, message: Message, run: RunOnItsWay) -> None:
        if run.name is not None:
            return
        found = self._find(run.ours) if message.in_doubt else None
        self._created[run.ours.run_id] = (found or self._create_once(run.ours, run)).id

    def _create_once(self, ours: OutgoingRun, run: RunOnItsWay) -> ForeignRun:
        try:
            return self.client.create_scrape_run(creation(ours, run.urls.values()), key=ours.run_id)
        except EtlFailure as failure:
            if failure.status in (HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED):
                raise EtlFailure(
                    f"{failure}: look at ETL_API_ENDPOINT", Came.AWAY, status=failure.status
                ) from None
            is_told_apart = failure.came is Came.REFUSED or failure.status == HTTPStatus.CONFLICT
            if is_told_apart and (found := self._created_before(ours)):
                return found
            raise

    def _created_before(self, ours: OutgoingRun) -> ForeignRun | None:
        """Look for the run of a creation that was refused: the server may have it already."""
        try:
            return self._find(ours)
        except (EtlFailure, BadContent):  # then the refusal is what is told
            return None

    def _find(self, ours: OutgoingRun) -> ForeignRun | None:
        runs = self.client.runs_of(domain_of(ours.site), _RUNS_LOOKED_THROUGH)
        return next((run for run in runs if run.is_of(ours.run_id, ours.started_at)), None)

    def _finalise(self, message: Message, run: RunOnItsWay) -> None:
        if message.in_doubt and self._is_over(run):
            return
        try:
            self.client.finalize_scrape_run(run.theirs, message.payload)
        except EtlFailure as failure:
            if failure.status != HTTPStatus.CONFLICT or not self._is_over(run):
                raise

    def _is_over(self, run: RunOnItsWay) -> bool:
        return self.client.fetch_scrape_run(run.theirs).is_over

    def _items(self, messages: Sequence[Message], run: RunOnItsWay) -> list[Told]:
        return self.channel.items.carry(messages, run, self._is_late)

    def _is_late(self) -> bool:
        """Whether what has not begun yet is better left to the next load, within its lease."""
        return time.monotonic() - self._began > self.client.settings.timeout_seconds
