"""Names every oddity of the real site and every slip, and decides which template has which."""

from collections.abc import Callable

from n8n_scraper.sources.n8n.replica.drafts import Draft
from n8n_scraper.sources.n8n.replica.odd_connections import CONNECTION_ODDITIES
from n8n_scraper.sources.n8n.replica.odd_descriptions import DESCRIPTION_ODDITIES
from n8n_scraper.sources.n8n.replica.odd_nodes import NODE_ODDITIES
from n8n_scraper.sources.n8n.replica.odd_secrets import SLIPS
from n8n_scraper.sources.n8n.replica.odd_templates import (
    PROFILE_ODDITIES,
    TEMPLATE_ODDITIES,
    huge_workflow,
    most_nodes,
)
from n8n_scraper.sources.n8n.replica.profiles import Profile
from n8n_scraper.testing.replica.draws import stable_fraction, stable_number

DRAFT_ODDITY: dict[str, Callable[[Draft], None]] = {
    oddity.__name__: oddity
    for oddity in (
        *CONNECTION_ODDITIES,
        *NODE_ODDITIES,
        *TEMPLATE_ODDITIES,
        *DESCRIPTION_ODDITIES,
    )
}
PROFILE_ODDITY: dict[str, Callable[[Profile], None]] = {
    oddity.__name__: oddity for oddity in PROFILE_ODDITIES
}

ODDITIES: dict[str, Callable[[Draft], None] | Callable[[Profile], None]] = {
    **DRAFT_ODDITY,
    **PROFILE_ODDITY,
}
"""Every oddity by name; the docstring of each tells what it copies."""

SLIP: dict[str, Callable[[Draft], None]] = {slip.__name__: slip for slip in SLIPS}
"""Every way in which a secret slips into a template, by name."""

_HEAVY_NAMES = (most_nodes.__name__, huge_workflow.__name__)
_LIGHT_NAMES = tuple(name for name in ODDITIES if name not in _HEAVY_NAMES)
_SLIP_NAMES = tuple(SLIP)
_DESCRIPTION_NAMES = tuple(oddity.__name__ for oddity in DESCRIPTION_ODDITIES)
_OTHER_NAMES = tuple(name for name in ODDITIES if name not in _DESCRIPTION_NAMES)

# Two rows of places, so that no template has two oddities, or an oddity and a slip.
_STEP = 3
_PLACE = {name: 1 + _STEP * step for step, name in enumerate(_OTHER_NAMES)}
_SECOND_ROW = {
    name: 2 + _STEP * step for step, name in enumerate((*_SLIP_NAMES, *_DESCRIPTION_NAMES))
}
_PLACE |= {name: _SECOND_ROW[name] for name in _DESCRIPTION_NAMES}
_SLIP_PLACE = {name: _SECOND_ROW[name] for name in _SLIP_NAMES}
_NAME_AT = {place: name for name, place in _PLACE.items()}
_SLIP_AT = {place: name for name, place in _SLIP_PLACE.items()}
_LAST_PLACE, _LAST_SLIP_PLACE = max(_NAME_AT), max(_SLIP_AT)
_LATER_SHARE, _LATER_SLIP_SHARE = 0.05, 0.03


def index_of_oddity(name: str) -> int:
    """Return the place in the catalogue that always has this oddity."""
    return _PLACE[name]


def oddity_at(seed: int, index: int) -> str | None:
    """Name the oddity of the template at this place, if it has one.

    The first places have each oddity once, whatever the seed; later ones have any, now and then.
    """
    if index <= _LAST_PLACE:
        return _NAME_AT.get(index)
    if stable_fraction(seed, index, "odd") >= _LATER_SHARE:
        return None
    return _LIGHT_NAMES[stable_number(seed, index, "which") % len(_LIGHT_NAMES)]


def index_of_slip(name: str) -> int:
    """Return the place in the catalogue that always has this slip."""
    return _SLIP_PLACE[name]


def slip_at(seed: int, index: int) -> str | None:
    """Name the slip of the template at this place, if it has one; an odd template has none.

    The first sixty places have each slip once, whatever the seed; later ones have any, now and
    then.
    """
    if index <= _LAST_SLIP_PLACE:
        return _SLIP_AT.get(index)
    if oddity_at(seed, index) or stable_fraction(seed, index, "slip") >= _LATER_SLIP_SHARE:
        return None
    return _SLIP_NAMES[stable_number(seed, index, "which slip") % len(_SLIP_NAMES)]
