"""Decides whether a failed request is asked again, and when."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any

from n8n_scraper.policies.failure.category import Category

PARKS = 20
"""How often one request may wait at the server's word before that costs attempts."""


def _demand(holds: bool, name: str, wanted: str) -> None:
    if not holds:
        raise ValueError(f"{name} must be {wanted}.")


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_seconds(value: object) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and 0 <= float(value) < math.inf  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class RetryRule:
    """Holds how often one kind of failure is asked in all, and the waits in between.

    The waits are base, base x factor, base x factor² … up to the cap. `jitter` is the share
    by which each is made longer or shorter at random, so that requests which failed together
    do not come back together; the cap holds with the jitter included.
    """

    attempts: int
    base_seconds: float = 1.0
    factor: float = 2.0
    cap_seconds: float = 60.0
    jitter: float = 0.1

    def __post_init__(self) -> None:
        _demand(
            _is_whole(self.attempts) and self.attempts >= 1, "attempts", "a whole number from 1"
        )
        _demand(_is_seconds(self.base_seconds), "base_seconds", "a number of seconds from 0")
        _demand(_is_seconds(self.factor) and self.factor >= 1, "factor", "a number from 1")
        _demand(_is_seconds(self.cap_seconds), "cap_seconds", "a number of seconds from 0")
        _demand(_is_seconds(self.jitter) and self.jitter < 1, "jitter", "a share from 0 to below 1")

    def wait_seconds(self, attempt: int, draw: float = 0.5) -> float:
        """Give the wait after this attempt; `draw` from 0 to 1 moves it within the jitter."""
        return min(self.cap_seconds, self._steady(attempt) * (1 + self.jitter * (2 * draw - 1)))

    def _steady(self, attempt: int) -> float:
        try:
            return min(self.cap_seconds, self.base_seconds * self.factor ** (attempt - 1))
        except OverflowError:
            return self.cap_seconds if self.base_seconds else 0.0


@dataclass(frozen=True, slots=True)
class RetryDecision:
    """Says when to ask again (`again_after` seconds; None: give up) and what that costs."""

    again_after: float | None
    burns_attempt: bool = True


DEFAULT: Mapping[Category, RetryRule] = MappingProxyType(
    {
        one: RetryRule(one.traits.attempts, base_seconds=1.0 if one.traits.waits else 0.0)
        for one in Category
    }
)

FINAL = frozenset(category for category in Category if category.traits.attempts == 1)
"""What asking again does not change; no setting makes us insist."""


@dataclass(frozen=True, slots=True)
class RetryTable:
    """Knows the rule of every category."""

    rules: Mapping[Category, RetryRule] = field(default_factory=lambda: DEFAULT)
    parks: int = PARKS

    @classmethod
    def from_mapping(
        cls, setting: Mapping[str, Mapping[str, Any]] | None = None, *, parks: int = PARKS
    ) -> RetryTable:
        """Read `RETRY_RULES`: a category's name and the parts of its rule that differ."""
        if not isinstance(setting or {}, Mapping):
            raise ValueError(f"RETRY_RULES must map categories to rules, but is {setting!r}.")
        changed = {_category(name): entry for name, entry in (setting or {}).items()}
        return cls({**DEFAULT, **{c: _changed(c, entry) for c, entry in changed.items()}}, parks)

    def decide(
        self,
        category: Category,
        attempt: int,
        *,
        random: Callable[[], float],
        server_wait: float | None = None,
        parked: int = 0,
        may_park: bool = True,
    ) -> RetryDecision:
        """Decide after the `attempt`-th failure (from 1) of a request.

        `server_wait` is the server's Retry-After in seconds; our own back-off comes after it, so
        that whoever was refused comes behind those that were not. With a 429 it makes the wait the
        server's affair and burns no attempt, until the request has been `parked` as often as
        `parks` allows, or if it `may_park` no longer, because the site answers others meanwhile.
        `random` gives a number from 0 to 1.
        """
        rule = self.rules[category]
        told = category is Category.RATE_LIMITED and server_wait is not None
        parks = told and may_park and parked < self.parks
        if attempt >= rule.attempts and not parks:
            return RetryDecision(None)
        wait = (server_wait or 0.0) + rule.wait_seconds(attempt, random())
        return RetryDecision(wait, burns_attempt=not parks)


def _category(name: str) -> Category:
    for category in Category:
        if category == name:
            return category
    raise ValueError(f"RETRY_RULES knows no category {name!r}; there are {', '.join(Category)}.")


def _changed(category: Category, entry: Mapping[str, Any]) -> RetryRule:
    known = [part.name for part in fields(RetryRule)]
    if not isinstance(entry, Mapping) or not set(entry) <= set(known):
        raise ValueError(
            f'RETRY_RULES["{category}"] must be a mapping of {", ".join(known)}, but is {entry!r}.'
        )
    try:
        rule = replace(DEFAULT[category], **entry)
    except ValueError as error:
        raise ValueError(f'RETRY_RULES["{category}"]: {error}') from None
    if category in FINAL and rule.attempts > 1:
        raise ValueError(f'RETRY_RULES["{category}"] must keep 1 attempt: asking again is vain.')
    return rule
