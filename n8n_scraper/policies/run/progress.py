"""Put into words how far a crawl is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from n8n_scraper.core.source import ITEMS, Noun
from n8n_scraper.policies.pace.token_bucket import BucketLimits
from n8n_scraper.policies.run.counts import Counts

_BETWEEN = " · "


@dataclass(frozen=True, slots=True)
class BucketLevel:
    """What is in a domain's bucket; rate 0 is no limit."""

    tokens: float
    burst: int
    rate: float
    learned: bool = False

    @classmethod
    def of(cls, tokens: float, limits: BucketLimits, learned_rate: float | None) -> BucketLevel:
        """Tell how full a bucket is; one whose rate was learned holds a single token."""
        learned = learned_rate is not None
        burst = 1 if learned else limits.burst
        rate = limits.rate if learned_rate is None else learned_rate
        return cls(min(max(0.0, tokens), burst), burst, rate, learned)

    def words(self) -> str:
        """Say it; the rate only where the site taught us another than we were told."""
        if not self.rate:
            return "no limit"
        learned = f" at {self.rate:.2f}/s, learned" if self.learned else ""
        return f"bucket {self.tokens:.1f}/{self.burst}{learned}"


@dataclass(frozen=True, slots=True)
class LeftAlone:
    """A domain whose circuit is not closed, and the seconds until it is tried again."""

    domain: str
    seconds: float

    def words(self) -> str:
        """Say for how long still."""
        if self.seconds <= 0:
            return f"{self.domain} being tried again"
        return f"{self.domain} left alone for {duration(self.seconds)} more"


@dataclass(frozen=True, slots=True)
class CrawlProgress:
    """How far a crawl under way is at one moment, how fast, and how long still."""

    counts: Counts
    elapsed_seconds: float = 0.0
    requests_per_second: float = 0.0
    mean_seconds: float | None = None
    """An item, by the clock on the wall; None while this process has ended none."""
    seconds_left: float | None = None
    still_planning: bool = False
    bucket: BucketLevel | None = None
    left_alone: tuple[LeftAlone, ...] = ()
    noun: Noun = ITEMS

    def line(self) -> str:
        """The whole state in one line of a log."""
        return f"{share(self.counts, self.noun)}: {self.details()}"

    def details(self, width: int | None = None) -> str:
        """Everything but the count; with a width, the most telling of it that fits."""
        parts = self._parts()
        for name in _LESS_TELLING_FIRST:
            if width is None or len(_BETWEEN.join(filter(None, parts.values()))) <= width:
                break
            del parts[name]
        words = _BETWEEN.join(filter(None, parts.values()))
        return words if width is None else words[: max(0, width)]

    def _parts(self) -> dict[str, str]:
        left = self.seconds_left if self.counts.left > 0 else None
        return {
            "outcomes": outcomes(self.counts),
            "rate": f"{self.requests_per_second:.2f} requests/s",
            "bucket": self.bucket.words() if self.bucket else "",
            "breaker": ", ".join(one.words() for one in self.left_alone),
            "elapsed": f"{duration(self.elapsed_seconds)} so far",
            "left": time_left(left),
        }


_LESS_TELLING_FIRST = ("elapsed", "bucket", "rate", "outcomes", "left")


class Every:
    """Tells each time that so many more are done."""

    def __init__(self, step: int) -> None:
        self._step = step
        self._next = step

    def begin(self, done: int) -> None:
        """Start to count from what was done before."""
        self._next = done - done % self._step + self._step

    def is_due(self, done: int) -> bool:
        """Whether the next so many are done; says it once."""
        due = done >= self._next
        if due:
            self.begin(done)
        return due


def summary(counts: Counts, own: int, elapsed_seconds: float, noun: Noun = ITEMS) -> str:
    """The last word of a process: what the run has, and how fast this process went."""
    parts = [f"{share(counts, noun)} ended: {outcomes(counts) or 'none'}"]
    if counts.success_percent is not None:
        parts.append(f"{counts.success_percent:.1f} % successful")
    span = duration(elapsed_seconds)
    parts.append(f"{own} in {span}" if own != counts.done else span)
    if own and elapsed_seconds > 0:
        parts.append(f"{elapsed_seconds / own:.2f} s each")
        parts.append(f"{60 * own / elapsed_seconds:.1f} {noun.many} a minute")
    return _BETWEEN.join(parts)


def pictures(stored: int, failed: int) -> str:
    """Say what came of the pictures that a process asked for; nothing where it asked for none."""
    if not stored + failed:
        return ""
    return f"{so_many(stored, 'picture')} stored, {failed} could not be had"


def share(counts: Counts, noun: Noun = ITEMS) -> str:
    """So many of so many, and what part that is."""
    percent = f" ({100 * counts.done / counts.total:.0f} %)" if counts.total else ""
    return f"{counts.done} of {counts.total} {noun.many}{percent}"


def so_many(number: int, thing: str) -> str:
    """A number of things, of which one has no plural."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def outcomes(counts: Counts) -> str:
    """Say how many ended how, where any did."""
    return ", ".join(f"{number} {name}" for name, number in counts.outcomes.items() if number)


def time_left(seconds: float | None) -> str:
    """Say an estimate; under ten seconds with its tenths, and nothing when there is none."""
    if seconds is None:
        return ""
    return f"{seconds:.1f} s left" if seconds < 9.95 else f"{duration(seconds)} left"


def soonest_first(left_alone: Iterable[LeftAlone]) -> tuple[LeftAlone, ...]:
    """Put the domain first that is tried again first."""
    return tuple(sorted(left_alone, key=lambda one: one.seconds))


def duration(seconds: float | None) -> str:
    """A time span as a person says it."""
    if seconds is None:
        return "?"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"
