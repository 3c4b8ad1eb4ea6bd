"""Every exception of ours, as a tree.

ScraperError
├── UnreadableAnswer           an answer that cannot be what was asked for
│   ├── BadContent             not the expected format, or cut short
│   ├── WrongItem              it speaks of another item
│   └── NotFoundPage           the site's own "404" page, whatever its status
├── ProxyFailed                no proxy of ours brought an answer of the site
├── ToolFailed                 a browser or a service that fetches pages did not do its work
├── StoreError                 the database
│   ├── StoreLost              away, full or locked for too long: the crawl stops
│   ├── StoreUnfit             the wrong database: unknown, newer or damaged schema
│   ├── TookTooLong            a look that was broken off: nobody writes less for it
│   └── WorkedOn               another process is at work on it already
├── NotHealthy                 a service that is needed does not do its work
├── ScrapyHasChanged           a name that we lean on is not in this version
└── BadInput                   a setting or argument nobody can work with
    ├── NoArchive              there is nothing yet that could be read
    ├── NotThere               what is named is not in the archive
    └── Conflict               it cannot be done as things stand with what is named
"""


class ScraperError(Exception):
    """Base of all; never raised itself."""


class UnreadableAnswer(ScraperError):
    """Raised by the pages when an answer cannot be read; its text is the reason."""


class BadContent(UnreadableAnswer):
    """The answer is not of the expected format, or is cut short."""


class WrongItem(UnreadableAnswer):
    """The answer speaks of another item than the one asked for."""

    def __init__(self, noun: object, asked: str, found: str) -> None:
        super().__init__(f"asked for {noun} {asked}, the answer speaks of {found}")


class NotFoundPage(UnreadableAnswer):
    """The site says by its content that there is no such page."""


class ProxyFailed(ScraperError):
    """A request found no way to its site; its text names proxies without their passwords."""


class ToolFailed(ScraperError):
    """A tool brought no page, and by its own fault: this says nothing of the site."""

    def __init__(
        self,
        words: str,
        *,
        wait_seconds: float = 0.0,
        for_good: bool = False,
        everywhere: bool = False,
    ) -> None:
        super().__init__(words)
        self.wait_seconds = wait_seconds
        """How long it asks to be left alone itself."""
        self.for_good = for_good
        """Whether asking it again changes nothing."""
        self.everywhere = everywhere
        """Whether it would fail for any other site as well."""


class StoreError(ScraperError):
    """Base of what the database can do to us; its text tells a person what to do."""


class StoreLost(StoreError):
    """The database is away, full or locked; the crawl stops, nothing counts as stored."""


class StoreUnfit(StoreError):
    """The database cannot be used as it is; nothing was written to it."""


class TookTooLong(StoreError):
    """A look into the database was broken off, so that it is in nobody's way."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"The database took longer than {seconds:g} seconds to answer this.")


class WorkedOn(StoreError):
    """A process on another machine works on the run, and gives signs of life."""

    def __init__(self, run_id: str, owner: str) -> None:
        process = " ".join(owner.split(":")[:2])
        super().__init__(
            f"Process {process} works on run {run_id}: wait for its end, or give this crawl a "
            "directory of its own. Nothing was asked of the site.",
        )


class ScrapyHasChanged(ScraperError):
    """This Scrapy lacks what only its inside has and a crawl needs."""


class NotHealthy(ScraperError):
    """A service of the stack does not do its work; its text says why and what to do."""


class BadInput(ScraperError):
    """A setting or an argument makes no sense; its text says what to write instead."""


class NoArchive(BadInput):
    """The database that was to be read has no tables yet, or its file is not there."""

    def __init__(self) -> None:
        super().__init__(
            "no run is in this database yet: the first crawl makes the archive. "
            "If there should be one, look at DATABASE_URL."
        )


class NotThere(BadInput):
    """What is named is not in the archive; its text says where to look."""


class Conflict(BadInput):
    """What is named stands so that this cannot be done; its text says why."""
