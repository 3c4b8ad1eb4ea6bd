"""A source: a place on the web with items of one type, and all that the core knows about it.

It has two halves. Every command loads the first, a few words; what is done with the items is
imported when it is first wanted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.typed_settings import Given, address, text
from n8n_scraper.core.wording import Change, field_in_full, field_in_short

if TYPE_CHECKING:
    from array import array

    from sqlalchemy import Table

    from n8n_scraper.core.classified import Classification
    from n8n_scraper.core.dossier import Answer, Dossier, Planned
    from n8n_scraper.core.item import Item
    from n8n_scraper.core.occasion import Occasions
    from n8n_scraper.core.searched import Searched

I = TypeVar("I", bound="Item")  # noqa: E741 - an item

Record = Mapping[str, Any]
"""An item as its row or its line in a feed has it."""

Content = dict[str, Any]
"""What of a record its authors can edit."""


@dataclass(frozen=True, slots=True)
class Noun:
    """What people call the items of a source."""

    one: str
    many: str

    def __str__(self) -> str:
        return self.one

    def so_many(self, number: int) -> str:
        """A number of them."""
        return f"{number} {self.one if number == 1 else self.many}"


ITEMS = Noun("item", "items")
"""What they are called where nobody knows their source."""


@dataclass(frozen=True, slots=True)
class Ids:
    """How a source writes the ids of its items."""

    pattern: str
    words: str
    """What they are, to people."""
    example: str
    """Two of them, as they are typed."""


@dataclass(frozen=True, slots=True)
class ItemAddress:
    """A kind of address by which an item of a source is known."""

    base: str
    """The setting of the base below which it stands."""
    pattern: str
    """What may follow the base: the group `id` is the item's, others go to its listing."""


@dataclass(frozen=True, slots=True)
class Division:
    """The items of a source that have one value in a field: what one crawl of it is about."""

    field: str
    value: str


FOREIGN = "foreign"
"""The source, and the spider, of a run that only a program elsewhere works on."""


@dataclass(frozen=True, slots=True)
class Source:
    """A place on the web with items of one type, as every command knows it."""

    name: str
    """That of its folder below `sources/`, and of the source of a run."""
    spider: str
    noun: Noun
    key: str
    """The field of its items that tells them apart."""
    ids: Ids
    parts: tuple[str, ...]
    """The answers that an item is made of, in the order in which they are asked for."""
    bases: tuple[str, ...]
    """The settings that say where the source is."""
    inventory_requests: int
    """How many requests find out what there is, at the least."""
    settings: Mapping[str, str]
    """The settings that only this source has, with what holds where they are unset."""
    home: str
    """The module that defines `KIND`."""
    stand_in: str
    """The module that defines `SCRIPT`, by which its stand-in plays."""
    exports: str | None = None
    """The module that defines `EXPORTS`, where its exports have something of their own."""
    pages: str | None = None
    """The module with `add_to(app, source)`, where `scrapy serve` has pages of its own for it."""
    tools: str | None = None
    """The module that defines `TOOLS`, where assistants can ask something of it alone."""
    addresses: tuple[ItemAddress, ...] = ()
    """Those that stand for one item each, beside the one that we write."""
    place: int = 1
    """Where it stands among the sources: the first is meant where a command names none."""
    contracts: tuple[str, ...] = ()
    """The classes of what `scrapy check` promises of its spider."""
    followed: str = "samples"
    """What people call that which is followed of its items over time."""
    divided_by: str | None = None
    """The field of its items, and the argument of its spider, that says which of many places a
    crawl is about; None where each is about all that the source has."""
    page: str = "#{id}"
    """What stands behind the site's address in that of an item."""

    def address_of(self, site: str, item_id: str) -> str:
        """Give the address by which others know an item of a site."""
        return site.rstrip("/") + self.page.format(id=item_id)

    @property
    def least_budget(self) -> int:
        """The fewest requests that bring an item: a robots.txt a host, the inventory, and one."""
        return len(self.bases) + self.inventory_requests + 1

    def places(self, settings: Given) -> list[str]:
        """Read where the source is; one of many places is nowhere until one is named."""
        unset = [name for name in self.bases if self.settings.get(name) == ""]
        named = (name for name in self.bases if name not in unset or text(settings, name))
        return [address(settings, name) for name in named]

    def division(self, arguments: Mapping[str, Any]) -> Division | None:
        """Say which of its items a crawl with these arguments is about; None where it is all."""
        if self.divided_by is None or self.divided_by not in arguments:
            return None
        return Division(self.divided_by, str(arguments[self.divided_by]))

    def kind(self) -> ItemKind[Any]:
        """Give what is done with its items."""
        return _kind_at(self.home)

    def ids_in(self, typed: str | None) -> tuple[str, ...]:
        """Read what is typed after `-a ids=`, each id once; raise BadInput for what is none."""
        if typed is None:
            return ()
        ids = [part.strip() for part in typed.split(",") if part.strip()]
        wrong = next((part for part in ids if not re.fullmatch(self.ids.pattern, part)), None)
        if wrong is not None or not ids:
            raise BadInput(
                f"-a ids={typed}: {wrong or 'nothing'} is no id of {self.noun.many}. "
                f"Write {self.ids.words} with commas, as in -a ids={self.ids.example}."
            )
        return tuple(dict.fromkeys(ids))

    def id_of(self, item: object) -> str | None:
        """Give the id of an item of this source; None of anything else."""
        found: str | None = getattr(item, self.key, None)
        return found


