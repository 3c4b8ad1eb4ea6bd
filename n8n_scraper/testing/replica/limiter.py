"""Enforces a pace with a token bucket, and remembers who is being punished."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

_PENALTY_IF_UNREADABLE_S = 1.0


@dataclass(slots=True)
class TokenBucket:
    """Lets a burst of requests through, then one for each new token."""

    rate_per_s: float
    burst: int
    clock: Callable[[], float] = time.monotonic
    tokens: float = math.nan
    filled_at: float = 0.0
    closed_until: float = -math.inf

    def allows(self) -> bool:
        """Take a token, or tell that there is none."""
        now = self.clock()
        if now < self.closed_until:
            return False
        if math.isnan(self.tokens):
            self.tokens, self.filled_at = float(self.burst), now
        self.tokens = min(self.burst, self.tokens + (now - self.filled_at) * self.rate_per_s)
        self.filled_at = now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True

    def close_for(self, seconds: float) -> None:
        """Refuse everything for a while; a refusal inside that while does not prolong it."""
        now = self.clock()
        if now >= self.closed_until:
            self.closed_until = now + seconds


def penalty_seconds(retry_after: str | None) -> float:
    """Read a Retry-After: seconds, an HTTP date, or one second for anything else."""
    text = retry_after or ""
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except ValueError:
        return _PENALTY_IF_UNREADABLE_S
