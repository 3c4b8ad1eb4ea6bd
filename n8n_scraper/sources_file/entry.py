"""One entry of the sources file: a site, and all that a crawl of it is told.

What a key means and what may be written stands with it: the errors and the reference are made of
the same words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.fields import FieldInfo

from n8n_scraper.core.web_address import is_web_address
from n8n_scraper.policies.tools.ladder import Tool
from n8n_scraper.policies.tools.steps import MOST_SCROLLS
from n8n_scraper.sources_file.durations import seconds_of

NAME = re.compile(r"[a-z][a-z0-9_-]*")
"""What a site may be called."""

SELECTED = (
    *("item", "id", "title", "link", "start", "end", "date", "time", "venue", "location", "price"),
    *("image", "description", "status"),
)
"""What selectors find: the block of an item, and in it what it says."""

BY_RESULTS: Literal["auto"] = "auto"
"""In the place of tools: whichever of all that there are brings what is required."""


def _address(text: str) -> str:
    if not is_web_address(text) or urlsplit(text).port == 0:
        raise ValueError(text)
    return text


def _timezone(text: str) -> str:
    try:
        ZoneInfo(text)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(text) from None
    return text


def _times(given: Any) -> Any:
    """Take a time in words; a number has no unit, and is refused."""
    if not isinstance(given, str):
        raise ValueError(given)
    return seconds_of(given)


def _tuple(given: Any) -> Any:
    """Take TOML's arrays."""
    return tuple(given) if isinstance(given, list) else given


def _each_once(given: tuple[Any, ...]) -> tuple[Any, ...]:
    if len(set(given)) != len(given):
        raise ValueError(given)
    return given


Words = Annotated[str, Field(min_length=1, pattern=r"\S")]
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
AToolByName = Annotated[Tool, Field(strict=False)]
Tools: TypeAlias = (
    Literal["auto"]
    | Annotated[
        tuple[AToolByName, ...],
        BeforeValidator(_tuple),
        Field(min_length=1),
        AfterValidator(_each_once),
    ]
)


def _key(what: str, write: str, *, default: Any = ..., unit: str = "", page: bool = False) -> Any:
    """Describe a key: what it is about, what to write, and whether only read pages have it."""
    return Field(
        default, description=what, json_schema_extra={"write": write, "unit": unit, "page": page}
    )


