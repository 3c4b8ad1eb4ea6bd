"""Decide when a person is told of what is wrong: once, not again too soon, and of its end."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum


class Telling(StrEnum):
    """What a person is told."""

    FIRES = "fires"
    GOES_ON = "goes on"
    RECOVERED = "recovered"


@dataclass(frozen=True, slots=True)
class AlertState:
    """How an alert stands; times are seconds since 1970."""

    firing: bool = False
    since: float = 0.0
    """When it began, or has ended."""
    told_at: float | None = None
    """When it was last told that it fires."""
    is_told: bool = False
    """Whether that was told since it began."""
    times: int = 0
    """How often it has begun."""


@dataclass(frozen=True, slots=True)
class Cadence:
    """How often a person is told of the same."""

    cooldown_seconds: float = 3600.0
    """Not again before, however often it comes and goes."""
    repeat_seconds: float = 21600.0
    """Once more after so long, as long as it goes on; 0: never."""


def follow(
    before: AlertState,
    is_wrong: bool,
    now: float,
    cadence: Cadence,
    *,
    for_seconds: float = 0.0,
    not_before: float = 0.0,
) -> tuple[AlertState, Telling | None]:
    """Say how an alert stands after a look, and what is told.

    What is wrong has to be so `for_seconds` until that is told, and since `not_before` at the
    earliest: between two looks it may have been well.
    """
    if not is_wrong:
        if not before.firing:
            return before, None
        told = Telling.RECOVERED if before.is_told else None
        return replace(before, firing=False, since=now, is_told=False), told
    state = before
    if not state.firing:
        state = replace(state, firing=True, since=now, times=state.times + 1)
    elif not state.is_told and state.since < not_before <= now:
        state = replace(state, since=not_before)
    if state.is_told:
        repeat = cadence.repeat_seconds
        if repeat and state.told_at is not None and now - state.told_at >= repeat:
            return replace(state, told_at=now), Telling.GOES_ON
        return state, None
    is_cool = state.told_at is None or now - state.told_at >= cadence.cooldown_seconds
    if is_cool and now - state.since >= for_seconds:
        return replace(state, told_at=now, is_told=True), Telling.FIRES
    return state, None