@cache
def _kind_at(home: str) -> ItemKind[Any]:
    kind: ItemKind[Any] = import_module(home).KIND
    return kind


@dataclass(frozen=True, slots=True)
class Provenance:
    """What an item says of the crawl that it comes from."""

    site: str
    """Where the source was, as its first base says it."""
    run_id: str
    scraped_at: str
    processing_time: float


@dataclass(frozen=True, slots=True)
class Computed(Generic[I]):
    """A field that follows from others of its item."""

    field: str
    compute: Callable[[I], None]
    """Settles the field: with a value, or with the reason why it has none."""
    of: tuple[str, ...]
    """The fields that it follows from."""
    not_yet: str
    """Why it has no value as long as nobody has computed it."""
    switched_off: str = ""
    """Why it has no value where the settings do not want it."""
    is_wanted: Callable[[Mapping[str, Any]], bool] = lambda _settings: True
    """Says whether these settings want it."""
    stat: str | None = None
    """The stat that counts the items in which it has found something."""

    def is_due(self, item: I) -> bool:
        """Whether nobody has computed it of the item yet."""
        return item.unobserved.get(self.field) == self.not_yet

    def is_off(self, item: I) -> bool:
        """Whether the settings did not want it of the item."""
        return bool(self.switched_off) and item.unobserved.get(self.field) == self.switched_off


@dataclass(frozen=True, slots=True)
class Authored:
    """What of an item is its authors' work, and what of that has changed.

    A record may have been written by an older version: nothing but what its authors can edit, and
    how its parts ended, is read of it.
    """

    names: tuple[str, ...]
    """The fields that it is known by, told of an item that is new."""

    content: Callable[[Record], Content]
    """Everything that an author can edit; null where it was not observed or is not there."""
    observed: Callable[[Record], Content]
    """The part of it of which the answers spoke, be it to say that there is none."""
    changes: Callable[[Content, Content, Collection[str]], dict[str, Any]]
    """Each field that both contents know and that differs; named are those fields that were read
    from another answer than before."""
    renaming: Callable[[Record, Record], dict[str, Any]]
    """The old and the new names, for those of them that are known and differ."""
    in_short: Callable[[str, Change], str] = field_in_short
    """Says in a few words which field has changed."""
    in_full: Callable[[str, Change], Iterator[str]] = field_in_full
    """Says in lines what has changed in a field."""


def _as_it_is(record: Record, _item: Item) -> Record:
    return record


@dataclass(frozen=True, slots=True)
class Rereading(Generic[I]):
    """How an item is made anew of its stored answers, equal where its readers are the same."""

    reopen: Callable[[Record], tuple[Dossier, Provenance]]
    """Opens the dossier of a record as its last chain has left it, the answers left out."""
    refresh: Callable[[Record, I], Record] = _as_it_is
    """Gives a record in which what is left of earlier chains is as in an item made of all answers;
    what the record does not have stays out of it."""


@dataclass(frozen=True, slots=True)
class Samples:
    """What of the items is followed over time and is no change: a row each time that one came."""

    table: Callable[[], Table]
    row: Callable[[Record], dict[str, Any] | None]
    """Gives the sample that a record brings; None where it brings none."""


