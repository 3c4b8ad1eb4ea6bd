"""Sketches a template cheaply: all that the sitemap, the search and the category lists need."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from n8n_scraper.sources.n8n.replica import words
from n8n_scraper.sources.n8n.replica.categories import CATEGORY_NAMES
from n8n_scraper.sources.n8n.replica.slugs import slugify
from n8n_scraper.testing.replica.draws import Picks

_FIRST_PUBLISHED = datetime(2019, 8, 30, 16, 39, 31, 362_000, tzinfo=UTC)
_LAST_PUBLISHED = datetime(2026, 10, 1, tzinfo=UTC)
_PAID_SHARE = 0.04
_PRICE_ABSENT_SHARE = 0.28
_AUTHORS = len(words.STUDIO_FIRST) * len(words.STUDIO_LAST)


@dataclass(frozen=True, slots=True)
class Author:
    """An invented author, the same in every template that names them."""

    id: int
    name: str
    username: str
    bio: str | None
    verified: bool
    links: tuple[str, ...]
    avatar: str


@dataclass(slots=True)
class Profile:
    """The outline of one template; oddities may still bend it."""

    id: int
    index: int
    title: str
    categories: tuple[str, ...]
    author: Author
    views: int
    recent_views: int
    created_at: str
    price: int | None
    purchase_url: str | None

    @property
    def slug(self) -> str:
        """The part of the address after the id; follows the title."""
        return slugify(self.title) or "template"

    @property
    def path(self) -> str:
        """The canonical address of the page, without the host."""
        return f"/workflows/{self.id}-{self.slug}/"

    @property
    def is_paid(self) -> bool:
        """Whether the page offers the template for money."""
        return bool(self.price)


def sketch_profile(seed: int, template_id: int, index: int, total: int) -> Profile:
    """Draw the outline of a template from the seed and its id alone."""
    picks = Picks(seed, template_id, "profile")
    title = _title(picks)
    views = 7 + picks.below(40) ** 3
    price = _price(picks)
    return Profile(
        id=template_id,
        index=index,
        title=title,
        categories=_categories(picks),
        author=author_number(seed, _author_index(picks)),
        views=views,
        recent_views=min(views, picks.below(60)),
        created_at=_created_at(index, total, picks),
        price=price,
        purchase_url=f"https://shop.example.com/l/flow-{template_id}" if price else None,
    )


def author_number(seed: int, index: int) -> Author:
    """Invent an author; three in a hundred have no bio, and most link nowhere."""
    picks = Picks(seed, "author", index)
    last, first = divmod(index % _AUTHORS, len(words.STUDIO_FIRST))
    name = f"{words.STUDIO_FIRST[first]} {words.STUDIO_LAST[last]}"
    username = name.lower().replace(" ", "")
    links = picks.one_of(((), ("",), (f"https://{username}.example.com/",)))
    if picks.chance(0.06):
        links = (f"https://www.youtube.com/@{username}",)
    return Author(
        id=1000 + index,
        name=name,
        username=username,
        bio=None if picks.chance(0.05) else picks.one_of(words.BIOS),
        verified=picks.chance(0.8),
        links=links,
        avatar=f"https://gravatar.com/avatar/{picks.below(1 << 128):032x}?r=pg&d=retro&size=200",
    )


def author_named(seed: int, username: str) -> Author | None:
    """Return the author of that user name, or nothing."""
    everyone = (author_number(seed, index) for index in range(_AUTHORS))
    return next((author for author in everyone if author.username == username), None)


def _title(picks: Picks) -> str:
    app = picks.one_of(words.APPS)
    other = words.APPS[(words.APPS.index(app) + 1 + picks.below(20)) % len(words.APPS)]
    return picks.one_of(words.TITLE_PATTERNS).format(
        verb=picks.one_of(words.VERBS),
        thing=picks.one_of(words.OBJECTS),
        app=app,
        other=other,
        suffix=picks.one_of(words.SUFFIXES),
    )


def _categories(picks: Picks) -> tuple[str, ...]:
    first = picks.below(len(CATEGORY_NAMES))
    second = (first + 1 + picks.below(len(CATEGORY_NAMES) - 1)) % len(CATEGORY_NAMES)
    both = (CATEGORY_NAMES[first], CATEGORY_NAMES[second])
    return both if picks.chance(0.66) else both[:1]


def _author_index(picks: Picks) -> int:
    # The product of two draws makes a few authors prolific and most of them rare.
    return picks.below(_AUTHORS) * picks.below(1000) // 1000


def _price(picks: Picks) -> int | None:
    if picks.chance(_PAID_SHARE):
        return picks.one_of((5, 15, 35))
    return None if picks.chance(_PRICE_ABSENT_SHARE) else 0


def _created_at(index: int, total: int, picks: Picks) -> str:
    span = (_LAST_PUBLISHED - _FIRST_PUBLISHED) / max(total, 1)
    # Less than one step of jitter keeps the order of ids and dates the same.
    moment = _FIRST_PUBLISHED + span * index + span * (picks.below(900) / 1000)
    whole = moment - timedelta(microseconds=moment.microsecond % 1000)
    return whole.isoformat(timespec="milliseconds").replace("+00:00", "Z")
