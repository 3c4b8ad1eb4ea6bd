"""Says how long until a domain's next request may leave, whatever holds it back."""

from __future__ import annotations

import math
from dataclasses import dataclass

from n8n_scraper.policies.failure.category import Category, answered
from n8n_scraper.policies.pace.circuit import Circuit, CircuitLimits, CircuitState, Mode
from n8n_scraper.policies.pace.learned_rate import LearnedRate
from n8n_scraper.policies.pace.moment import seconds_until
from n8n_scraper.policies.pace.token_bucket import BucketLimits, BucketState, TokenBucket


@dataclass(frozen=True, slots=True)
class PaceState:
    """Remembers a domain's pace over a restart, in wall-clock seconds."""

    bucket: BucketState
    circuit: CircuitState
    learned_rate: float | None = None
    """The rate that the server has taught us, where it is not the one we were told."""


class Pace:
    """Joins a domain's bucket, circuit, robots delay and the server's own word.

    Ask `wait`, sleep, then `take`; when `take` says no, somebody was quicker: ask again. Sleep
    in short steps while the circuit is not closed, because a probe's answer ends the wait early.
    """

    def __init__(
        self,
        domain: str,
        limits: BucketLimits,
        circuit_limits: CircuitLimits | None = None,
        *,
        margin: float | None = None,
        floor: float = 0.0,
        state: PaceState | None = None,
        now: float = 0.0,
        now_wall: float | None = None,
    ) -> None:
        self.domain = domain
        self.bucket = TokenBucket(
            limits.rate,
            limits.burst,
            margin=margin,
            state=state.bucket if state else None,
            now=now,
            now_wall=now_wall,
        )
        self.circuit = Circuit(
            circuit_limits, state.circuit if state else None, now=now, now_wall=now_wall
        )
        self.learned = LearnedRate(
            limits.rate,
            limits.burst,
            floor=floor,
            learned=state.learned_rate if state else None,
        )
        if self.learned.slowed:
            self.bucket.change_rate(self.learned.rate, now)
        self.crawl_delay_seconds = 0.0
        self._last_departure = -math.inf

    def wait(self, now: float, *, ahead: int = 0) -> float:
        """Give the seconds until a request may leave: the longest of all that hold it back.

        `ahead` others may leave already, and have not yet. One of them is the probe of a circuit
        that is not closed, and the next waits for its answer.
        """
        if ahead and self.circuit.mode is not Mode.CLOSED:
            return self.circuit.limits.probe_timeout_seconds
        delay = self._delay(now) + ahead * self.crawl_delay_seconds
        return max(self.bucket.wait(now, ahead=ahead), self.circuit.wait(now), delay)

    def take(self, now: float, *, waited_seconds: float = 0.0, as_probe: bool = False) -> bool:
        """Let one request leave now if all agree; unless CLOSED, it is the circuit's probe.

        Where there is a witness to ask, only who was let out `as_probe` may be that.
        """
        if self.circuit.witness and not as_probe:
            return False
        if self.wait(now) > 0 or not self.circuit.enter(now):
            return False
        self._last_departure = max(self._last_departure, now)
        return self.bucket.take(now, waited_seconds=waited_seconds)

    def heard_retry_after(self, now: float, seconds: float) -> None:
        """Stay away from the whole domain for as long as its server asks."""
        self.bucket.hold(now + seconds)

    def crawl_delay(self, seconds: float) -> None:
        """Obey robots' Crawl-delay: never two requests closer than this; 0 lifts it.

        It only ever slows down; a rate lower than 1 in `seconds` stays as it is.
        """
        self.crawl_delay_seconds = seconds if 0 < seconds < math.inf else 0.0

    def record(
        self,
        now: float,
        category: Category | None,
        evidence: str = "",
        *,
        sent_at: float | None = None,
        failed_at: float | None = None,
        host: str = "",
    ) -> bool:
        """Hear how a request ended (None: well); True when that began a hold of the circuit.

        `sent_at` is the `now` of its `take`, `failed_at` when the same request failed before.
        After a 429, also one without a Retry-After, the bucket is empty, because ours was evidently
        fuller than the server's, and it fills more slowly from then on. But a request that has
        failed before teaches no rate: what it meets again may be its path's own.
        """
        if category is Category.RATE_LIMITED:
            self.bucket.hold(now, tokens_after=0.0)
            if failed_at is None and self.learned.heard_complaint(
                now, self.bucket.held(now), sent_at
            ):
                self.bucket.change_rate(self.learned.rate, now)
        elif answered(category) and self.learned.heard_answer(now):
            self.bucket.change_rate(self.learned.rate, now)
        return self.circuit.record(
            now, category, evidence, sent_at=sent_at, failed_at=failed_at, host=host
        )

    def is_to_blame(self, failed_at: float | None) -> bool:
        """Whether a failure now is the site's, and not that of the request which met it."""
        return self.circuit.mode is not Mode.CLOSED and not self.circuit.alive_since(failed_at)

    def state(self, now: float, now_wall: float) -> PaceState:
        """Give what a restart needs."""
        return PaceState(
            self.bucket.state(now, now_wall),
            self.circuit.state(now, now_wall),
            self.learned.rate if self.learned.slowed else None,
        )

    @property
    def rate(self) -> float:
        """The requests a second that are left when robots' delay is obeyed too."""
        if not self.crawl_delay_seconds:
            return self.bucket.rate
        polite = 1 / self.crawl_delay_seconds
        return min(self.bucket.rate or polite, polite)

    def _delay(self, now: float) -> float:
        if not self.crawl_delay_seconds:
            return 0.0
        return seconds_until(self._last_departure + self.crawl_delay_seconds, now)