@dataclass(frozen=True, slots=True)
class Videos:
    """Where the items of a source name videos, and where they have what is said in these."""

    named_in: str
    ids: Callable[[Any], list[str]]
    """Gives the ids of the videos that the field names, as its row has it; it may be null."""
    words_in: str


@dataclass(frozen=True, slots=True)
class Likeness:
    """By what the items of a source are compared, and which of several that are alike is kept."""

    fields: tuple[str, ...]
    """What has to be looked at to compare an item; an item has these as its row does."""
    features: Callable[[Record], array[int]]
    """Gives what an item is compared by, the most telling first; it is total."""
    standing_fields: tuple[str, ...]
    standing: Callable[[Record], Any]
    """Sorts items that are alike: the first of them is the one to keep."""


@dataclass(frozen=True, slots=True)
class Place:
    """One of the places in which a field of an item can stand."""

    name: str
    """As `sources` names it."""
    why_not: str | None
    """Why the field does not stand there; None where it does."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a chain: a part, and where it is asked for."""

    part: str
    url: str | None
    why_not: str = ""
    """Why it is not asked for."""


@dataclass(frozen=True, slots=True)
class Asking:
    """What would be asked for an item, for whoever wants to know beforehand."""

    item_at: Callable[[Given, str], Planned | None]
    """Gives the item that an address speaks of; None where it speaks of none."""
    steps: Callable[[Given, Dossier], Mapping[str, tuple[Step, ...]]]
    """Gives, by each way to ask, the steps for an item whose parts end as its dossier has them."""


@dataclass(frozen=True, slots=True)
class Issues:
    """Where the items of a source say what is wrong with them."""

    found_in: str
    words: Callable[[Any], list[str]]
    """Says each issue in words that are the same for every item that has it, by the field as its
    row has it; it may be null."""


class Explained(Protocol):
    """Why an item has the score that it has."""

    def lines(self) -> Iterator[str]:
        """Tell a person."""

    def as_json(self) -> dict[str, Any]:
        """The same for machines."""


@dataclass(frozen=True, slots=True)
class ItemKind(Generic[I]):
    """What is done with the items of a source: read, assembled, checked, compared, stored."""

    item: type[I]
    read: Callable[[Dossier, Answer], None]
    """Reads an answer into its dossier, and settles its part by whether it can be read."""
    assemble: Callable[[Dossier, Provenance], I]
    """Makes the item of a dossier that is through and has data."""
    computed: tuple[Computed[I], ...]
    """In the order in which they are computed: a later one may look at an earlier one."""
    promises: Callable[[I], list[str]]
    """Names each promise of the contract, beyond its types, that an item breaks."""
    table: Callable[[], Table]
    """Gives its own typed table, which not everybody who reads an item has use for."""
    row: Callable[[I], dict[str, Any]]
    """Writes an item as its row has it."""
    authored: Authored
    carry_over: Callable[[Record, I], I]
    """Takes over older values of what was not had this time, and lets what is computed follow from
    both; gives the very item if there are none, and leaves the given one as it is."""
    rereading: Rereading[I]
    listed: tuple[str, ...] = ()
    """The fields that the inventory tells as well: one that differs there is asked for early."""
    samples: Samples | None = None
    explain: Callable[[I], Explained] | None = None
    """Explains how good an item is; without it, which of its fields are known is told."""
    issues: Issues | None = None
    videos: Videos | None = None
    pictures: Callable[[I], list[str]] | None = None
    """Gives the addresses of what an item shows."""
    shown_in: str | None = None
    """The field in which they stand."""
    likeness: Likeness | None = None
    """Says what makes two items look alike, where that is looked for."""
    occasions: Occasions | None = None
    """Says what an item announces, where others may announce the same."""
    classification: Classification | None = None
    """Says what an item is, where a page may have something else in its place."""
    places: Callable[[Dossier], Mapping[str, tuple[Place, ...]]] | None = None
    """Tells of each field that is read where it can stand, the best place first."""
    asking: Asking | None = None
    """Tells what would be asked for an item, where anything is."""
    shown: Callable[[I], Iterator[str]] | None = None
    """Tells an item to a person at a terminal, line by line; without it, its fields are told."""
    searched: Searched | None = None
    """How they are searched; None where they are not."""
    kept: frozenset[str] = frozenset()
    """The fields in which no author writes text: taking secrets out leaves them as they are."""