class Entry(BaseModel):
    """A site: what is crawled at one address, as one table of the sources file says it."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    name: str = _key(
        "What it is called, in commands and in the archive; the name of its table.",
        "small letters, digits, - and _, beginning with a letter, as in [sources.city_hall]",
    )
    title: Words = _key("What people call it.", 'its name, as in "City Hall"')
    address: Annotated[str, AfterValidator(_address)] = _key(
        "Where it begins: of a source with a spider of its own the base of the site, of all others "
        "the first page.",
        'an address such as "https://site.example/events"',
    )
    kind: Words = _key("The source that reads it.", 'the name of a source, as in "events"')
    priority: Annotated[int, Field(ge=1, le=3)] = _key(
        "What goes first where not all can go at once: 1 before 2 before 3.",
        "1, 2 or 3",
        default=2,
    )
    schedule: Annotated[float, BeforeValidator(_times)] | None = _key(
        "How often it is crawled; a site without one is crawled when somebody asks for it.",
        'a time such as "30m", "2h" or "1d"',
        default=None,
        unit="a time",
    )
    tools: Tools = _key(
        'What fetches its pages: "auto" lets the results decide among all tools that there are, a '
        "list among those named, and a list of one leaves no choice.",
        f'"auto", or a list of {", ".join(Tool)}, each once',
        default=(Tool.HTTP,),
        page=True,
    )
    timeouts: Mapping[AToolByName, Seconds] = _key(
        "How long each tool may take for a page, where it is not what the settings say "
        "(`DOWNLOAD_TIMEOUT`, `FIRECRAWL_TIMEOUT`, `DEVTOOLS_TIMEOUT`, `PLAYWRIGHT_TIMEOUT`).",
        "seconds by tool, as in {http = 30, playwright = 180}",
        default={},
        unit="seconds",
    )
    rate: Annotated[float, Field(gt=0, allow_inf_nan=False)] = _key(
        "How fast it is asked at the most.",
        "a number of requests a second, more than 0, as in 0.5",
        default=0.5,
        unit="requests a second",
    )
    required: Mapping[str, Share] = _key(
        "The fields that its items must have, and in which share of them. Below 70 % of all of "
        "them the next tool is asked; a crawl that does not reach its shares has failed.",
        "shares from 0 to 1 by field, as in {title = 1.0, start = 0.9}",
        default={},
        unit="share, 0 to 1",
    )
    at_least: Annotated[int, Field(ge=0)] = _key(
        "How many items it always has: a crawl that finds fewer has failed. A site that may be "
        "empty says 0.",
        "a whole number, 0 or more",
        default=1,
        unit="items",
    )
    timezone: Annotated[str, AfterValidator(_timezone)] | None = _key(
        "In which its times are meant, where a page does not say it; a site of pages must have it.",
        'the name of a timezone, as in "Asia/Macau"',
        default=None,
        page=True,
    )
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] | None = _key(
        "In which its prices are meant, where a page does not say it.",
        'three capital letters, as in "MOP"',
        default=None,
        page=True,
    )
    selectors: Mapping[str, Words] = _key(
        "Where a page without structured data has each field, as CSS selectors: `item` finds the "
        "block of each item, and the others look inside it: " + ", ".join(SELECTED[1:]) + ". "
        "`selector@attribute` takes an attribute.",
        'CSS selectors by field, as in {item = ".event", title = "h3"}',
        default={},
        page=True,
    )
    follow: Words | None = _key(
        "The links to the pages of single items, as a CSS selector.",
        'a CSS selector, as in "a.event"',
        default=None,
        page=True,
    )
    next: Words | None = _key(
        "The link to the next page of the list, as a CSS selector.",
        'a CSS selector, as in "a.next"',
        default=None,
        page=True,
    )
    most_pages: Annotated[int, Field(ge=1)] = _key(
        "How many pages of the list are read at the most.",
        "a whole number from 1 on",
        default=1,
        unit="pages",
        page=True,
    )
    consent: bool = _key(
        "Whether a dialog is in the way that asks for consent; a browser declines it, or agrees.",
        "true or false",
        default=False,
        page=True,
    )
    wait_for: Words | Seconds | None = _key(
        "What a browser waits for before it does anything else: a selector, or seconds.",
        'a selector as in ".event", or a number of seconds',
        default=None,
        unit="seconds, where it is a number",
        page=True,
    )
    click: Annotated[tuple[Words, ...], BeforeValidator(_tuple)] = _key(
        "What a browser clicks, one after the other.",
        'a list of selectors, as in ["#more"]',
        default=(),
        page=True,
    )
    scroll: Annotated[int, Field(ge=0, le=MOST_SCROLLS)] = _key(
        "How often a browser scrolls to the end at the most, as long as the page grows.",
        f"a whole number from 0 to {MOST_SCROLLS}",
        default=0,
        page=True,
    )
    arguments: Mapping[str, Words] = _key(
        "What the spider is told by `-a`.",
        'texts by argument, as in {mode = "update"}',
        default={},
    )

    @property
    def leaves_a_choice(self) -> bool:
        """Whether it depends on the results what fetches a page."""
        return self.tools == BY_RESULTS or len(self.tools) > 1

    @property
    def steps(self) -> list[dict[str, Any]]:
        """What a browser does on its page, as `meta["steps"]` has it."""
        asked: list[tuple[str, Any]] = [
            *([("consent", True)] if self.consent else []),
            *([("wait", self.wait_for)] if self.wait_for is not None else []),
            *(("click", one) for one in self.click),
            *([("scroll", self.scroll)] if self.scroll else []),
        ]
        return [{name: value} for name, value in asked]


KEYS: Mapping[str, FieldInfo] = {
    name: field for name, field in Entry.model_fields.items() if name != "name"
}
"""What a table may have."""


def what_to_write(key: str) -> str:
    """Say what a key takes."""
    return str(_about(key)["write"])


def is_of_pages(key: str) -> bool:
    """Whether a key means something only where the spider reads a site by its entry."""
    return bool(_about(key)["page"])


def _about(key: str) -> dict[str, Any]:
    about = Entry.model_fields[key].json_schema_extra
    assert isinstance(about, dict)
    return about
