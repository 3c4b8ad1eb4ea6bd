"""Holds the switches that every stand-in has, checked before they are believed."""

import re
from typing import Annotated, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

FaultKind = Literal[
    "401",
    "403",
    "404",
    "410",
    "429",
    "500",
    "502",
    "503",
    "504",
    "reset",
    "timeout",
    "truncated",
    "empty",
    "garbage",
    "bad_gzip",
    "drip",
    "captcha",
    "captcha_word",
    "wrong_id",
    "soft_404",
]
FAULT_KINDS: tuple[str, ...] = get_args(FaultKind)

Milliseconds = Annotated[float, Field(ge=0)]
Seconds = Annotated[float, Field(gt=0)]

STRICT = ConfigDict(frozen=True, extra="forbid")


class FaultRule(BaseModel):
    """One way to fail, and the share of paths that fail so.

    Which paths fail, and with which of several kinds, follows from the path alone, so that a run
    can be repeated. After ``times`` failures a path heals; null means never. An outage is a rule
    that begins ``after`` so many requests and is over when it has failed so many ``in_all``.
    """

    model_config = STRICT

    kinds: tuple[FaultKind, ...] = Field(min_length=1)
    share: float = Field(default=1.0, ge=0, le=1)
    times: int | None = Field(default=None, ge=1)
    after: int = Field(default=0, ge=0)
    in_all: int | None = Field(default=None, ge=1)
    path: str = ""

    @model_validator(mode="before")
    @classmethod
    def _accept_one_kind(cls, value: object) -> object:
        if isinstance(value, dict) and "kind" in value:
            value = dict(value)
            value["kinds"] = (value.pop("kind"),)
        return value

    @field_validator("path")
    @classmethod
    def _check_path(cls, value: str) -> str:
        try:
            re.compile(value)
        except re.error as error:
            raise ValueError(f"is not a regular expression: {error}") from None
        return value


class Switches(BaseModel):
    """What can be changed about any stand-in, before and during a run.

    That of a source has more: `changes` above all, by which its stock differs from its first state.
    """

    model_config = STRICT

    latency_ms: Milliseconds = 0
    latency_jitter_ms: Milliseconds = 0
    enforce_rate: float | None = Field(default=None, gt=0)
    enforce_burst: int = Field(default=5, ge=1)
    retry_after: str | None = "1"
    retry_after_status: Literal[429, 503] = 429
    penalise: bool = False
    faults: tuple[FaultRule, ...] = ()
    hang_s: Seconds = 300
    drip_s: Seconds = 1
    outage: Literal["reset", "503", "refuse"] | None = None
    robots_crawl_delay: float | None = Field(default=None, ge=0)
    robots_disallow: tuple[str, ...] = ()

    def merged(self, changes: dict[str, object]) -> Self:
        """Return these switches with some of them set anew, checked."""
        return self.model_validate({**self.model_dump(), **changes})
