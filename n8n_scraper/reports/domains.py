"""Domains for people and machines to look at: what is in the bucket, how the circuit stands."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from n8n_scraper.core.errors import BadInput
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.domains import load
from n8n_scraper.policies.pace.circuit import CircuitState
from n8n_scraper.policies.pace.domain_state import DomainState
from n8n_scraper.policies.pace.pace_settings import PaceSettings
from n8n_scraper.policies.pace.token_bucket import BucketLimits, Tempo
from n8n_scraper.policies.run.progress import BucketLevel, LeftAlone, soonest_first


class Circuit(StrEnum):
    """How a domain's circuit stands."""

    CLOSED = "closed"
    OPEN = "open"
    PROBE_DUE = "probe_due"


@dataclass(frozen=True, slots=True)
class DomainReport:
    """A domain as the crawls that share its pace see it at one moment."""

    domain: str
    circuit: Circuit
    failures: int
    """How many came in a row."""
    opened_at: str | None
    open_for_seconds: float
    """How long it is left alone still."""
    reason: str
    """What the last failure was."""
    tripped_by: str
    held_for_seconds: float
    """How long the server asked to be left alone still."""
    learned_rate: float | None
    """Requests a second that its complaints have taught; None where it had none."""
    next_token_at: str
    """When its next token is due; in the past by as much as was saved up."""
    reset_at: str | None
    noted_at: str


Domains = Mapping[str, DomainState]
"""How domains stand elsewhere than in the database, which is newer."""

NONE_ELSEWHERE: Domains = MappingProxyType({})


def domain_reports(
    database: Database, now: float | None = None, elsewhere: Domains = NONE_ELSEWHERE
) -> list[DomainReport]:
    """Say how each domain stands that a crawl has met, by name."""
    at = time.time() if now is None else now
    states = database.look(lambda session: load(session) | dict(elsewhere))
    return [_report(domain, state, at) for domain, state in sorted(states.items())]


def bucket_level(
    state: DomainState | None, domain: str, settings: Mapping[str, Any], now: float
) -> BucketLevel | None:
    """Say what is in a domain's bucket for a crawl with these settings."""
    limits = _limits(settings, domain)
    if state is None or limits is None:
        return None
    tempo = Tempo.of(limits, rate=state.learned.rate)
    saved = 0.0 if state.held_until > now else tempo.saved(state.next_at, now)
    return BucketLevel.of(saved, limits, state.learned.rate)


@dataclass(frozen=True, slots=True)
class Allowed:
    """When the next request of a domain may leave, and what it waits for."""

    domain: str
    rate: float
    """Requests a second, the slower of what we were told and what was learned; 0 is no limit."""
    learned: bool
    tokens: float
    circuit: Circuit
    wait_seconds: float
    waits_for: str
    """circuit, server or token; empty where it may leave now."""


def allowed(
    state: DomainState | None, domain: str, settings: Mapping[str, Any], now: float
) -> Allowed:
    """Say it for a crawl that began now with these settings."""
    pace = PaceSettings.from_settings(settings)
    limits, known = pace.limits_of(domain), state or DomainState(next_at=now)
    learned = known.learned.within(limits, pace.floor)
    saved = Tempo.of(limits, rate=learned).saved(known.next_at, now)
    level = BucketLevel.of(saved, limits, learned)
    waits = {
        "circuit": _open_for(known.circuit, now) if known.circuit.leaves_alone else 0.0,
        "server": max(0.0, known.held_until - now),
        "token": max(0.0, known.next_at - now) if level.rate else 0.0,
    }
    longest = max(waits, key=lambda name: waits[name])
    return Allowed(
        domain=domain,
        rate=level.rate,
        learned=level.learned,
        tokens=0.0 if waits["server"] else level.tokens,
        circuit=_circuit(known.circuit, now),
        wait_seconds=waits[longest],
        waits_for=longest if waits[longest] else "",
    )


def left_alone(states: Domains, now: float) -> tuple[LeftAlone, ...]:
    """Name the domains that are left alone, first the one that is tried first."""
    return soonest_first(
        LeftAlone(domain, _open_for(state.circuit, now))
        for domain, state in states.items()
        if state.circuit.leaves_alone
    )


def _report(domain: str, state: DomainState, now: float) -> DomainReport:
    circuit = state.circuit
    return DomainReport(
        domain=domain,
        circuit=_circuit(circuit, now),
        failures=circuit.failures,
        opened_at=None if circuit.opened_at is None else _moment(circuit.opened_at),
        open_for_seconds=_open_for(circuit, now),
        reason=circuit.reason,
        tripped_by=circuit.tripped_by,
        held_for_seconds=max(0.0, state.held_until - now),
        learned_rate=state.learned.rate,
        next_token_at=_moment(state.next_at),
        reset_at=state.reset_at,
        noted_at=_moment(state.noted_at),
    )


def _circuit(circuit: CircuitState, now: float) -> Circuit:
    if not circuit.leaves_alone:  # a doubt is no hold
        return Circuit.CLOSED
    return Circuit.OPEN if _open_for(circuit, now) else Circuit.PROBE_DUE


def _open_for(circuit: CircuitState, now: float) -> float:
    opened = circuit.opened_at
    return 0.0 if opened is None else max(0.0, opened + circuit.hold_seconds - now)


def _limits(settings: Mapping[str, Any], domain: str) -> BucketLimits | None:
    """What a run was told about its site's limit; None where its row does not say it."""
    if settings.keys().isdisjoint(PaceSettings.KEPT):
        return None
    try:
        return PaceSettings.from_settings(settings).limits_of(domain)
    except BadInput:
        return None


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
