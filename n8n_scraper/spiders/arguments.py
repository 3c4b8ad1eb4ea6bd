"""What a person may ask of a spider on the command line, checked before anything starts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Self

from n8n_scraper.core.errors import BadInput

if TYPE_CHECKING:
    from n8n_scraper.core.source import Source


JOINING = "run"
"""The argument that names a run to work on beside others; the rest is that run's own."""


class CrawlMode(StrEnum):
    """What a crawl is for."""

    FULL = "full"  # everything that the inventory lists
    UPDATE = "update"  # what is new, then what was seen longest ago


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlArguments:
    """The arguments that every source takes, as values; one that takes more extends this."""

    NARROWING: ClassVar[tuple[str, ...]] = ("ids",)
    """Those that choose items, of which an update chooses by itself; one of them at a time."""

    ids: tuple[str, ...] = ()
    limit: int | None = None
    mode: CrawlMode = CrawlMode.FULL
    budget: int | None = None

    @property
    def wants_everything(self) -> bool:
        """Whether the crawl reads the whole inventory, so that what is missing in it is gone."""
        return self.limit is None and not any(getattr(self, name) for name in self.NARROWING)

    @classmethod
    def parse(cls, source: Source, given: Mapping[str, str]) -> Self:
        """Read the arguments as they are typed; whatever makes no sense is named in one line."""
        cls._are_known(given)
        mode = _mode(given.get("mode"))
        cls._fit_together(given, mode)
        return cls(
            ids=source.ids_in(given.get("ids")),
            limit=_limit(given.get("limit"), source),
            mode=mode,
            budget=_budget(given.get("budget"), least=source.least_budget),
            **cls.further(given, mode),
        )

    @classmethod
    def further(cls, given: Mapping[str, str], mode: CrawlMode) -> dict[str, Any]:
        """Read the arguments that only a subclass has."""
        return {}

    @classmethod
    def _are_known(cls, given: Mapping[str, str]) -> None:
        *names, last = (*(field.name for field in fields(cls)), JOINING)
        for name in given:
            if name not in (*names, last):
                raise BadInput(
                    f"-a {name}=… is no argument of this spider; "
                    f"it takes {', '.join(names)} and {last}."
                )

    @classmethod
    def _fit_together(cls, given: Mapping[str, str], mode: CrawlMode) -> None:
        """Only an update has a budget, and nobody tells it what to choose."""
        chosen = [name for name in cls.NARROWING if given.get(name)]
        if len(chosen) > 1:
            raise BadInput(f"-a {' and -a '.join(chosen)} exclude each other; give one of them.")
        needless = cls.NARROWING if mode is CrawlMode.UPDATE else ("budget",)
        for name in needless:
            if given.get(name) is not None:
                goes = "goes only with" if name == "budget" else "does not go with"
                raise BadInput(f"-a {name} {goes} -a mode=update.")


def _limit(text: str | None, source: Source) -> int | None:
    if text is None:
        return None
    if not re.fullmatch(r"[1-9][0-9]{0,9}", str(text).strip()):
        raise BadInput(
            f"-a limit={text}: write how many {source.noun.many} at most, as in -a limit=500."
        )
    return int(text)


def _mode(text: str | None) -> CrawlMode:
    if text is None:
        return CrawlMode.FULL
    try:
        return CrawlMode(text)
    except ValueError:
        raise BadInput(f"-a mode={text}: write mode=full or mode=update.") from None


def _budget(text: str | None, *, least: int) -> int | None:
    if text is None:
        return None
    digits = str(text).strip()
    if not re.fullmatch(r"[1-9][0-9]{0,9}", digits) or int(digits) < least:
        raise BadInput(
            f"-a budget={text}: write how many requests at most, "
            f"{least} or more, as in -a budget=500."
        )
    return int(digits)
